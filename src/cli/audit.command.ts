import { findAccount } from "../accounts/accounts.repo.ts";
import { type Actor, type NotedRow, readAudit, verifyAudit } from "../accounts/audit.repo.ts";
import { findKey } from "../accounts/keys.repo.ts";
import type { Database, Db } from "../db/database.ts";
import { decodeId, encodeId } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { type Report, refusedReport, tableWithNotes, timeText, wordsOf } from "./report.ts";

export interface ListOptions {
  /** An id or a name; all that was done without it. */
  readonly subject?: string;
  readonly limit: number;
}

export async function auditList(db: Db, { subject, limit }: ListOptions): Promise<Report> {
  const absent = subject === undefined ? undefined : await absentText(db, subject);
  if (absent !== undefined) return refusedReport(refusal("not_found", absent));
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
    text: rows.length > 0 ? tableWithNotes(["#", "AT", "WHO", "DID"], rows) : nothingText(subject),
  };
}

/** The log of an account or a key that is not there would be empty, as if nothing had been done to it. */
async function absentText(db: Db, subject: string): Promise<string | undefined> {
  const [prefix] = subject.split("_", 1);
  if (prefix !== "acc" && prefix !== "key") return undefined;
  const id = decodeId(prefix, subject);
  const found = id && (prefix === "acc" ? await findAccount(db, id) : await findKey(db, id));
  return found ? undefined : `There is no ${prefix === "acc" ? "account" : "key"} ${subject}.`;
}

const nothingText = (subject: string | undefined): string =>
  subject === undefined
    ? "The audit log is empty: nobody has changed an account, a key, a plan or a wallet yet."
    : `The audit log has no entry about "${subject}". Entries name what was changed by its id (acc_…, key_…, msg_…) or name (a provider's).`;

export async function auditVerify(db: Database, noted: NotedRow | undefined): Promise<Report> {
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
