import { byIndex } from "../db/by-index.ts";
import type { Database, Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Order } from "../orders/order.ts";
import { type OrderRow, orderFrom } from "../orders/orders.repo.ts";
import { CASE_KINDS, type Case, type CaseKind, type Evidence, OPEN_WITH_ORDER } from "./case.ts";

export interface NewCase {
  readonly kind: CaseKind;
  readonly order?: Pick<Order, "accountId" | "id"> | undefined;
  /** The finding, if the order does not identify it: a stable text per finding. */
  readonly finding?: string;
  readonly evidence: Evidence;
  readonly at: Date;
}

/** The new case's ID; undefined if the case exists, open or closed. */
export async function openCase(db: Db, { kind, order, finding, evidence, at }: NewCase): Promise<Uuid | undefined> {
  const { rows } = await db.query<{ id: Uuid }>(
    `insert into cases (account_id, order_id, kind, finding, evidence, opened_at) values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing returning id`,
    [order?.accountId ?? null, order?.id ?? null, kind, finding ?? null, JSON.stringify(evidence), at],
  );
  return rows[0]?.id;
}

interface CaseRow {
  id: Uuid;
  kind: CaseKind;
  account_id: Uuid | null;
  order_id: Uuid | null;
  evidence: Evidence;
  opened_at: Date;
  closed_at: Date | null;
  resolution: string | null;
}

const caseFrom = (row: CaseRow): Case => ({
  id: row.id,
  kind: row.kind,
  accountId: row.account_id,
  orderId: row.order_id,
  evidence: row.evidence,
  openedAt: row.opened_at,
  closedAt: row.closed_at,
  resolution: row.resolution,
});

/** Open cases, oldest first; with `closed`, all cases, newest first. */
export async function listCases(
  db: Db,
  { closed, limit }: { readonly closed: boolean; readonly limit: number },
): Promise<readonly Case[]> {
  const { rows } = await db.query<CaseRow>(
    closed
      ? "select * from cases order by opened_at desc, id desc limit $1"
      : "select * from cases where closed_at is null order by opened_at, id limit $1",
    [limit],
  );
  return rows.map(caseFrom);
}

/** How many are open, by kind. */
export async function countOpen(db: Db): Promise<readonly { readonly kind: CaseKind; readonly cases: number }[]> {
  const { rows } = await db.query<{ kind: CaseKind; cases: number }>({
    name: "open_cases",
    text: `select kind, count(*)::int as cases
             from (select kind from cases where closed_at is null order by opened_at limit 10000) open group by kind`,
  });
  return rows;
}

export async function findCase(db: Db, id: Uuid): Promise<Case | undefined> {
  const { rows } = await db.query<CaseRow>("select * from cases where id = $1", [id]);
  return rows[0] && caseFrom(rows[0]);
}

/** The cases of one order: all open ones, and the closed one of each kind, oldest first. */
export async function casesOfOrder(db: Db, orderId: Uuid): Promise<readonly Case[]> {
  const { rows } = await db.query<CaseRow>(
    `select * from cases
      where (order_id = $1 and closed_at is null)
         or (kind = any($2::text[]) and coalesce(finding, order_id::text) = $1::text)
      order by opened_at, id`,
    [orderId, Object.keys(CASE_KINDS)],
  );
  return rows.map(caseFrom);
}

/** Earlier findings by their text. */
export async function findFindings(db: Db, findings: readonly string[]): Promise<ReadonlyMap<string, Case>> {
  const { rows } = await db.query<CaseRow & { finding: string }>(
    "select * from cases where kind = 'reconciliation' and finding = any($1::text[])",
    [findings],
  );
  return new Map(rows.map((row) => [row.finding, caseFrom(row)]));
}

/** False: already closed. */
export async function closeCase(db: Db, id: Uuid, resolution: string, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    "update cases set closed_at = $3, resolution = $2 where id = $1 and closed_at is null",
    [id, resolution, at],
  );
  return rowCount === 1;
}

/** Closes the cases that an order's end settles. Returns their IDs. */
export async function closeUnknown(db: Db, orderId: Uuid, resolution: string, at: Date): Promise<readonly Uuid[]> {
  const { rows } = await db.query<{ id: Uuid }>(
    `update cases set closed_at = $3, resolution = $2
      where order_id = $1 and kind = any($4::text[]) and closed_at is null returning id`,
    [orderId, resolution, at, OPEN_WITH_ORDER],
  );
  return rows.map(({ id }) => id);
}

/**
 * Closes cases that have settled themselves: an outcome now known, a loss that the vendor reversed. Returns their number.
 */
export async function closeSettled(db: Db, at: Date): Promise<number> {
  const { rowCount } = await db.query(
    {
      name: "close_settled_cases",
      text: `update cases c
                set closed_at = $1,
                    resolution = case when c.kind = any($2::text[]) then 'the vendor''s answer came: it has ended as ' || o.state
                                      else 'the vendor took it back; the loss is undone' end
               from orders o
              where c.closed_at is null and o.account_id = c.account_id and o.id = c.order_id
                and (c.kind = any($2::text[]) and o.ended_at is not null
                  or c.kind = 'late_success' and exists (
                    select 1 from transfers t where t.account_id = o.account_id and t.order_id = o.id and t.kind = 'loss_undone'))`,
    },
    [at, OPEN_WITH_ORDER],
  );
  return rowCount ?? 0;
}

