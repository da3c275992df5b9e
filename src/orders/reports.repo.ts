import { callByName } from "../db/call-by-name.ts";
import type { Database, Db } from "../db/database.ts";
import { DAY_MS } from "../kernel/duration.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { ProviderReport } from "../ports/provider.ts";
import { recipientOf } from "./match-report.ts";
import type { Order } from "./order.ts";
import { findOrders, type OrderRow, orderFrom } from "./orders.repo.ts";

/** A reference older than this may have been given out again by the vendor. The functions in `migrations` know it too. */
const REFERENCE_DAYS = 7;

export interface ReferenceKey {
  readonly route: string;
  readonly reference: string;
}

/** Where a reference points to. */
export interface Referred {
  readonly accountId: Uuid;
  readonly orderId: Uuid;
  readonly attempt: number;
  readonly piece: number;
}

export interface FoundReference extends ReferenceKey {
  readonly attempt: number;
  readonly piece: number;
  readonly order: Order;
  /** Other orders that the vendor gave the same reference before this one, newest first. */
  readonly earlier: readonly Referred[];
}

const REFERENCES = {
  name: "find_references",
  text: "select route, reference, account_id, order_id, attempt, piece, earlier from find_references($1, $2)",
};

interface EarlierRow {
  account_id: Uuid;
  order_id: Uuid;
  attempt: number;
  piece: number;
  at: string;
}

export async function findReferences(
  db: Db,
  references: readonly ReferenceKey[],
  now: Date,
): Promise<readonly FoundReference[]> {
  if (references.length === 0) return [];
  const { rows } = await db.query<{
    route: string;
    reference: string;
    account_id: Uuid;
    order_id: Uuid;
    attempt: number;
    piece: number;
    earlier: EarlierRow[] | null;
  }>(REFERENCES, [references.map((entry) => entry.route), references.map((entry) => entry.reference)]);
  // In a step of its own, because by their ids the orders are looked for in their own partitions only.
  const orders = await findOrders(
    db,
    rows.map((row) => ({ accountId: row.account_id, id: row.order_id })),
  );
  const oldestMs = now.getTime() - REFERENCE_DAYS * DAY_MS;
  return rows.flatMap(({ route, reference, order_id: orderId, attempt, piece, earlier }) => {
    const order = orders.get(orderId);
    if (!order) return [];
    const before = (earlier ?? []).filter((entry) => Date.parse(entry.at) > oldestMs);
    return [{ route, reference, attempt, piece, order, earlier: before.map(referred).reverse() }];
  });
}

const ATTEMPTS = {
  name: "find_attempts",
  text: "select route, reference, account_id, order_id, attempt from find_attempts($1, $2)",
};

/** The orders of attempts by our own references: these are unique for ever. */
export async function findAttempts(
  db: Db,
  references: readonly ReferenceKey[],
): Promise<readonly (ReferenceKey & { readonly order: Order; readonly attempt: number })[]> {
  if (references.length === 0) return [];
  const { rows } = await db.query<{
    route: string;
    reference: string;
    account_id: Uuid;
    order_id: Uuid;
    attempt: number;
  }>(ATTEMPTS, [references.map((entry) => entry.route), references.map((entry) => entry.reference)]);
  const orders = await findOrders(
    db,
    rows.map((row) => ({ accountId: row.account_id, id: row.order_id })),
  );
  return rows.flatMap(({ route, reference, order_id: orderId, attempt }) => {
    const order = orders.get(orderId);
    return order ? [{ route, reference, attempt, order }] : [];
  });
}

const referred = (row: EarlierRow): Referred => ({
  accountId: row.account_id,
  orderId: row.order_id,
  attempt: row.attempt,
  piece: row.piece,
});

/** Orders to one number that one receipt is compared with at most. */
const AMBIGUOUS_MAX = 50;

const AMBIGUOUS = {
  name: "find_ambiguous",
  text: `select o.* from unnest($1::text[], $2::text[]) i(route, recipient)
          cross join lateral (
            (select * from orders a
              where a.route = i.route and a.recipient = i.recipient and a.ambiguous_at is not null and a.ended_at is null
                and a.created_at > now() - make_interval(days => ${REFERENCE_DAYS})
              order by a.created_at desc limit ${AMBIGUOUS_MAX})
            union all
            (select * from orders a
              where a.route = i.route and a.recipient = i.recipient and a.ambiguous_at is not null and a.state = 'failed'
                and a.ended_at is not null and a.created_at > now() - make_interval(days => ${REFERENCE_DAYS})
              order by a.created_at desc limit ${AMBIGUOUS_MAX})) o`,
};

