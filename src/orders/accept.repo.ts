import pg from "pg";
import type { Database } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { type InSlices, type Steps, unsliced } from "../kernel/slices.ts";
import type { SpendCap } from "../kernel/spend-cap.ts";
import { arrayLiteral, boundsOf, json, sparse } from "./columns.ts";
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
  /** What a likely repeat has in common with it (kind, recipient, amount): a second one within a minute is refused unless allowed. */
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
  /** Of a single, leased order that leaves at once: its first attempt, marked in the same commit. */
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

const PARAMETERS = Array.from({ length: 41 }, (_, index) => `$${index + 1}`).join(", ");
const ACCEPT = {
  name: "accept_orders",
  text: `select n, verdict, target_id, fingerprint, ended_at, available from accept_orders(${PARAMETERS})`,
};
/** Of ten thousand rows that only say what is known anyway nothing is sent back. */
const ACCEPT_GROUP = { name: "accept_group", text: `${ACCEPT.text} where verdict <> 'accepted'` };
/** The count makes the planner accept before it begins. */
const ACCEPT_AND_BEGIN = {
  name: "accept_orders_and_begin",
  text: `with accepted as materialized (${ACCEPT.text})
         select * from accepted
         union all
         select 0, 'begun', b.id, null, null, null
           from (select count(*) as rows from accepted) a
           cross join lateral begin_accepted(a.rows, $3, $42, $43, $44, $45, $46, $47, $48, $49, $50) b(id)`,
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

/** What `accept_orders` raises (SQLSTATE AF402) when money or quota does not go round in a batch that was not strict. */
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
  const columns: readonly (() => unknown)[] = [
    () => options.strict,
    () => options.recheck,
    () => options.node,
    () => options.leaseSeconds,
    () => flat.map(({ order }) => order.accountId),
    () => flat.map(({ order }) => order.id),
    () => flat.map(({ order }) => order.mode),
    () => flat.map(({ order }) => order.service),
    () => flat.map(({ order }) => queueOf(order.service, order.mode)),
    () => flat.map(({ order }) => order.state),
    () => flat.map(({ order }) => order.priority),
    () => flat.map(({ order }) => order.dueAt),
    () => flat.map(({ unit }) => unit.leased),
    () => flat.map(({ order }) => order.ambiguity),
    () => flat.map(({ order }) => order.priceKobo),
    () => flat.map(({ order }) => order.taxKobo),
    () => flat.map(({ order }) => order.recipient),
    () => sparse(flat.map(({ unit }) => unit.group?.id ?? null)),
    () => sparse(flat.map(({ order }) => order.reference)),
    () => sparse(flat.map(({ order }) => metadata(order))),
    () => flat.map(({ order }) => json(order.payload)),
    () => sparse(flat.map(({ order }) => order.sendAt)),
    () => sparse(flat.map(({ order }) => order.expiresAt)),
    () => flat.map(({ order }) => order.createdAt),
    () => flat.map(({ unitIndex }) => unitIndex),
    () => sparse(flat.map(({ order }) => order.quota?.limit ?? null)),
    () => sparse(flat.map(({ order }) => order.quota?.period ?? null)),
    () => keys.map((key) => key.n),
    () => keys.map((key) => key.order.accountId),
    () => keys.map((key) => key.order.mode),
    () => keys.map((key) => key.key.kind),
    () => keys.map((key) => key.key.key),
    () => keys.map((key) => key.target),
    () => keys.map((key) => key.key.fingerprint),
    () =>
      group
        ? JSON.stringify({
            id: group.id,
            payload: group.payload,
            completionEvent: group.completionEvent,
            requestId: group.requestId,
          })
        : null,
    () => sparse(flat.map(({ order }) => order.spendCap?.keyId ?? null)),
    () => sparse(flat.map(({ order }) => order.spendCap?.limitKobo ?? null)),
    () => sparse(flat.map(({ order }) => order.spendCap?.day ?? null)),
    () => sparse(flat.map(({ order }) => order.twin?.key ?? null)),
    () => sparse(flat.map(({ order }) => order.twin?.allowed ?? null)),
    () => sparse(flat.map(({ order }) => order.requestId ?? null)),
  ];
  const values = group
    ? // A repeat is about orders that may be there already: whether anybody still waits does not matter.
      await (options.inSlices ?? unsliced)(literals(columns), options.recheck ? undefined : units[0]!.gone)
    : [...columns.map((column) => column()), ...(begins.length > 0 ? beginColumns(begins) : [])];
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
function* literals(columns: readonly (() => unknown)[]): Steps<unknown[]> {
  const values: unknown[] = [];
  for (const column of columns) {
    const value = column();
    yield;
    values.push(Array.isArray(value) ? yield* arrayLiteral(value) : value);
    yield;
  }
  return values;
}

const beginColumns = (begins: readonly Order[]): readonly unknown[] => [
  ...boundsOf(begins.map(({ id }) => id)),
  begins.map(({ accountId }) => accountId),
  begins.map(({ id }) => id),
  begins.map(({ state }) => state),
  begins.map(({ route }) => route),
  begins.map(({ attemptReference }) => attemptReference),
  begins.map(({ begunAt }) => begunAt),
  begins.map(({ pieces }) => json(pieces)),
];

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
