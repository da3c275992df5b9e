import type pg from "pg";
import { type Database, DatabaseUnable, type Db } from "../db/database.ts";
import { madeAt, type Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Order } from "./order.ts";
import { type OrderRow, orderFrom } from "./orders.repo.ts";

/**
 * Orders of all accounts by what a customer or a vendor knows of them. The indexes that requests use begin with the account, so each
 * account is asked by its index in turn; no index is kept for these questions alone but that of customers' phones. Whatever takes too
 * long is given up: the gateway has the same database (ADR 33).
 */

/** What must be true of an order; what is left out is not asked. */
export interface LookUp {
  readonly accountId?: Uuid | undefined;
  readonly mode?: string | undefined;
  readonly service?: string | undefined;
  readonly states?: readonly string[] | undefined;
  /** The column as it is: digits of a phone, a meter, an id of a chat user. */
  readonly recipient?: string | undefined;
  /** The phone in the payload, as digits, of who a purchase for something else (a meter) is told to. */
  readonly customer?: string | undefined;
  readonly requestId?: Uuid | undefined;
  /** Orders, or groups with all their orders. */
  readonly targets?: readonly Target[] | undefined;
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
  readonly limit: number;
}

export interface Target {
  readonly accountId: Uuid;
  readonly id: Uuid;
}

export interface FoundOrder {
  readonly order: Order;
  /** The request that made it; null when it is older than that was kept, or follows another order. */
  readonly requestId: Uuid | null;
}

/** The look-up was given up. */
export class TookTooLong extends Error {}

const WITHIN_MS = 5_000;

/** How far the ids of a request's orders may be from its own: the clock may be set back, a body takes its time, and large ones wait. */
const BEFORE_MS = 10_000;
const AFTER_MS = 150_000;

/** No order is made before 1970 or after year 9999; an id that somebody wrote may say so, and PostgreSQL takes few of such times. */
const TIMES_END_MS = Date.UTC(9999, 11, 31);
const asTime = (ms: number): Date => new Date(Math.min(TIMES_END_MS, Math.max(0, ms)));

/** All that `look` asks, within a time and without a way to change anything. Errors: throws `TookTooLong`. */
async function within<T>(db: Database, ms: number, look: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(async (tx) => {
      await tx.query("set transaction read only");
      await tx.query(`set local statement_timeout = ${ms}`);
      // Few rows of each account, by index, whatever the planner thinks of the tables' sizes; and one core at most.
      for (const setting of ["enable_seqscan", "enable_hashjoin", "enable_mergejoin"])
        await tx.query(`set local ${setting} = off`);
      await tx.query("set local max_parallel_workers_per_gather = 0");
      return look(tx);
    });
  } catch (error) {
    const isOver = error instanceof DatabaseUnable && (error.cause as pg.DatabaseError | undefined)?.code === "57014";
    throw isOver ? new TookTooLong() : error;
  }
}

/** Newest first. Errors: throws `TookTooLong`. */
export const lookUp = (db: Database, wanted: LookUp, withinMs = WITHIN_MS): Promise<readonly FoundOrder[]> =>
  within(db, withinMs, async (tx) => {
    const values: unknown[] = [];
    const value = (one: unknown) => `$${values.push(one)}`;
    const is = (sql: (parameter: string) => string, one: unknown) => (one === undefined ? [] : [sql(value(one))]);
    const made = wanted.requestId && madeAt(wanted.requestId).getTime();
    const conditions = [
      ...is((p) => `o.mode = ${p}`, wanted.mode),
      ...is((p) => `o.service = ${p}`, wanted.service),
      ...is((p) => `o.state = any(${p}::text[])`, wanted.states),
      ...is((p) => `o.recipient = ${p}`, wanted.recipient),
      ...is((p) => `o.payload->>'phone' = ${p}`, wanted.customer),
      ...is((p) => `o.request_id = ${p}`, wanted.requestId),
      ...is((p) => `o.id >= uuidv7_floor(${p})`, made === undefined ? undefined : asTime(made - BEFORE_MS)),
      ...is((p) => `o.id < uuidv7_floor(${p})`, made === undefined ? undefined : asTime(made + AFTER_MS)),
      ...is((p) => `o.id >= uuidv7_floor(${p})`, wanted.from),
      ...is((p) => `o.id < uuidv7_floor(${p})`, wanted.until),
    ];
    const limit = value(wanted.limit);
    const account = is((p) => `o.account_id = ${p}`, wanted.accountId);
    const all = ["true", ...account, ...conditions].join(" and ");
    let found: string;
    if (wanted.targets) {
      const accounts = value(wanted.targets.map(({ accountId }) => accountId));
      const ids = value(wanted.targets.map(({ id }) => id));
      const named = `unnest(${accounts}::uuid[], ${ids}::uuid[]) t(account_id, id) join orders o on o.account_id = t.account_id`;
      found = `select o.* from ${named} and o.id = t.id where ${all}
               union all select o.* from ${named} and o.group_id = t.id where ${all}`;
    } else if (account.length > 0 || wanted.customer !== undefined) found = `select o.* from orders o where ${all}`;
    else
      found = `select o.* from accounts a cross join lateral
               (select o.* from orders o where o.account_id = a.id and ${all} order by o.id desc limit ${limit}) o`;
    const { rows } = await tx.query<OrderRow & { request_id: Uuid | null }>(
      `select o.* from (${found}) o order by o.id desc limit ${limit}`,
      values,
    );
    return rows.map((row) => ({ order: orderFrom(row), requestId: row.request_id }));
  });

