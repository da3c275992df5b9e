import { createHash } from "node:crypto";
import type { Db } from "../db/database.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import type { Uuid } from "../kernel/ids.ts";

/** The actor: an operator at the command line, a subscriber's key, a signed-in person, or the gateway itself. */
export type Actor =
  | { readonly kind: "operator"; readonly name: string }
  | { readonly kind: "key" | "person"; readonly id: Uuid }
  | { readonly kind: "system" };

/** JSON that comes back from `jsonb` as it went in: amounts are strings, counts safe integers. No secrets. */
export type AuditDetails = Readonly<Record<string, AuditValue>>;
type AuditValue = string | number | boolean | null | readonly AuditValue[] | { readonly [name: string]: AuditValue };

export interface AuditEntry {
  readonly actor: Actor;
  /** `thing.act`, e.g. `wallet.credit`. */
  readonly action: string;
  /** Public ID of the subject, e.g. `acc_01k…`. */
  readonly subject: string;
  readonly details?: AuditDetails;
  readonly reason?: string;
}

export interface AuditRow {
  readonly number: number;
  readonly at: Date;
  readonly actor: Actor;
  readonly action: string;
  readonly subject: string;
  readonly details: AuditDetails;
  readonly reason: string | null;
}

const FIRST = Buffer.alloc(32);

/**
 * Records an action on keys, plans, money, providers or senders. `db` must be the action's own transaction, so that both are
 * committed or neither. The chain is ordered by a lock held until commit; such actions are rare. Call it late in the
 * transaction.
 */
export async function audit(db: Db, entry: AuditEntry): Promise<void> {
  await db.query("select pg_advisory_xact_lock(hashtext('afara.audit'))");
  // A separate statement: its snapshot includes the previous lock holder's commit.
  const { rows } = await db.query<{ number: bigint; hash: Buffer | null; at: Date }>(
    `select coalesce(max(number), 0) as number, (array_agg(hash order by number desc))[1] as hash,
            date_trunc('milliseconds', clock_timestamp()) as at
       from (select number, hash from audit_log order by number desc limit 1) last`,
  );
  const { number, hash, at } = rows[0]!;
  const previous = hash ?? FIRST;
  const row: AuditRow = {
    number: Number(number) + 1,
    at,
    actor: entry.actor,
    action: entry.action,
    subject: entry.subject,
    details: entry.details ?? {},
    reason: entry.reason ?? null,
  };
  await db.query(
    `insert into audit_log (number, at, actor_kind, actor, action, subject, details, reason, previous_hash, hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      row.number,
      row.at,
      row.actor.kind,
      nameOf(row.actor),
      row.action,
      row.subject,
      JSON.stringify(row.details),
      row.reason,
      previous,
      hashOf(previous, row),
    ],
  );
}

/** Newest first. */
export async function readAudit(
  db: Db,
  { subject, limit }: { readonly subject?: string; readonly limit: number },
): Promise<readonly AuditRow[]> {
  const { rows } = await db.query<StoredRow>(
    "select * from audit_log where $1::text is null or subject = $1 order by number desc limit $2",
    [subject ?? null, limit],
  );
  return rows.map(rowOf);
}

export interface AuditProof {
  /** Rows checked. */
  readonly rows: number;
  /** Hex hash of the last row. Kept elsewhere with the row's number, it also reveals a truncated log. */
  readonly lastHash: string | null;
  /** The first row that was changed or does not follow the one before. */
  readonly broken: { readonly number: number; readonly why: string } | undefined;
}

/** The last row according to an earlier proof, kept out of reach of the database's owner. */
export interface NotedRow {
  readonly number: number;
  /** In hex. */
  readonly hash: string;
}

const PAGE = 1_000;

/** Verifies the whole chain, which must include the noted row. Pass a snapshot, so that it blocks no writes. */
export async function verifyAudit(db: Db, noted?: NotedRow): Promise<AuditProof> {
  let previous: Buffer = FIRST;
  let number = 0;
  for (;;) {
    const { rows } = await db.query<StoredRow>("select * from audit_log where number > $1 order by number limit $2", [
      number,
      PAGE,
    ]);
    for (const stored of rows) {
      const why = faultOf(stored, number, previous) ?? notedFault(stored, noted);
      if (why !== undefined)
        return { rows: number, lastHash: textOf(number, previous), broken: { number: Number(stored.number), why } };
      previous = stored.hash;
      number += 1;
    }
    if (rows.length < PAGE) {
      const broken =
        noted && number < noted.number ? { number: number + 1, why: `row ${number + 1} is missing` } : undefined;
      return { rows: number, lastHash: textOf(number, previous), broken };
    }
  }
}

interface StoredRow {
  number: bigint;
  at: Date;
  actor_kind: Actor["kind"];
  actor: string | null;
  action: string;
  subject: string;
  details: AuditDetails;
  reason: string | null;
  previous_hash: Buffer;
  hash: Buffer;
}

function faultOf(stored: StoredRow, before: number, previous: Buffer): string | undefined {
  if (Number(stored.number) !== before + 1) return `row ${before + 1} is missing`;
  if (!stored.previous_hash.equals(previous)) return "it does not follow the row before it";
  if (!stored.hash.equals(hashOf(previous, rowOf(stored)))) return "its content was changed";
  return undefined;
}

const notedFault = ({ number, hash }: StoredRow, noted: NotedRow | undefined): string | undefined =>
  noted && Number(number) === noted.number && hash.toString("hex") !== noted.hash
    ? "it is not the row that was noted"
    : undefined;

const textOf = (number: number, hash: Buffer): string | null => (number === 0 ? null : hash.toString("hex"));

const hashOf = (previous: Buffer, row: AuditRow): Buffer =>
  createHash("sha256")
    .update(previous)
    .update(canonicalJson({ ...row, at: row.at.toISOString() }))
    .digest();

const nameOf = (actor: Actor): string | null =>
  actor.kind === "operator" ? actor.name : actor.kind === "system" ? null : actor.id;

function actorOf({ actor_kind: kind, actor }: StoredRow): Actor {
  if (kind === "operator") return { kind, name: actor ?? "" };
  return kind === "system" ? { kind } : { kind, id: actor as Uuid };
}

const rowOf = (stored: StoredRow): AuditRow => ({
  number: Number(stored.number),
  at: stored.at,
  actor: actorOf(stored),
  action: stored.action,
  subject: stored.subject,
  details: stored.details,
  reason: stored.reason,
});
