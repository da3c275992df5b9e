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
  /**
   * `overdue`: due for long and nobody took it. `held`: a node took it and can't hand it out, because no route is up.
   * `forgotten`: its money is undecided and nothing will wake it.
   */
  readonly why: "overdue" | "held" | "forgotten";
  /** When it should have been taken; else its last change. */
  readonly since: Date;
}

/**
 * Orders that a working gateway would have moved by now, longest first. A lease moves `due_at` to its end and no other
 * time, so what a dead node left behind shows as overdue. `undecided`: the states whose hold is open, as `service state`.
 */
export async function findStuck(
  db: Db,
  options: { readonly overdueSeconds: number; readonly undecided: readonly string[]; readonly limit: number },
): Promise<readonly StuckOrder[]> {
  const { rows } = await db.query<OrderRow & { stuck_why: StuckOrder["why"]; stuck_since: Date }>(
    `select * from (
       select o.*,
              case when due_at < moment then 'overdue'
                   when updated_at >= moment then null
                   when leased_until > clock_timestamp() and begun_at is null then 'held'
                   when due_at is null and service || ' ' || state = any($2::text[]) then 'forgotten' end as stuck_why,
              case when due_at < moment then due_at else updated_at end as stuck_since
         from orders o, (select clock_timestamp() - make_interval(secs => $1) as moment) m
        where ended_at is null) stuck
      where stuck_why is not null order by stuck_since limit $3`,
    [options.overdueSeconds, options.undecided, options.limit],
  );
  return rows.map((row) => ({ order: orderFrom(row), why: row.stuck_why, since: row.stuck_since }));
}
