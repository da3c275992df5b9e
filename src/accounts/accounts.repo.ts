import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";

export async function insertAccount(db: Db, account: { id: Uuid; name: string }): Promise<void> {
  await db.query("insert into accounts (id, name) values ($1, $2) on conflict do nothing", [account.id, account.name]);
}

export async function suspendedAccounts(db: Db, ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
  const { rows } = await db.query<{ id: Uuid }>(
    {
      name: "suspended_accounts",
      text: "select id from accounts where id = any($1::uuid[]) and suspended_at is not null",
    },
    [ids],
  );
  return new Set(rows.map((row) => row.id));
}

export interface NewKey {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly hash: Buffer;
  readonly start: string;
  readonly last4: string;
  readonly scopes: readonly string[];
}

/** False when the very same key is stored already. */
export async function insertKey(db: Db, key: NewKey): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into api_keys (id, account_id, mode, hash, start, last4, scopes) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (hash) do nothing`,
    [key.id, key.accountId, key.mode, key.hash, key.start, key.last4, key.scopes],
  );
  return (rowCount ?? 0) > 0;
}

export interface KeyRow {
  id: Uuid;
  account_id: Uuid;
  suspended: boolean;
  mode: Mode;
  services: string[] | null;
  scopes: string[];
  cidrs: string[] | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  subscriptions: Record<string, { plan: string }>;
}

/** Keys by the HMAC of their text (in hex), with everything that decides what they may do, in one query. */
export async function findKeys(db: Db, hashes: readonly Buffer[]): Promise<ReadonlyMap<string, KeyRow>> {
  const { rows } = await db.query<KeyRow & { hash: Buffer }>(
    {
      name: "find_keys",
      text: `select k.hash, k.id, k.account_id, a.suspended_at is not null as suspended, k.mode, k.services, k.scopes, k.cidrs,
                    k.expires_at, k.revoked_at,
                    coalesce((select jsonb_object_agg(s.service, jsonb_build_object('plan', s.plan))
                                from subscriptions s where s.account_id = k.account_id), '{}') as subscriptions
               from api_keys k join accounts a on a.id = k.account_id where k.hash = any($1::bytea[])`,
    },
    [hashes],
  );
  return new Map(rows.map((row) => [row.hash.toString("hex"), row]));
}

export async function subscribe(db: Db, accountId: Uuid, service: string, plan: string): Promise<void> {
  await db.query(
    `insert into subscriptions (account_id, service, plan) values ($1, $2, $3)
     on conflict (account_id, service) do update set plan = excluded.plan, since = now() where subscriptions.plan <> excluded.plan`,
    [accountId, service, plan],
  );
}

/** Orders that count against the monthly quotas so far, by service. `month` is Lagos's, e.g. `2026-11`. */
export async function readUsage(
  db: Db,
  accountId: Uuid,
  mode: Mode,
  month: string,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ service: string; used: bigint }>(
    "select service, used from usage_counters where account_id = $1 and mode = $2 and period = $3",
    [accountId, mode, month],
  );
  return new Map(rows.map((row) => [row.service, Number(row.used)]));
}

/** Handsets that write to this number write to the account. The first account to have it keeps it. */
export async function assignInboundNumber(db: Db, accountId: Uuid, number: string, mode: Mode): Promise<void> {
  await db.query("insert into inbound_numbers (number, mode, account_id) values ($1, $2, $3) on conflict do nothing", [
    number,
    mode,
    accountId,
  ]);
}

export async function inboundNumberOf(db: Db, accountId: Uuid, mode: Mode): Promise<string | undefined> {
  const { rows } = await db.query<{ number: string }>(
    "select number from inbound_numbers where account_id = $1 and mode = $2 order by number limit 1",
    [accountId, mode],
  );
  return rows[0]?.number;
}