/**
 * Orders to these recipients whose reference on this route was not learned: a receipt with an unknown one may be theirs. Those that
 * wait for a word first, then those that were given up, with their money back.
 */
export async function findAmbiguous(
  db: Db,
  places: readonly { readonly route: string; readonly recipient: string }[],
): Promise<readonly Order[]> {
  if (places.length === 0) return [];
  const distinct = [...new Map(places.map((place) => [`${place.route}\n${place.recipient}`, place])).values()];
  const { rows } = await db.query<OrderRow>(AMBIGUOUS, [
    distinct.map((place) => place.route),
    distinct.map((place) => place.recipient),
  ]);
  return rows.map(orderFrom);
}

const AMBIGUOUS_BY_CORRELATION = {
  name: "find_ambiguous_by_correlation",
  text: `select o.* from (
           select * from orders a where a.route = any($1) and a.ambiguous_at is not null and a.ended_at is null
           union all
           select * from orders a where a.route = any($1) and a.ambiguous_at is not null and a.state = 'failed'
              and a.ended_at is not null) o
          where o.created_at > now() - make_interval(days => ${REFERENCE_DAYS})
            and exists (select from generate_series(1, o.attempt) a(attempt),
                                    generate_series(0, greatest(coalesce(jsonb_array_length(o.pieces), 1), 1) - 1) p(piece)
                         where (('x' || right(o.id::text, 4))::bit(16)::int + a.attempt * 1009 + p.piece * 257) & 65535
                               = any($2::int[]))`,
};

/** All such orders of these routes that have one of these correlations, whoever they are to: the same rule as `correlationOf`. */
export async function findAmbiguousByCorrelation(
  db: Db,
  routes: readonly string[],
  correlations: readonly number[],
): Promise<readonly Order[]> {
  if (routes.length === 0) return [];
  const { rows } = await db.query<OrderRow>(AMBIGUOUS_BY_CORRELATION, [
    [...new Set(routes)],
    [...new Set(correlations)],
  ]);
  return rows.map(orderFrom);
}

/** A report as it waits in a row: dates as text. */
interface ParkedReport extends Omit<ProviderReport, "at"> {
  readonly at: string;
}

export interface Parkable extends ReferenceKey {
  readonly report: ProviderReport;
}

const PARK_CALL = callByName<readonly Parkable[]>("park_reports", {
  p_route: (reports) => reports.map(({ route }) => route),
  p_reference: (reports) => reports.map(({ reference }) => reference),
  p_recipient: (reports) => reports.map(({ report }) => recipientOf(report) ?? null),
  p_report: (reports) => reports.map(({ report }) => JSON.stringify(report)),
});
const PARK = { name: "park_reports", text: `select met_route, met_reference from ${PARK_CALL.text}` };

/** Leaves reports for orders not recorded yet; returns the references that have one by now. */
export async function parkReports(db: Database, reports: readonly Parkable[]): Promise<readonly ReferenceKey[]> {
  if (reports.length === 0) return [];
  const rows = await db.transact<{ met_route: string; met_reference: string }>(PARK, PARK_CALL.values(reports));
  return rows.map((row) => ({ route: row.met_route, reference: row.met_reference }));
}

/** A report that does not match the order that has its reference. */
type Mismatched = Parkable & { readonly orderId: Uuid };

const PARK_APART_CALL = callByName<readonly Mismatched[]>("park_reports_apart", {
  p_route: (reports) => reports.map(({ route }) => route),
  p_reference: (reports) => reports.map(({ reference }) => reference),
  p_order: (reports) => reports.map(({ orderId }) => orderId),
  p_report: (reports) => reports.map(({ report }) => JSON.stringify(report)),
});
const PARK_APART = { name: "park_reports_apart", text: `select met_route, met_reference from ${PARK_APART_CALL.text}` };

/**
 * Leaves reports that are not about the order that has their reference, for the next order that gets it. Returns the
 * references that another order than the named one has by now.
 */
