import pg from "pg";
import { arrayLiteralInSteps } from "../db/array-literal.ts";
import { callByName } from "../db/call-by-name.ts";
import type { Database } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { type InSlices, type Steps, unsliced } from "../kernel/slices.ts";
import type { SpendCap } from "../kernel/spend-cap.ts";
import { boundsOf, json, sparse } from "./columns.ts";
import { type Ambiguity, type Change, type Order, queueOf } from "./order.ts";

/** A key that names the order for its subscriber: spent when, and only when, the order is created. */
export interface OrderKey {
  readonly kind: "key" | "reference";
  readonly key: string;
  /** SHA-256 of method, path and canonical body. */
  readonly fingerprint: Buffer;
}

/** An order to be accepted. The node makes the id before the call, so that a call whose answer was lost can be repeated. */
export interface NewOrder {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly service: string;
  /** The service's own word; one that is not `scheduled` is sent at once. */
  readonly state: string;
  readonly priority: number;
  readonly ambiguity: Ambiguity;
  readonly priceKobo: Kobo;
  readonly taxKobo: Kobo;
  readonly recipient: string;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly payload: unknown;
  readonly sendAt: Date | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  /** When it is due unless the accepting node takes it along. */
  readonly dueAt: Date;
  /** The plan's monthly quota, if it has one: how many orders in the period named. */
  readonly quota: { readonly limit: number; readonly period: string } | null;
  /** The cap of the key that it comes with, if it has one: how much the key may spend on a day (`2026-11-27`) in Lagos. */
  readonly spendCap: (SpendCap & { readonly day: string }) | null;
  readonly keys: readonly OrderKey[];
  /** Identifies a likely repeat (kind, recipient, amount): a second order with it within a minute is refused unless allowed. */
  readonly twin?: { readonly key: string; readonly allowed: boolean };
  /** The request that asks for it. Without one it follows another order. */
  readonly requestId?: Uuid | undefined;
}

/** Orders accepted together: all or nothing but for items whose own reference is taken. */
export interface NewGroup {
  readonly id: Uuid;
  readonly payload: unknown;
  readonly completionEvent: string;
  readonly keys: readonly OrderKey[];
  /** The request that asks for all of it. */
  readonly requestId?: Uuid | undefined;
}

/** One thing to accept: an order, or a group of them. */
export interface Unit {
  readonly orders: readonly NewOrder[];
  readonly group?: NewGroup;
  /** Whether this node takes the orders along in memory: they are then accepted with a lease. */
  readonly leased: boolean;
  /** The first attempt of a single, leased order that is sent at once: begun in the same commit. */
  readonly begin?: Change;
  /** Aborted once nobody waits for the answer: what has not been given to the database by then is not. */
  readonly gone?: AbortSignal;
}

/** How many orders they are. */
export const ordersOf = (units: readonly Pick<Unit, "orders">[]): number =>
  units.reduce((sum, { orders }) => sum + orders.length, 0);

/** Why an order (or, at index −1, a whole group) was not accepted. */
export type NotAccepted =
  | { readonly kind: "funds"; readonly availableKobo: Kobo }
  | { readonly kind: "quota"; readonly left: number; readonly period: string }
  | { readonly kind: "spend"; readonly leftKobo: Kobo; readonly limitKobo: Kobo; readonly day: string }
  /** A rule that the database holds, by the name of its constraint (`chat_window_open`). */
  | { readonly kind: "rule"; readonly rule: string }
  /** Likely a repeat of that order. */
  | { readonly kind: "twin"; readonly targetId: Uuid }
  | {
      readonly kind: "taken";
      readonly by: "key" | "reference";
      readonly targetId: Uuid;
      readonly fingerprint: Buffer;
      readonly endedAt: Date | null;
    };

/** By index what was not accepted (−1: the whole unit). */
export interface UnitAnswer {
  readonly refused: ReadonlyMap<number, NotAccepted>;
  /** Its `begin` stands. */
  readonly begun: boolean;
}

/** What the values of one call are made of. */
interface Batch {
  readonly options: AcceptOptions;
  readonly flat: readonly { readonly unit: Unit; readonly unitIndex: number; readonly order: NewOrder }[];
  /** `n`: the position of the key's order in `flat`, from 1; 0 for a key of the group. */
  readonly keys: readonly {
    readonly n: number;
    readonly order: NewOrder;
    readonly target: Uuid;
    readonly key: OrderKey;
  }[];
  readonly group: NewGroup | undefined;
  readonly metadata: (order: NewOrder) => string | null;
}

