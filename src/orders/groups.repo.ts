import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
import { IS_NEW } from "./attempt.repo.ts";
import type { Order } from "./order.ts";
import { type OrderRow, orderFrom } from "./orders.repo.ts";

/** Orders accepted together. `payload` is the service's own memory of the request. */
export interface OrderGroup {
  readonly accountId: Uuid;
  readonly id: Uuid;
  readonly mode: string;
  readonly total: number;
  readonly open: number;
  readonly payload: unknown;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

export async function findGroup(db: Db, accountId: Uuid, id: Uuid): Promise<OrderGroup | undefined> {
  return (await findGroups(db, accountId, [id])).get(id);
}

export async function findGroups(
  db: Db,
  accountId: Uuid,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, OrderGroup>> {
  const { rows } = await db.query<{
    account_id: Uuid;
    id: Uuid;
    mode: string;
    total: number;
    open: number;
    payload: unknown;
    created_at: Date;
    ended_at: Date | null;
  }>(
    "select account_id, id, mode, total, open, payload, created_at, ended_at from order_groups where account_id = $1 and id = any($2::uuid[])",
    [accountId, ids],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        accountId: row.account_id,
        id: row.id,
        mode: row.mode,
        total: row.total,
        open: row.open,
        payload: row.payload,
        createdAt: row.created_at,
        endedAt: row.ended_at,
      },
    ]),
  );
}

export interface GroupSummary {
  readonly counts: Readonly<Record<string, number>>;
  readonly priceKobo: Kobo;
  /** The sum of the VAT of each order, as their own prices show it. */
  readonly taxKobo: Kobo;
  readonly heldKobo: Kobo;
  readonly chargedKobo: Kobo;
  readonly returnedKobo: Kobo;
}

/** Counts by state and what became of the money, from the orders and their transfers themselves, by group. */
export async function summariseGroups(
  db: Db,
  accountId: Uuid,
  groupIds: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, GroupSummary>> {
  const { rows } = await db.query<SummaryRow>(
    `select o.group_id, o.state, count(*) as orders, sum(o.price_kobo)::bigint as price, sum(o.tax_kobo)::bigint as tax,
            coalesce(sum(t.amount_kobo) filter (where t.state = 'pending'), 0)::bigint as held,
            coalesce(sum(t.posted_kobo) filter (where t.state = 'posted'), 0)::bigint as charged,
            coalesce(sum(t.amount_kobo - coalesce(t.posted_kobo, 0)) filter (where t.state <> 'pending'), 0)::bigint as returned
       from orders o left join transfers t on t.account_id = o.account_id and t.id = o.id
      where o.account_id = $1 and o.group_id = any($2::uuid[]) group by o.group_id, o.state`,
    [accountId, groupIds],
  );
  const byGroup = Map.groupBy(rows, (row) => row.group_id);
  return new Map(groupIds.map((id) => [id, summaryOf(byGroup.get(id) ?? [])]));
}

interface SummaryRow {
  group_id: Uuid;
  state: string;
  orders: bigint;
  price: bigint;
  tax: bigint;
  held: bigint;
  charged: bigint;
  returned: bigint;
}

function summaryOf(rows: readonly SummaryRow[]): GroupSummary {
  const sum = (pick: (row: SummaryRow) => bigint) => kobo(rows.reduce((total, row) => total + pick(row), 0n));
  return {
    counts: Object.fromEntries(rows.map((row) => [row.state, Number(row.orders)])),
    priceKobo: sum((row) => row.price),
    taxKobo: sum((row) => row.tax),
    heldKobo: sum((row) => row.held),
    chargedKobo: sum((row) => row.charged),
    returnedKobo: sum((row) => row.returned),
  };
}

/** A group's orders that no node holds and that have not left: what a cancel may still reach. */
export async function findCancellable(
  db: Db,
  accountId: Uuid,
  groupId: Uuid,
  limit: number,
): Promise<readonly Order[]> {
  const { rows } = await db.query<OrderRow>(
    `select * from orders where account_id = $1 and group_id = $2 and (due_at is not null or later_at is not null)
        and ${IS_NEW} and (leased_until is null or leased_until < clock_timestamp())
      order by id limit $3`,
    [accountId, groupId, limit],
  );
  return rows.map(orderFrom);
}

/** All orders of a group, in the order of their acceptance. A group is bounded by what one request may hold. */
export async function listGroup(db: Db, accountId: Uuid, groupId: Uuid): Promise<readonly Order[]> {
  const { rows } = await db.query<OrderRow>(
    "select * from orders where account_id = $1 and group_id = $2 order by id",
    [accountId, groupId],
  );
  return rows.map(orderFrom);
}
