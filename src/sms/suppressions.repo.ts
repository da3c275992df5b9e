import { type Actor, audit } from "../accounts/audit.repo.ts";
import type { Database, Db } from "../db/database.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { type Msisdn, storedMsisdn } from "../kernel/msisdn.ts";
import type { Suppression, SuppressionSource } from "./suppressions.ts";

interface SuppressionRow {
  id: Uuid;
  phone: string;
  source: SuppressionSource;
  reason: string;
  created_at: Date;
  expires_at: Date | null;
}

const suppressionFrom = (row: SuppressionRow): Suppression => ({
  id: row.id,
  phone: storedMsisdn(row.phone),
  source: row.source,
  reason: row.reason,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

export interface Recipient {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly phone: string;
}

/** For each recipient, in order, whether it is suppressed: one query for any number of them. */
export async function areSuppressed(db: Db, recipients: readonly Recipient[], now: Date): Promise<readonly boolean[]> {
  const { rows } = await db.query<{ n: bigint }>(
    {
      name: "are_suppressed",
      text: `select r.n from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality r(account_id, mode, phone, n)
              where exists (select from suppressions s
                             where s.account_id = r.account_id and s.mode = r.mode and s.phone = r.phone
                               and (s.expires_at is null or s.expires_at > $4))`,
    },
    [
      recipients.map(({ accountId }) => accountId),
      recipients.map(({ mode }) => mode),
      recipients.map(({ phone }) => phone),
      now,
    ],
  );
  const found = new Set(rows.map((row) => Number(row.n) - 1));
  return recipients.map((_, index) => found.has(index));
}

export interface SuppressionFilter {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly phone: Msisdn | undefined;
  readonly beforeId: Uuid | undefined;
  readonly limit: number;
}

/** Those that count now, newest first. */
export async function listSuppressions(db: Db, filter: SuppressionFilter, now: Date): Promise<readonly Suppression[]> {
  const { accountId, mode, phone, beforeId, limit } = filter;
  const { rows } = await db.query<SuppressionRow>(
    `select id, phone, source, reason, created_at, expires_at from suppressions
      where account_id = $1 and mode = $2 and ($3::text is null or phone = $3) and ($4::uuid is null or id < $4)
        and (expires_at is null or expires_at > $5)
      order by id desc limit $6`,
    [accountId, mode, phone ?? null, beforeId ?? null, now, limit],
  );
  return rows.map(suppressionFrom);
}

/** The account's own word. A repeat changes the reason alone. */
export async function suppress(
  db: Db,
  { accountId, mode, phone }: { accountId: Uuid; mode: Mode; phone: Msisdn },
  reason: string,
  at: Date,
): Promise<Suppression> {
  const { rows } = await db.query<SuppressionRow>(
    `insert into suppressions (account_id, mode, phone, source, id, reason, created_at)
     values ($1, $2, $3, 'account', $4, $5, $6)
     on conflict (account_id, mode, phone, source) do update set reason = excluded.reason
     returning id, phone, source, reason, created_at, expires_at`,
    [accountId, mode, phone, newUuid(), reason, at],
  );
  return suppressionFrom(rows[0]!);
}

export interface Unsuppressing {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly phone: Msisdn;
  readonly actor: Actor;
  /** Whether the recipient's own STOP may be taken back too. */
  readonly mayOverrule: boolean;
}

/** The recipient's own word, by whatever channel it came. */
export async function heedRecipient(
  db: Db,
  { accountId, mode, phone }: Recipient,
  word: "stop" | "start",
  at: Date,
): Promise<void> {
  await db.query(
    word === "stop"
      ? `insert into suppressions (account_id, mode, phone, source, id, reason, created_at)
         values ($1, $2, $3, 'recipient', uuidv7_now(), 'stop', $4)
         on conflict (account_id, mode, phone, source) do nothing`
      : `delete from suppressions
          where account_id = $1 and mode = $2 and phone = $3 and source = 'recipient' and created_at <= $4`,
    [accountId, mode, phone, at],
  );
}

/** Takes a number off the list, and says so in the audit log. `overruled`: the recipient had said STOP, so nothing was done. */
export function unsuppress(
  db: Database,
  { accountId, mode, phone, actor, mayOverrule }: Unsuppressing,
  now: Date,
): Promise<"done" | "absent" | "overruled"> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<{ source: SuppressionSource; counts: boolean }>(
      `select source, expires_at is null or expires_at > $4 as counts from suppressions
        where account_id = $1 and mode = $2 and phone = $3 for update`,
      [accountId, mode, phone, now],
    );
    const sources = rows.filter(({ counts }) => counts).map(({ source }) => source);
    if (sources.length === 0) return "absent";
    if (sources.includes("recipient") && !mayOverrule) return "overruled";
    await tx.query("delete from suppressions where account_id = $1 and mode = $2 and phone = $3", [
      accountId,
      mode,
      phone,
    ]);
    await audit(tx, {
      actor,
      action: "suppression.remove",
      subject: encodeId("acc", accountId),
      details: { mode, phone, sources },
    });
    return "done";
  });
}