const CALL = callByName<Batch>("accept_orders", {
  p_strict: ({ options }) => options.strict,
  p_recheck: ({ options }) => options.recheck,
  p_node: ({ options }) => options.node,
  p_lease_seconds: ({ options }) => options.leaseSeconds,
  p_account: ({ flat }) => flat.map(({ order }) => order.accountId),
  p_id: ({ flat }) => flat.map(({ order }) => order.id),
  p_mode: ({ flat }) => flat.map(({ order }) => order.mode),
  p_service: ({ flat }) => flat.map(({ order }) => order.service),
  p_queue: ({ flat }) => flat.map(({ order }) => queueOf(order.service, order.mode)),
  p_state: ({ flat }) => flat.map(({ order }) => order.state),
  p_priority: ({ flat }) => flat.map(({ order }) => order.priority),
  p_due: ({ flat }) => flat.map(({ order }) => order.dueAt),
  p_leased: ({ flat }) => flat.map(({ unit }) => unit.leased),
  p_ambiguity: ({ flat }) => flat.map(({ order }) => order.ambiguity),
  p_price: ({ flat }) => flat.map(({ order }) => order.priceKobo),
  p_tax: ({ flat }) => flat.map(({ order }) => order.taxKobo),
  p_recipient: ({ flat }) => flat.map(({ order }) => order.recipient),
  p_group: ({ flat }) => sparse(flat.map(({ unit }) => unit.group?.id ?? null)),
  p_reference: ({ flat }) => sparse(flat.map(({ order }) => order.reference)),
  p_metadata: ({ flat, metadata }) => sparse(flat.map(({ order }) => metadata(order))),
  p_payload: ({ flat }) => flat.map(({ order }) => json(order.payload)),
  p_send_at: ({ flat }) => sparse(flat.map(({ order }) => order.sendAt)),
  p_expires: ({ flat }) => sparse(flat.map(({ order }) => order.expiresAt)),
  p_created: ({ flat }) => flat.map(({ order }) => order.createdAt),
  p_unit: ({ flat }) => flat.map(({ unitIndex }) => unitIndex),
  p_quota: ({ flat }) => sparse(flat.map(({ order }) => order.quota?.limit ?? null)),
  p_period: ({ flat }) => sparse(flat.map(({ order }) => order.quota?.period ?? null)),
  k_n: ({ keys }) => keys.map((key) => key.n),
  k_account: ({ keys }) => keys.map((key) => key.order.accountId),
  k_mode: ({ keys }) => keys.map((key) => key.order.mode),
  k_kind: ({ keys }) => keys.map((key) => key.key.kind),
  k_key: ({ keys }) => keys.map((key) => key.key.key),
  k_target: ({ keys }) => keys.map((key) => key.target),
  k_fingerprint: ({ keys }) => keys.map((key) => key.key.fingerprint),
  p_group_row: ({ group }) =>
    group
      ? JSON.stringify({
          id: group.id,
          payload: group.payload,
          completionEvent: group.completionEvent,
          requestId: group.requestId,
        })
      : null,
  s_key: ({ flat }) => sparse(flat.map(({ order }) => order.spendCap?.keyId ?? null)),
  s_cap: ({ flat }) => sparse(flat.map(({ order }) => order.spendCap?.limitKobo ?? null)),
  s_day: ({ flat }) => sparse(flat.map(({ order }) => order.spendCap?.day ?? null)),
  t_twin: ({ flat }) => sparse(flat.map(({ order }) => order.twin?.key ?? null)),
  t_allowed: ({ flat }) => sparse(flat.map(({ order }) => order.twin?.allowed ?? null)),
  p_request: ({ flat }) => sparse(flat.map(({ order }) => order.requestId ?? null)),
});
const BEGIN_CALL = callByName<readonly Order[]>(
  "begin_accepted",
  {
    p_accepted: "a.rows",
    p_node: CALL.placeholder("p_node"),
    p_low: (begins) => boundsOf(begins.map(({ id }) => id))[0],
    p_high: (begins) => boundsOf(begins.map(({ id }) => id))[1],
    b_account: (begins) => begins.map(({ accountId }) => accountId),
    b_order: (begins) => begins.map(({ id }) => id),
    b_state: (begins) => begins.map(({ state }) => state),
    b_route: (begins) => begins.map(({ route }) => route),
    b_reference: (begins) => begins.map(({ attemptReference }) => attemptReference),
    b_begun: (begins) => begins.map(({ begunAt }) => begunAt),
    b_pieces: (begins) => begins.map(({ pieces }) => json(pieces)),
  },
  CALL.makers.length + 1,
);

const ACCEPT = {
  name: "accept_orders",
  text: `select n, verdict, target_id, fingerprint, ended_at, available from ${CALL.text}`,
};
/** Returns no row for an accepted order: the answer to a large bulk stays small. */
const ACCEPT_GROUP = { name: "accept_group", text: `${ACCEPT.text} where verdict <> 'accepted'` };
/** The count makes the planner accept before it begins. */
const ACCEPT_AND_BEGIN = {
  name: "accept_orders_and_begin",
  text: `with accepted as materialized (${ACCEPT.text})
         select * from accepted
         union all
         select 0, 'begun', b.id, null, null, null
           from (select count(*) as rows from accepted) a
           cross join lateral ${BEGIN_CALL.text} b(id)`,
};

