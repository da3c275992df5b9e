import { findAccount } from "../accounts/accounts.repo.ts";
import { type Actor, type NotedRow, readAudit, verifyAudit } from "../accounts/audit.repo.ts";
import { findKey } from "../accounts/keys.repo.ts";
import type { Database, Db } from "../db/database.ts";
import { decodeId, encodeId } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { type Report, refusedReport, tableWithNotes, timeText, wordsOf } from "./report.ts";

export interface ListOptions {
  /** An ID or a name; default: all entries. */
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

/** An unknown account or key is reported: an empty log would suggest that it exists unchanged. */
async function absentText(db: Db, subject: string): Promise<string | undefined> {
  const [prefix] = subject.split("_", 1);
  if (prefix !== "acc" && prefix !== "key") return undefined;
  const id = decodeId(prefix, subject);
  const found = id && (prefix === "acc" ? await findAccount(db, id) : await findKey(db, id));
  return found ? undefined : `There is no ${prefix === "acc" ? "account" : "key"} ${subject}.`;
}

const nothingText = (subject: string | undefined): string =>
  subject === undefined
    ? "The audit log is empty: no account, key, plan or wallet has been changed yet."
    : `The audit log has no entry about "${subject}". A subject is an ID (acc_…, key_…, msg_…) or a provider's name.`;

export async function auditVerify(db: Database, noted: NotedRow | undefined): Promise<Report> {
  const { rows, lastHash, broken } = await db.snapshot((look) => verifyAudit(look, noted));
  if (broken)
    return {
      ok: false,
      json: { ok: false, rows, broken },
      text: `The log is broken at row ${broken.number}: ${broken.why}. The ${rows} rows before it are unchanged.`,
    };
  return {
    ok: true,
    json: { ok: true, rows, last_hash: lastHash },
    text: `All ${rows} rows are unchanged.${lastHash === null ? "" : ` Keep this elsewhere for the next check: --noted ${rows}:${lastHash}`}`,
  };
}

const actorText = (actor: Actor): string =>
  actor.kind === "operator"
    ? actor.name
    : actor.kind === "system"
      ? "the gateway"
      : encodeId(actor.kind === "key" ? "key" : "usr", actor.id);