/** What subscribers' own names lead to: their references and idempotency keys. */
export const findNamed = (
  db: Database,
  name: string,
  kinds: readonly ("key" | "reference")[],
): Promise<readonly Target[]> =>
  within(db, WITHIN_MS, async (tx) => {
    const { rows } = await tx.query<{ account_id: Uuid; target_id: Uuid }>(
      `select k.account_id, k.target_id
         from accounts a cross join (values ('live'), ('test')) m(mode) cross join unnest($2::text[]) w(kind)
        cross join lateral (select * from order_keys k
                             where k.account_id = a.id and k.mode = m.mode and k.kind = w.kind and k.key = $1) k`,
      [name, kinds],
    );
    return rows.map(targetFrom);
  });

/** What vendors' names lead to: their own references and those that we gave them. `forms`: how it may be stored. */
export const findAtVendors = (db: Database, forms: readonly string[]): Promise<readonly Target[]> =>
  within(db, WITHIN_MS, async (tx) => {
    const { rows } = await tx.query<{ account_id: Uuid; target_id: Uuid }>(
      `with recursive
       told as ((select route from provider_references order by route limit 1) union all
                select (select p.route from provider_references p where p.route > t.route order by p.route limit 1)
                  from told t where t.route is not null),
       asked as ((select route from attempts order by route limit 1) union all
                 select (select p.route from attempts p where p.route > t.route order by p.route limit 1)
                   from asked t where t.route is not null),
       found as (select p.* from told t join provider_references p on p.route = t.route and p.reference = any($1::text[]))
       select account_id, order_id as target_id from found where order_id is not null
       union
       select e.account_id, e.order_id from found f cross join jsonb_to_recordset(f.earlier) e(account_id uuid, order_id uuid)
       union
       select p.account_id, p.order_id from asked t join attempts p on p.route = t.route and p.reference = any($1::text[])`,
      [forms],
    );
    return rows.map(targetFrom);
  });

/** The order that a movement of money is of. */
export const findOfTransfer = (db: Database, id: Uuid): Promise<readonly Target[]> =>
  within(db, WITHIN_MS, async (tx) => {
    const { rows } = await tx.query<{ account_id: Uuid; target_id: Uuid }>(
      `select t.account_id, coalesce(t.order_id, t.id) as target_id
         from accounts a cross join lateral (select * from transfers t where t.account_id = a.id and t.id = $1) t`,
      [id],
    );
    return rows.map(targetFrom);
  });

/** A movement of money that is of no order, or a top-up that is not paid. */
export interface LineWithoutOrder {
  readonly accountId: Uuid;
  readonly mode: string;
  readonly kind: string;
  readonly state: string;
  readonly amountKobo: Kobo;
  readonly reason: string | null;
  readonly paymentReference: string | null;
  readonly createdAt: Date;
}

/** A transfer without an order, or a top-up, by the id that both have. */
export const findLineOrTopup = (db: Database, id: Uuid): Promise<LineWithoutOrder | undefined> =>
  within(db, WITHIN_MS, async (tx) => {
    const { rows } = await tx.query<LineWithoutOrder>(
      `select a.id as "accountId", coalesce(t.mode, u.mode) as mode, case when u.id is null then t.kind else 'topup' end as kind,
              coalesce(u.state, t.state) as state, coalesce(t.amount_kobo, u.paid_kobo, u.requested_kobo, 0) as "amountKobo",
              t.reason, p.reference as "paymentReference", coalesce(t.created_at, u.created_at) as "createdAt"
         from accounts a
         left join lateral (select * from transfers t where t.account_id = a.id and t.id = $1 and t.order_id is null) t on true
         left join lateral (select * from topups u where u.account_id = a.id and u.id = $1) u on true
         left join lateral (select * from funding_payments p where p.account_id = a.id and p.topup_id = $1) p on true
        where t.id is not null or u.id is not null`,
      [id],
    );
    return rows[0];
  });

/** A bulk, whoever's it is. */
export const findGroupOfAnyAccount = (db: Database, id: Uuid): Promise<readonly Target[]> =>
  within(db, WITHIN_MS, async (tx) => {
    const { rows } = await tx.query<{ account_id: Uuid; target_id: Uuid }>(
      `select g.account_id, g.id as target_id
         from accounts a cross join lateral (select * from order_groups g where g.account_id = a.id and g.id = $1) g`,
      [id],
    );
    return rows.map(targetFrom);
  });

const targetFrom = (row: { readonly account_id: Uuid; readonly target_id: Uuid }): Target => ({
  accountId: row.account_id,
  id: row.target_id,
});
