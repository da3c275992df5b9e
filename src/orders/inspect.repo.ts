import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Order } from "./order.ts";
import { type OrderRow, orderFrom } from "./orders.repo.ts";

/** What an operator asks of the orders of all accounts. None of it is on the way of a request. */

/** The id's own time says in which partition to look; there the primary key is searched account by account. */
export async function findOrderOfAnyAccount(db: Db, id: Uuid): Promise<Order | undefined> {
  const { rows } = await db.query<OrderRow>("select * from orders where id = $1", [id]);
  return rows[0] && orderFrom(rows[0]);
}

export interface StuckOrder {
  readonly order: Order;
  /** `overdue`: due for long and nobody took it. `forgotten`: its money is undecided and nothing will wake it. */
  readonly why: "overdue" | "forgotten";
  /** When it should have been taken; of a forgotten one, its last change. */
  readonly since: Date;
}

/**
 * Orders that a working gateway would have moved by now, longest first. A leased order is due when its lease runs out, so
 * what a dead node left behind shows as overdue too. `undecided`: the states whose hold is open, as `service state`.
 */
export async function findStuck(
  db: Db,
  options: { readonly overdueSeconds: number; readonly undecided: readonly string[]; readonly limit: number },
): Promise<readonly StuckOrder[]> {
  const { rows } = await db.query<OrderRow & { stuck_why: StuckOrder["why"]; stuck_since: Date }>(
    `select o.*, case when due_at is null then 'forgotten' else 'overdue' end as stuck_why,
            coalesce(due_at, updated_at) as stuck_since
       from orders o
      where ended_at is null
        and (due_at < clock_timestamp() - make_interval(secs => $1)
          or (due_at is null and service || ' ' || state = any($2::text[])
              and updated_at < clock_timestamp() - make_interval(secs => $1)))
      order by stuck_since limit $3`,
    [options.overdueSeconds, options.undecided, options.limit],
  );
  return rows.map((row) => ({ order: orderFrom(row), why: row.stuck_why, since: row.stuck_since }));
}
