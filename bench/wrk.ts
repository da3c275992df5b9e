import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchCpu } from "./cpu.ts";

/** One request, which wrk repeats; several of them go out in turn. */
export interface Sent {
  readonly path: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  readonly perSecond: number;
  readonly answers: number;
  /** Answers of 400 and above, and requests without an answer. */
  readonly failed: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number; readonly p999: number };
  /** Share of one core that wrk itself used. At 0.95 it was the limit, and not what it asked. */
  readonly generatorCores: number;
}

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  readonly requests: readonly Sent[];
}

/** Of all answers: with more the rate is that of refusals, and tells nothing. */
const FAILED_SHARE_MAX = 0.01;

/**
 * Debian's wrk as the load: closed loop, over connections that are kept, on one thread of its own. A generator in Node costs as much
 * as what it asks and is then what is measured. Errors: rejects when more than a few answers were errors.
 */
export async function load(base: string, { connections, seconds, requests }: LoadOptions): Promise<Load> {
  const dir = await mkdtemp(join(tmpdir(), "afara-bench-wrk-"));
  const script = join(dir, "load.lua");
  await writeFile(script, scriptFor(requests));
  try {
    const args = [`--connections=${connections}`, "--threads=1", `--duration=${seconds}s`, "--timeout=30s"];
    const child = spawn("wrk", [...args, `--script=${script}`, base], { stdio: ["ignore", "pipe", "inherit"] });
    const cpu = watchCpu(child.pid!);
    let usedMs = 0;
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk;
    });
    const [code] = (await once(child, "close").finally(() => (usedMs = cpu.stop()))) as [number];
    if (code !== 0) throw new Error(`wrk ended with ${code}: ${printed}`);
    const answer = answerIn(printed);
    if (answer.failed > answer.answers * FAILED_SHARE_MAX)
      throw new Error(`${answer.failed} of ${answer.answers} answers of ${base} were errors`);
    return { ...answer, generatorCores: usedMs / (seconds * 1_000) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const DONE = `function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("\\nRESULT %d %d %d %f %f %f\\n", summary.requests, summary.duration,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
end
`;

/** Requests are formatted once, before the load. */
const scriptFor = (requests: readonly Sent[]): string => `
local sent, at = {}, 0
function init(args)
${requests
  .map(
    ({ method = "GET", path, headers = {}, body }) =>
      `  sent[#sent + 1] = wrk.format(${[method, path].map(lua).join(", ")}, {${Object.entries(headers)
        .map(([name, value]) => `[${lua(name)}] = ${lua(value)}`)
        .join(", ")}}, ${body === undefined ? "nil" : lua(body)})`,
  )
  .join("\n")}
end
function request()
  at = at % #sent + 1
  return sent[at]
end
${DONE}`;

/** A JSON string of plain characters is one of Lua, too. */
const lua = (text: string): string => JSON.stringify(text);

const US_PER_MS = 1_000;

function answerIn(printed: string): Omit<Load, "generatorCores"> {
  const figures = /^RESULT (.+)$/m.exec(printed)?.[1]?.split(" ").map(Number);
  if (figures?.length !== 6) throw new Error(`wrk printed no result: ${printed}`);
  const [answers, durationUs, failed, ...latencyUs] = figures as [number, number, number, number, number, number];
  const [p50, p99, p999] = latencyUs.map((us) => us / US_PER_MS) as [number, number, number];
  return { perSecond: (answers * 1_000 * US_PER_MS) / durationUs, answers, failed, latencyMs: { p50, p99, p999 } };
}
