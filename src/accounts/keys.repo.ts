import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";

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
  rolled_at: Date | null;
  rolled_until: Date | null;
  spend_cap_kobo: bigint | null;
  default_sender: string | null;
  subscriptions: Record<string, { plan: string }>;
}

/** Keys by the HMAC of their text (in hex), with everything that decides what they may do, in one query. */
export async function findKeys(db: Db, hashes: readonly Buffer[]): Promise<ReadonlyMap<string, KeyRow>> {
  const { rows } = await db.query<KeyRow & { hash: Buffer }>(
    {
      name: "find_keys",
      text: `select k.hash, k.id, k.account_id, a.suspended_at is not null as suspended, k.mode, k.services, k.scopes, k.cidrs,
                    k.expires_at, k.revoked_at, k.rolled_at, k.rolled_until, k.spend_cap_kobo, a.default_sender,
                    coalesce((select jsonb_object_agg(s.service, jsonb_build_object('plan', s.plan))
                                from subscriptions s where s.account_id = k.account_id), '{}') as subscriptions
               from api_keys k join accounts a on a.id = k.account_id where k.hash = any($1::bytea[])`,
    },
    [hashes],
  );
  return new Map(rows.map((row) => [row.hash.toString("hex"), row]));
}
