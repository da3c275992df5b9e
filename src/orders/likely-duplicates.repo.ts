import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";

/** The order that a purchase accepted now would be a likely duplicate of, by the same rule as `accept_orders`. */
export async function findTwin(
  db: Db,
  { accountId, mode }: { readonly accountId: Uuid; readonly mode: Mode },
  twin: string,
  now: Date,
): Promise<Uuid | undefined> {
  const { rows } = await db.query<{ order_id: Uuid }>(
    `select t.order_id from twins t
      where t.account_id = $1 and t.mode = $2 and t.twin = $3 and t.at > $4::timestamptz - interval '60 seconds'
        and not exists (select 1 from orders o where o.account_id = t.account_id and o.id = t.order_id and o.state = 'failed')`,
    [accountId, mode, twin, now],
  );
  return rows[0]?.order_id;
}