/** All that is due in these queues ($1), soon or later, each part by its index. */
const OPEN_IN_QUEUES = `
  select * from orders where queue = any($1::text[]) and due_at is not null
  union all
  select * from orders where queue = any($1::text[]) and later_at is not null and due_at is null`;

/**
 * Orders that are asked after since before these moments, and have no case. Undecided ones are always due, soon or later, so
 * the index of what is due finds them.
 */
export async function findUndecided(
  db: Database,
  options: {
    readonly queues: readonly string[];
    readonly createdBefore: { readonly live: Date; readonly test: Date };
    readonly limit: number;
  },
): Promise<readonly Order[]> {
  const { rows } = await byIndex(db, (one) =>
    one.query<OrderRow>(
      {
        name: "undecided_without_case",
        text: `select o.* from (${OPEN_IN_QUEUES}) o
              where o.ended_at is null and o.ambiguity = 'requery' and o.attempt > 0
                and o.created_at < case o.mode when 'live' then $2::timestamptz else $3::timestamptz end
                and not exists (select 1 from cases c where c.kind = any($5::text[]) and coalesce(c.finding, c.order_id::text) = o.id::text)
              order by o.created_at limit $4`,
      },
      [options.queues, options.createdBefore.live, options.createdBefore.test, options.limit, OPEN_WITH_ORDER],
    ),
  );
  return rows.map(orderFrom);
}

/** Orders without a case that their vendor took and, since before these moments, does not find. */
export async function findDenied(
  db: Database,
  options: {
    readonly queues: readonly string[];
    readonly deniedBefore: { readonly live: Date; readonly test: Date };
    readonly limit: number;
  },
): Promise<readonly Order[]> {
  const { rows } = await byIndex(db, (one) =>
    one.query<OrderRow>(
      {
        name: "denied_without_case",
        text: `select o.* from (${OPEN_IN_QUEUES}) o
              where o.ended_at is null and o.ambiguity = 'requery' and o.pieces -> 0 ? 'denied_at'
                and (o.pieces -> 0 ->> 'denied_at')::timestamptz <= case o.mode when 'live' then $2::timestamptz else $3::timestamptz end
                and not exists (select 1 from cases c where c.kind = 'taken_not_found' and coalesce(c.finding, c.order_id::text) = o.id::text)
              order by o.created_at limit $4`,
      },
      [options.queues, options.deniedBefore.live, options.deniedBefore.test, options.limit],
    ),
  );
  return rows.map(orderFrom);
}

/** Orders without a case whose vendor's answer needs a person's review. */
export async function findDoubts(
  db: Db,
  limit: number,
): Promise<readonly { readonly order: Order; readonly why: string }[]> {
  const { rows } = await db.query<OrderRow & { why: string }>(
    {
      name: "doubts_without_case",
      text: `select o.*, o.facts->'doubt'->>'why' as why from orders o
              where o.facts ? 'doubt'
                and not exists (select 1 from cases c where c.kind = 'answer_in_doubt' and coalesce(c.finding, c.order_id::text) = o.id::text)
              order by o.created_at limit $1`,
    },
    [limit],
  );
  return rows.map((row) => ({ order: orderFrom(row), why: row.why }));
}

/** Orders without a case that were delivered after their refund. */
export async function findLosses(
  db: Db,
  limit: number,
): Promise<readonly { readonly order: Order; readonly lostKobo: Kobo; readonly lostAt: Date }[]> {
  const { rows } = await db.query<OrderRow & { lost_kobo: Kobo; lost_at: Date }>(
    {
      name: "losses_without_case",
      text: `select o.*, t.amount_kobo as lost_kobo, t.created_at as lost_at
               from transfers t join orders o on o.account_id = t.account_id and o.id = t.order_id
              where t.kind = 'loss' and t.kind in ('refund', 'loss', 'loss_undone')
                and not exists (select 1 from cases c where c.kind = 'late_success' and coalesce(c.finding, c.order_id::text) = o.id::text)
              order by t.created_at limit $1`,
    },
    [limit],
  );
  return rows.map((row) => ({ order: orderFrom(row), lostKobo: row.lost_kobo, lostAt: row.lost_at }));
}

/** One attempt with our reference. */
export interface Attempt {
  readonly attempt: number;
  readonly route: string;
  readonly reference: string;
  readonly begunAt: Date;
}

export async function attemptsOf(db: Db, order: Pick<Order, "accountId" | "id">): Promise<readonly Attempt[]> {
  const { rows } = await db.query<{ attempt: number; route: string; reference: string; begun_at: Date }>(
    "select attempt, route, reference, begun_at from attempts where account_id = $1 and order_id = $2 order by attempt",
    [order.accountId, order.id],
  );
  return rows.map(({ begun_at, ...row }) => ({ ...row, begunAt: begun_at }));
}
