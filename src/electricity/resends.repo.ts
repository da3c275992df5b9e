import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";

/** Counts one more on this day in Lagos; false when there have been `max`. Two at once can't both have the last one. */
export async function countResend(
  db: Db,
  { accountId, orderId, day, max }: { accountId: Uuid; orderId: Uuid; day: string; max: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into token_resends (account_id, order_id, day, sent) values ($1, $2, $3, 1)
     on conflict (account_id, order_id, day) do update set sent = token_resends.sent + 1 where token_resends.sent < $4`,
    [accountId, orderId, day, max],
  );
  return rowCount === 1;
}

/** It was not sent after all. */
export async function uncountResend(
  db: Db,
  { accountId, orderId, day }: { accountId: Uuid; orderId: Uuid; day: string },
): Promise<void> {
  await db.query(
    `update token_resends set sent = sent - 1 where account_id = $1 and order_id = $2 and day = $3 and sent > 0`,
    [accountId, orderId, day],
  );
}

export async function forgetResends(db: Db, today: string): Promise<void> {
  await db.query("delete from token_resends where day < $1::date - 7", [today]);
}
