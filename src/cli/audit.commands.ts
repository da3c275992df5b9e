import { InvalidArgumentError } from "commander";
import { type Actor, type NotedRow, readAudit, verifyAudit } from "../accounts/audit.repo.ts";
import type { Database, Db } from "../db/database.ts";
import { encodeId } from "../kernel/ids.ts";
import { count } from "./arguments.ts";
import type { Cli, JsonOption } from "./cli.ts";
import { type Report, tableWithNotes, timeText, wordsOf } from "./report.ts";

interface ListOptions extends JsonOption {
  readonly subject?: string;
  readonly limit: number;
}

interface VerifyOptions extends JsonOption {
  readonly noted?: NotedRow;
}

const LIMIT = 50;

function noted(text: string): NotedRow {
  const [, number, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined)
    throw new InvalidArgumentError("Give a row's number and its hash, as verify printed them: 1204:5b0f….");
  return { number: Number(number), hash };
}

export function auditCommands({ group, command, onDatabase }: Cli): void {
  const audit = group("audit", "who did what to keys, plans, money, providers: list, verify");
  command(audit, "list", "the audit log, the newest first", [
    "./afara audit list --limit 10",
    "./afara audit list --subject acc_01k9z3v1h8e4rb2m6t0c5w7xyd --json",
  ])
    .option("--subject <id>", "only what was done to this account, key, provider, …")
    .option("--limit <count>", "at most so many", count, LIMIT)
    .action((options: ListOptions) => onDatabase(options, ({ db }) => auditList(db, options)));
  command(audit, "verify", "prove that no entry was changed or taken out of the middle", [
    "./afara audit verify --json",
    "./afara audit verify --noted 1204:5b0f…",
  ])
    .option("--noted <row:hash>", "what an earlier verify said of its last row", noted)
    .action((options: VerifyOptions) => onDatabase(options, ({ db }) => auditVerify(db, options.noted)));
}

async function auditList(db: Db, { subject, limit }: ListOptions): Promise<Report> {
  const entries = await readAudit(db, { limit, ...(subject !== undefined && { subject }) });
  const rows = entries.map((entry) => ({
    cells: [String(entry.number), timeText(entry.at), actorText(entry.actor), entry.action],
    notes: [entry.subject, [wordsOf(entry.details), entry.reason].filter(Boolean).join("; ")],
  }));
  const shown = entries.map(({ at, actor, ...entry }) => ({
    ...entry,
    at: at.toISOString(),
    actor: { kind: actor.kind, ...(actor.kind !== "system" && { name: actorText(actor) }) },
  }));
  return {
    ok: true,
    json: { entries: shown },
    text: rows.length > 0 ? tableWithNotes(["#", "AT", "WHO", "DID"], rows) : "Nothing was done yet.",
  };
}

async function auditVerify(db: Database, noted: NotedRow | undefined): Promise<Report> {
  const { rows, lastHash, broken } = await db.snapshot((look) => verifyAudit(look, noted));
  if (broken)
    return {
      ok: false,
      json: { ok: false, rows, broken },
      text: `The log is broken at row ${broken.number}: ${broken.why}. The ${rows} rows before it are as they were written.`,
    };
  return {
    ok: true,
    json: { ok: true, rows, last_hash: lastHash },
    text: `All ${rows} rows are as they were written.${lastHash === null ? "" : ` Note this elsewhere, for the next time: --noted ${rows}:${lastHash}`}`,
  };
}

const actorText = (actor: Actor): string =>
  actor.kind === "operator" ? actor.name : actor.kind === "key" ? encodeId("key", actor.id) : "the gateway";