interface AnswerRow {
  n: number;
  verdict: "accepted" | "begun" | "funds" | "quota" | "spend" | "key" | "reference" | "twin";
  target_id: Uuid | null;
  fingerprint: Buffer | null;
  ended_at: Date | null;
  available: bigint | null;
}

export interface AcceptOptions {
  readonly node: Uuid;
  readonly leaseSeconds: number;
  /** Decide each unit by the running sum, wallets locked first. Without it too little money fails the batch with AF402. */
  readonly strict: boolean;
  /** The answer of an earlier call with the same ids was lost. */
  readonly recheck: boolean;
  /** The values of a group are written in slices; those of single orders are few. */
  readonly inSlices?: InSlices;
}

/** What `accept_orders` raises (SQLSTATE AF402) when money or quota is insufficient in a batch that was not strict. */
export const fellShort = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "AF402";

/** The rule of a service that an order breaks, if that is why it was not stored: raised as a check violation with a name. */
export const brokenRule = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code === "23514" && error.schema === undefined
    ? error.constraint
    : undefined;

/**
 * Accepts units in one call: one round trip, one fsync. A group must be the only unit of its call.
 * Returns, for each unit, what was not accepted; empty means that all was.
 */
export async function acceptOrders(
  db: Database,
  units: readonly Unit[],
  options: AcceptOptions,
): Promise<readonly UnitAnswer[]> {
  const flat = units.flatMap((unit, unitIndex) =>
    unit.orders.map((order, index) => ({ unit, unitIndex, index, order })),
  );
  const keys = flat.flatMap(({ order }, n) => order.keys.map((key) => ({ n: n + 1, order, target: order.id, key })));
  const group = units.length === 1 ? units[0]!.group : undefined;
  if (group) for (const key of group.keys) keys.push({ n: 0, order: flat[0]!.order, target: group.id, key });

  // The messages of a bulk share one object, which is written once.
  const written = new Map<NewOrder["metadata"], string | null>([[null, null]]);
  const metadata = (order: NewOrder): string | null => {
    let text = written.get(order.metadata);
    if (text === undefined) {
      text = json(order.metadata);
      written.set(order.metadata, text);
    }
    return text;
  };
  const begins = units.flatMap(({ begin }) => begin?.after ?? []);
  const batch: Batch = { options, flat, keys, group, metadata };
  const values = group
    ? // The orders of a repeated call may be stored already, whether or not anybody still waits.
      await (options.inSlices ?? unsliced)(literals(batch), options.recheck ? undefined : units[0]!.gone)
    : [...CALL.values(batch), ...(begins.length > 0 ? BEGIN_CALL.values(begins) : [])];
  const rows = await db.transact<AnswerRow>(
    group ? ACCEPT_GROUP : begins.length > 0 ? ACCEPT_AND_BEGIN : ACCEPT,
    values,
  );

  const answers = units.map(() => new Map<number, NotAccepted>());
  const begun = new Set<Uuid>();
  for (const row of rows) {
    if (row.verdict === "begun") begun.add(row.target_id!);
    if (row.verdict === "accepted" || row.verdict === "begun") continue;
    const at = row.n === 0 ? { unitIndex: 0, index: -1 } : flat[row.n - 1]!;
    // Too little money, cap or quota refuses the unit, however many orders it has.
    const whole = row.verdict === "funds" || row.verdict === "quota" || row.verdict === "spend";
    const index = whole ? -1 : at.index;
    // A key that points elsewhere outranks the reference: it says that the request was made before.
    if (answers[at.unitIndex]!.get(index)?.kind === "taken" && row.verdict === "reference") continue;
    answers[at.unitIndex]!.set(index, notAccepted(row, flat[Math.max(row.n - 1, 0)]!.order));
  }
  return units.map(({ begin }, index) => ({
    refused: answers[index]!,
    begun: begin !== undefined && begun.has(begin.after.id),
  }));
}

/** Each list as a text, which the driver sends as it is. */
function* literals(batch: Batch): Steps<unknown[]> {
  const values: unknown[] = [];
  for (const make of CALL.makers) {
    const value = make(batch);
    yield;
    values.push(Array.isArray(value) ? yield* arrayLiteralInSteps(value) : value);
    yield;
  }
  return values;
}

function notAccepted(row: AnswerRow, order: NewOrder): NotAccepted {
  switch (row.verdict) {
    case "funds":
      return { kind: "funds", availableKobo: kobo(row.available ?? 0n) };
    case "quota":
      return { kind: "quota", left: Number(row.available ?? 0n), period: order.quota?.period ?? "" };
    case "spend": {
      const { limitKobo, day } = order.spendCap!;
      return { kind: "spend", leftKobo: kobo(row.available ?? 0n), limitKobo, day };
    }
    case "twin":
      return { kind: "twin", targetId: row.target_id! };
    default:
      return {
        kind: "taken",
        by: row.verdict === "key" ? "key" : "reference",
        targetId: row.target_id!,
        fingerprint: row.fingerprint!,
        endedAt: row.ended_at,
      };
  }
}
