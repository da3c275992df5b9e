import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Instructions, Topup, TopupMethod, TopupState } from "./topup.ts";

interface TopupRow {
  account_id: Uuid;
  id: Uuid;
  mode: Mode;
  method: TopupMethod;
  state: TopupState;
  requested_kobo: bigint | null;
  paid_kobo: bigint | null;
  instructions: Instructions;
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
}

const topupOf = (row: TopupRow): Topup => ({
  accountId: row.account_id,
  id: row.id,
  mode: row.mode,
  method: row.method,
  state: row.state,
  requestedKobo: row.requested_kobo === null ? null : kobo(row.requested_kobo),
  paidKobo: row.paid_kobo === null ? null : kobo(row.paid_kobo),
  instructions: row.instructions,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  completedAt: row.completed_at,
});

export async function insertTopup(db: Db, topup: Topup): Promise<void> {
  await db.query(
    `insert into topups (account_id, id, mode, method, state, requested_kobo, instructions, expires_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [
      topup.accountId,
      topup.id,
      topup.mode,
      topup.method,
      topup.state,
      topup.requestedKobo,
      JSON.stringify(topup.instructions),
      topup.expiresAt,
      topup.createdAt,
    ],
  );
}

/** Top-ups of an account, by id. */
export async function findTopups(db: Db, accountId: Uuid, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, Topup>> {
  const { rows } = await db.query<TopupRow>("select * from topups where account_id = $1 and id = any($2::uuid[])", [
    accountId,
    ids,
  ]);
  return new Map(rows.map((row) => [row.id, topupOf(row)]));
}

export async function findTopup(db: Db, accountId: Uuid, mode: Mode, id: Uuid): Promise<Topup | undefined> {
  const { rows } = await db.query<TopupRow>("select * from topups where account_id = $1 and mode = $2 and id = $3", [
    accountId,
    mode,
    id,
  ]);
  return rows[0] && topupOf(rows[0]);
}

export interface TopupList {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly limit: number;
  readonly state?: TopupState;
  readonly beforeId?: Uuid;
}

/** Newest first. */
export async function listTopups(db: Db, list: TopupList): Promise<readonly Topup[]> {
  const { rows } = await db.query<TopupRow>(
    `select * from topups where account_id = $1 and mode = $2 and ($3::text is null or state = $3)
        and ($4::uuid is null or id < $4) order by id desc limit $5`,
    [list.accountId, list.mode, list.state ?? null, list.beforeId ?? null, list.limit],
  );
  return rows.map(topupOf);
}

export async function lockTopup(db: Db, accountId: Uuid, id: Uuid): Promise<Topup | undefined> {
  const { rows } = await db.query<TopupRow>("select * from topups where account_id = $1 and id = $2 for update", [
    accountId,
    id,
  ]);
  return rows[0] && topupOf(rows[0]);
}

/** The announced transfer that best matches a payment: of exactly this amount, else the oldest. Locks it. */
export async function lockAnnounced(db: Db, accountId: Uuid, mode: Mode, paid: Kobo): Promise<Topup | undefined> {
  const { rows } = await db.query<TopupRow>(
    `select * from topups where account_id = $1 and mode = $2 and state = 'pending' and method = 'bank_transfer'
      order by (requested_kobo = $3) desc, created_at, id limit 1 for update`,
    [accountId, mode, paid],
  );
  return rows[0] && topupOf(rows[0]);
}

export async function completeTopup(db: Db, topup: Topup, paid: Kobo, at: Date): Promise<void> {
  await db.query(
    `update topups set state = 'successful', paid_kobo = $3, completed_at = $4, updated_at = $4
      where account_id = $1 and id = $2`,
    [topup.accountId, topup.id, paid, at],
  );
}

export async function expireTopup(db: Db, accountId: Uuid, id: Uuid, at: Date): Promise<void> {
  await db.query(
    "update topups set state = 'expired', updated_at = $3 where account_id = $1 and id = $2 and state = 'pending'",
    [accountId, id, at],
  );
}

/** Expired announced transfers. The provider is not queried, as it reports transfers by itself. */
export async function expireAnnounced(db: Db, now: Date): Promise<void> {
  await db.query(
    `update topups set state = 'expired', updated_at = $1
      where state = 'pending' and method = 'bank_transfer' and expires_at <= $1`,
    [now],
  );
}

/** The feed's event: one per top-up. */
export async function insertToppedUp(
  db: Db,
  topup: Topup,
  event: { id: Uuid; at: Date; detail: object },
): Promise<void> {
  await db.query(
    `insert into events (account_id, order_id, version, mode, id, type, sequence, status, previous_status, at, detail)
     values ($1, $2, 1, $3, $4, 'wallet.topped_up', 1, 'successful', $5, $6, $7)`,
    [topup.accountId, topup.id, topup.mode, event.id, topup.state, event.at, JSON.stringify(event.detail)],
  );
}

export type ClaimedKey =
  | { readonly kind: "claimed" }
  | { readonly kind: "spent"; readonly targetId: Uuid; readonly fingerprint: Buffer };

export interface KeyClaim {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** Waits for a concurrent claim of the same key. */
export async function claimKey(db: Db, claim: KeyClaim, targetId: Uuid): Promise<ClaimedKey> {
  const { rowCount } = await db.query(
    `insert into order_keys (account_id, mode, kind, key, target_id, fingerprint) values ($1, $2, 'key', $3, $4, $5)
     on conflict do nothing`,
    [claim.accountId, claim.mode, claim.key, targetId, claim.fingerprint],
  );
  if ((rowCount ?? 0) > 0) return { kind: "claimed" };
  // Gone: its claimant was refused and released it.
  return (await findKey(db, claim)) ?? claimKey(db, claim, targetId);
}

export async function findKey(
  db: Db,
  { accountId, mode, key }: KeyClaim,
): Promise<Extract<ClaimedKey, { kind: "spent" }> | undefined> {
  const { rows } = await db.query<{ target_id: Uuid; fingerprint: Buffer }>(
    "select target_id, fingerprint from order_keys where account_id = $1 and mode = $2 and kind = 'key' and key = $3",
    [accountId, mode, key],
  );
  return rows[0] && { kind: "spent", targetId: rows[0].target_id, fingerprint: rows[0].fingerprint };
}

export async function accountName(db: Db, accountId: Uuid): Promise<string> {
  const { rows } = await db.query<{ name: string }>("select name from accounts where id = $1", [accountId]);
  return rows[0]?.name ?? "";
}
