import { readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { drained, messages } from "./gateway.ts";
import { askAll } from "./growth-looks.ts";
import type { GrowthSide } from "./growth-side.ts";
import { load } from "./wrk.ts";

/** Every statement with its plan in the server's log, those in functions too. */
const EXPLAINED = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_analyze": "on",
};
const LOAD_SECONDS = 2;
/** Of a statement's text and of its plan. */
const [TEXT_CHARACTERS, PLAN_LINES] = [140, 40];

/**
 * The plans of everything that P5 asks and of the hot functions, each statement's slowest, as PostgreSQL tells them by `auto_explain`.
 * The gateways' sessions are ended for it, as only new ones load that.
 */
export async function plansOf(side: GrowthSide, stored: number): Promise<string> {
  const { database } = side.bench;
  for (const [name, value] of Object.entries(EXPLAINED)) await database.query(`alter system set ${name} = '${value}'`);
  await database.query("select pg_reload_conf()");
  await database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
  );
  const { rows } = await database.query<{ data_directory: string }>("show data_directory");
  const log = join(rows[0]!.data_directory, "server.log");
  await load(side.worker.base, { connections: 16, seconds: LOAD_SECONDS, requests: messages() }); // new sessions
  await drained(side.bench);
  await truncate(log, 0);
  await load(side.worker.base, { connections: 64, seconds: LOAD_SECONDS, requests: messages() });
  await drained(side.bench);
  await askAll(side, stored);
  return told(await readFile(log, "utf8"));
}

interface Statement {
  calls: number;
  ms: number;
  slowestMs: number;
  plan: string;
}

const ENTRY = /duration: ([\d.]+) ms {2}plan:\s*\n\tQuery Text: ([\s\S]*?)(?=\n\d{4}-\d\d-\d\d |$)/g;
/** Where the text ends and the plan begins: its first node. */
const PLAN = /\n\t(?=(?:[A-Z][A-Za-z-]+ ?)+(?:on \S+|using \S+ on \S+|\S+)? {0,2}\((?:cost|actual))/;

function told(log: string): string {
  const statements = new Map<string, Statement>();
  for (const [, duration, body] of log.matchAll(ENTRY)) {
    const ms = Number(duration);
    const start = PLAN.exec(body!)?.index ?? body!.length;
    const text = body!
      .slice(0, start)
      .replace(/\n\tQuery Parameters: [\s\S]*$/, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    const known = statements.get(text) ?? { calls: 0, ms: 0, slowestMs: -1, plan: "" };
    known.calls += 1;
    known.ms += ms;
    if (ms > known.slowestMs) Object.assign(known, { slowestMs: ms, plan: body!.slice(start) });
    statements.set(text, known);
  }
  return [...statements]
    .toSorted(([, a], [, b]) => b.ms - a.ms)
    .map(([text, { calls, ms, slowestMs, plan }]) => {
      const lines = plan.split("\n").filter((line) => line.trim() !== "");
      const shown = [
        ...lines.slice(0, PLAN_LINES),
        ...(lines.length > PLAN_LINES ? [`\t… ${lines.length} lines`] : []),
      ];
      return `${text.slice(0, TEXT_CHARACTERS)}\n${calls} calls, ${(ms / calls).toFixed(2)} ms each, slowest ${slowestMs.toFixed(2)} ms\n${shown.join("\n")}\n`;
    })
    .join("\n");
}
