import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { OrderKey } from "./accept.repo.ts";

/** How long an idempotency key is kept after the end of what it made; not before that end, however long it takes. */
export const KEY_KEPT_HOURS = { messages: 72, purchases: 90 * 24 } as const;

export interface SpentKey {
  readonly kind: OrderKey["kind"];
  /** An order or a group. */
  readonly targetId: Uuid;
  /** Of the request that spent it. */
  readonly fingerprint: Buffer;
}

/** Those of the keys that are spent, the idempotency key first. */
export async function findSpentKeys(
  db: Db,
  accountId: Uuid,
  mode: Mode,
  keys: readonly Pick<OrderKey, "kind" | "key">[],
): Promise<readonly SpentKey[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<{ kind: OrderKey["kind"]; target_id: Uuid; fingerprint: Buffer }>(
    `select o.kind, o.target_id, o.fingerprint from unnest($3::text[], $4::text[]) k(kind, key)
       join order_keys o on o.account_id = $1 and o.mode = $2 and o.kind = k.kind and o.key = k.key
      order by o.kind`,
    [accountId, mode, keys.map((key) => key.kind), keys.map((key) => key.key)],
  );
  return rows.map(({ kind, target_id, fingerprint }) => ({ kind, targetId: target_id, fingerprint }));
}

/** Frees a key that is over, unless somebody else has taken it meanwhile. */
export async function forgetKey(db: Db, accountId: Uuid, mode: Mode, key: string, targetId: Uuid): Promise<void> {
  await db.query(
    "delete from order_keys where account_id = $1 and mode = $2 and kind = 'key' and key = $3 and target_id = $4",
    [accountId, mode, key, targetId],
  );
}

/**
 * Deletes the keys that are over among the `limit` whose review is longest due, and sets when each of the others is looked at
 * again: no earlier than it can be over. Returns how many it looked at. Purchases are the orders that are asked about
 * (`requery`); a key that names neither an order nor a group is a top-up's, which waits three days at most.
 */
export async function reviewKeys(db: Db, limit: number): Promise<number> {
  const { rows } = await db.query<{ reviewed: bigint }>(
    `with due as (
       select account_id, mode, kind, key, target_id, created_at from order_keys
        where kind = 'key' and review_at <= now() order by review_at limit $1 for update skip locked),
     judged as materialized (
       select d.*, coalesce(
         (select coalesce(o.ended_at, now()) + make_interval(hours => case o.ambiguity when 'requery' then $2::int else $3::int end)
            from orders o where o.account_id = d.account_id and o.id = d.target_id),
         (select coalesce(g.ended_at, now()) + make_interval(hours => $3::int)
            from order_groups g where g.account_id = d.account_id and g.id = d.target_id),
         d.created_at + interval '3 days' + make_interval(hours => $2::int)) as keep_until
         from due d),
     over as (
       delete from order_keys k using judged j
        where k.account_id = j.account_id and k.mode = j.mode and k.kind = j.kind and k.key = j.key and j.keep_until <= now()),
     kept as (
       update order_keys k set review_at = j.keep_until from judged j
        where k.account_id = j.account_id and k.mode = j.mode and k.kind = j.kind and k.key = j.key and j.keep_until > now())
     select count(*) as reviewed from judged`,
    [limit, KEY_KEPT_HOURS.purchases, KEY_KEPT_HOURS.messages],
  );
  return Number(rows[0]!.reviewed);
}

/** Whether any of these names an order or a group already. */
export const areSpent = async (
  db: Db,
  accountId: Uuid,
  mode: Mode,
  keys: readonly Pick<OrderKey, "kind" | "key">[],
): Promise<boolean> => (await findSpentKeys(db, accountId, mode, keys)).length > 0;
