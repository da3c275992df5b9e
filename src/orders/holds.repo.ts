import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { HoldState } from "./steps.ts";

/** What became of the holds of these orders of one account. An order that costs nothing has none. */
export async function findHolds(db: Db, accountId: Uuid, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, HoldState>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ id: Uuid; state: HoldState }>(
    {
      name: "find_holds",
      text: "select id, state from transfers where account_id = $1 and id = any($2::uuid[]) and kind = 'hold'",
    },
    [accountId, ids],
  );
  return new Map(rows.map((row) => [row.id, row.state]));
}
