import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { OrderKey } from "./accept.repo.ts";

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
  keys: readonly OrderKey[],
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