export async function parkMismatched(db: Database, reports: readonly Mismatched[]): Promise<readonly ReferenceKey[]> {
  if (reports.length === 0) return [];
  const rows = await db.transact<{ met_route: string; met_reference: string }>(
    PARK_APART,
    PARK_APART_CALL.values(reports),
  );
  return rows.map((row) => ({ route: row.met_route, reference: row.met_reference }));
}

/** What waits on one reference. */
export interface ParkedRow extends ReferenceKey {
  readonly parked: readonly ParkedReport[];
}

export const reportsOf = ({ route, reference, parked }: ParkedRow): readonly Parkable[] =>
  parked.map((report) => ({ route, reference, report: { ...report, at: new Date(report.at) } as ProviderReport }));

/** Reports that waited on references which have met their order. They stay until `clearParked`. */
export async function readParked(db: Db, references: readonly ReferenceKey[]): Promise<readonly ParkedRow[]> {
  const { rows } = await db.query<ParkedRow>(
    `select r.route, r.reference, r.parked from unnest($1::text[], $2::text[]) i(route, reference)
       join provider_references r on r.route = i.route and r.reference = i.reference where r.parked is not null`,
    [references.map((entry) => entry.route), references.map((entry) => entry.reference)],
  );
  return rows;
}

/** Forgets what has been worked off; a row in which more has come to wait meanwhile stays. */
export async function clearParked(db: Db, rows: readonly ParkedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query(
    `update provider_references r set parked = null from unnest($1::text[], $2::text[], $3::jsonb[]) i(route, reference, parked)
      where r.route = i.route and r.reference = i.reference and r.order_id is not null and r.parked = i.parked`,
    [rows.map((row) => row.route), rows.map((row) => row.reference), rows.map((row) => JSON.stringify(row.parked))],
  );
}

/**
 * Parked reports that may be matched now, in the order of their references after `from`: their reference has met its order (a
 * node died between), or an order to their recipient has become ambiguous since; for those that name no number, any order of
 * their route.
 */
export async function sweepParked(db: Db, from: ReferenceKey, limit: number): Promise<readonly ParkedRow[]> {
  const { rows } = await db.query<ParkedRow>(
    `select s.route, s.reference, s.parked from (
       select r.route, r.reference, r.parked from provider_references r
        where r.parked is not null and r.order_id is not null
          and r.created_at > now() - make_interval(days => ${REFERENCE_DAYS})
       union
       select r.route, r.reference, r.parked from orders o
         join provider_references r on r.route = o.route and r.parked_recipient = o.recipient
        where o.ambiguous_at is not null and o.ended_at is null and r.parked is not null and r.order_id is null
          and r.created_at > now() - make_interval(days => ${REFERENCE_DAYS})
       union
       select r.route, r.reference, r.parked from provider_references r
        where r.parked is not null and r.order_id is null and r.parked_recipient is null
          and jsonb_path_exists(r.parked, '$[*].correlation')
          and r.created_at > now() - make_interval(days => ${REFERENCE_DAYS})
          and exists (select from orders o
                       where o.route = r.route and o.ambiguous_at is not null and o.ended_at is null)) s
      where (s.route, s.reference) > ($1, $2)
      order by s.route, s.reference limit $3`,
    [from.route, from.reference, limit],
  );
  return rows;
}

/** By route, references on which a report came in the minute before the last and which still have no order. */
export async function countStrays(
  db: Db,
): Promise<readonly { readonly route: string; readonly references: number; readonly example: string }[]> {
  const { rows } = await db.query<{ route: string; references: number; example: string }>(
    `select route, count(*)::int as references, min(reference) as example from provider_references
      where (parked is not null and order_id is null or apart is not null)
        and created_at > now() - interval '2 minutes' and created_at <= now() - interval '1 minute'
      group by route`,
  );
  return rows;
}

/** What a hint met: an order that is due now, one that is being worked on, an attempt that was given up, or nothing. */
export type HintMet = "due" | "held" | "outdated" | "unknown";

/** `isKnown`: the word is its vendor's for certain, so the vendor has the attempt. */
export async function hintOrder(db: Database, route: string, reference: string, isKnown = false): Promise<HintMet> {
  const hint = { name: "hint_order", text: "select hint_order($1, $2, $3) as met" };
  const rows = await db.transact<{ met: HintMet }>(hint, [route, reference, isKnown]);
  return rows[0]!.met;
}
