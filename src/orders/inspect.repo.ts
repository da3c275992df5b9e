import { byIndex } from "../db/by-index.ts";
import type { Database, Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Order } from "./order.ts";
import { type OrderRow, orderFrom } from "./orders.repo.ts";

/** Operators' queries over the orders of all accounts. No request uses them. */

export interface InspectedOrder {
  readonly order: Order;
  /** When it will next be looked at, soon or far ahead; null: nothing to do, or a report is waited for. */
  readonly dueAt: Date | null;
  /** The request that made it; null when it is older than that was kept, or follows another order. */
  readonly requestId: Uuid | null;
}

/** The id's own time says in which partition to look; there the primary key is searched account by account. */
export async function findOrderOfAnyAccount(db: Db, id: Uuid): Promise<InspectedOrder | undefined> {
  const { rows } = await db.query<OrderRow & { next_at: Date | null; request_id: Uuid | null }>(
    "select *, least(due_at, later_at) as next_at from orders where id = $1",
    [id],
  );
  return rows[0] && { order: orderFrom(rows[0]), dueAt: rows[0].next_at, requestId: rows[0].request_id };
}

/** Orders with a time at which they are looked at, soon or later; each part by its index. */
const WITH_A_TIME = `
  select * from orders where due_at is not null and ended_at is null
  union all
  select * from orders where later_at is not null and due_at is null and ended_at is null`;

const OPEN_MAX = 10_000;

/** Open orders by service, of services other than these; not more than `OPEN_MAX` in all are counted. Reads open orders alone. */
async function countOpenOfOthers(
  db: Database,
  services: readonly string[],
): Promise<readonly { readonly service: string; readonly orders: number }[]> {
  const { rows } = await byIndex(db, (one) =>
    one.query<{ service: string; orders: number }>(
      `select service, count(*)::int as orders
         from (select service from (${WITH_A_TIME}) open where service <> all($1::text[]) limit $2) o
        group by service order by service`,
      [services, OPEN_MAX],
    ),
  );
  return rows;
}

/** What an operator must know of them; undefined: there are none. */
export async function waitingForService(db: Database, services: readonly string[]): Promise<string | undefined> {
  const left = await countOpenOfOthers(db, services);
  if (left.length === 0) return undefined;
  const counted = left.reduce((sum, { orders }) => sum + orders, 0);
  const each = left.map(({ service, orders }) => `${service} (${orders})`).join(", ");
  return `${counted === OPEN_MAX ? "at least " : ""}${counted} open order(s) of services that are not configured: ${each}; they wait: restore the service, or resolve them (./afara orders resolve)`;
}

/** Tells the operator at a start, as the doctor does when asked. No start depends on it. */
export async function warnOfWaiting(db: Database, log: Log, services: readonly string[]): Promise<void> {
  try {
    const waiting = await waitingForService(db, services);
    if (waiting !== undefined) log.warn({}, waiting);
  } catch (error) {
    log.warn(
      { error: (error as Error).message },
      "whether open orders wait for a service that is not configured is not known: ./afara doctor looks again",
    );
  }
}

export interface StuckOrder {
  readonly order: Order;
  /**
   * `overdue`: long due, and no node took it. `waiting`: nodes look at it and can't hand it out, because no route
   * is up. `forgotten`: its money is undecided and nothing will wake it, now or later.
   */
  readonly why: "overdue" | "waiting" | "forgotten";
  /** When it should have been taken; else its last change. */
  readonly since: Date;
}

/**
 * Orders that a working gateway would have moved by now, longest first. What a dead node left behind is due when its lease
 * runs out, so it shows as overdue. An order that no route takes goes to and fro: a node leases it, or gives it back to be
 * due a second later; one that has only slept until its time (`sleeping`) looks the same for the moment before it is taken.
 * `undecided`: the states whose hold is open; among orders in these the forgotten ones are found, account by account in the index
 * of the lists. `sleeping`: as `service state`.
 */
export async function findStuck(
  db: Database,
  options: {
    readonly overdueSeconds: number;
    readonly undecided: readonly (readonly [service: string, state: string])[];
    readonly sleeping: readonly string[];
    readonly limit: number;
  },
): Promise<readonly StuckOrder[]> {
  const { rows } = await byIndex(db, (one) =>
    one.query<OrderRow & { stuck_why: StuckOrder["why"]; stuck_since: Date }>(
      `select * from (
         select o.*,
                case when least(due_at, later_at) < moment then 'overdue'
                     when greatest(updated_at, send_at) >= moment then null
                     when begun_at is null and service || ' ' || state <> all($4::text[])
                          and (leased_until > clock_timestamp() or due_at < clock_timestamp() + interval '2 seconds') then 'waiting'
                     when due_at is null and later_at is null then 'forgotten' end as stuck_why,
                case when least(due_at, later_at) < moment then least(due_at, later_at) else updated_at end as stuck_since
           from (${WITH_A_TIME}
                 union all
                 select * from orders
                  where mode = any('{live,test}') and service = any($2::text[]) and state = any($3::text[])
                    and (service, state) in (select * from unnest($2::text[], $3::text[])) and due_at is null and later_at is null and ended_at is null) o,
                (select clock_timestamp() - make_interval(secs => $1) as moment) m) stuck
        where stuck_why is not null order by stuck_since limit $5`,
      [
        options.overdueSeconds,
        options.undecided.map(([service]) => service),
        options.undecided.map(([, state]) => state),
        options.sleeping,
        options.limit,
      ],
    ),
  );
  return rows.map((row) => ({ order: orderFrom(row), why: row.stuck_why, since: row.stuck_since }));
}
