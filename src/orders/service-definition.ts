import type { FailureCode } from "../kernel/failures.ts";
import type { IdPrefix } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { invariant } from "../kernel/result.ts";
import type { Order } from "./order.ts";
import type { Answer, StepTable } from "./steps.ts";

/** What a service tells the engine about itself. Adding a service is writing one of these. */
export interface ServiceDefinition {
  /** Stored in rows and event types (`sms.sent`): never renamed. */
  readonly service: string;
  readonly idPrefix: IdPrefix;
  readonly table: StepTable;
  readonly reports: ReportWords;
  /** Needed by a service whose orders have the ambiguity `retry` or `fail`. Those of test mode are short. */
  readonly messageWaits?: (mode: Mode) => MessageWaits;
  /** Needed by a service whose orders have the ambiguity `requery`. `answerWithinMs`: the longest that the vendor may take to answer. */
  readonly purchaseWaits?: (mode: Mode, answerWithinMs?: number) => PurchaseWaits;
  /** Looked at again right before an order leaves: it may have to wait (quiet hours) or go a different way. */
  readonly beforeSend?: (
    order: Order,
    now: Date,
  ) => { readonly deferUntil: Date } | { readonly fail: FailureCode; readonly detail: string } | undefined;
  /**
   * Whether the order goes on another way instead of ending so, with its money not taken (a chat message falls back to an SMS).
   * From then on `hasGoneOn` is true of it. The table needs a step `instead` wherever this may be.
   */
  readonly hasAnotherWay?: (order: Order, answer: Answer, at: Date) => boolean;
  /** What is taken of the hold when it is posted; all of it unless told. */
  readonly taken?: (order: Order) => Kobo;
  /**
   * How long an order that its vendor has may stay in a state that only the vendor's word ends, and what it has failed of then.
   * Undefined: for ever. The table needs a step `timed_out` in that state.
   */
  readonly stateTimeout?: (state: string, mode: Mode) => { readonly ms: number; readonly failure: Failure } | undefined;
  /** Until when it may leave, where that is another time than it was accepted with. */
  readonly validUntil?: (order: Order) => Date | null;
  /** What it is called when an order's time runs out before it was sent; `validity_expired` unless told. */
  readonly unsent?: Failure;
  /** Which of the queue's routes may take the order, by the labels of its payload (network, route type). */
  readonly labels?: (order: Routed) => Readonly<Record<string, string | undefined>>;
  /** Whom the recipient sees as its sender, where that is not always `from` of the payload: receipts are matched by it. */
  readonly senderOf?: (order: Routed) => string | undefined;
  /** The one route that can do it, if only one can (a vendor's own data plan). */
  readonly boundTo?: (order: Routed) => string | undefined;
  /** What events of the order are named after, where it is not the service: `data.successful`. */
  readonly subjectOf?: (order: Pick<Order, "payload">) => string;
}

/** What of an order chooses its routes; one that is being accepted has no facts. */
export type Routed = Pick<Order, "payload"> & Partial<Pick<Order, "facts">>;

/** Why an order is not sent any more. */
export interface Failure {
  readonly code: FailureCode;
  readonly detail: string;
}

/**
 * A service's last look at an order right before it leaves, where that takes a query (a recipient who opted out meanwhile).
 * Undefined at once for orders that need none.
 */
export type PreSendCheck = (order: Order) => Promise<Failure | undefined> | undefined;

export interface ReportWords {
  /** Words that end a piece; a later word does not change it. */
  readonly final: ReadonlySet<string>;
  /** Rolls the pieces up to the order's word; undefined while they do not decide it. `statuses` are `Piece.status`. */
  readonly join: (statuses: readonly string[]) => string | undefined;
  /** The failure that a word means when the vendor gave no code. */
  readonly failure: (word: string) => string | undefined;
}

/** Waits of messages. */
export interface MessageWaits {
  /** Further tries after a lost answer, where a repeat is allowed (`retry`). */
  readonly retriesMax: number;
  /** How long a lost answer waits for the vendor's report before the next try; default 0. */
  readonly retryMs?: number;
  /** How long after `now` an order whose outcome is unknown waits for a report before it counts as failed. */
  readonly unknownMs: (order: Order, now: Date) => number;
}

/** Waits of purchases. */
export interface PurchaseWaits {
  /** Wait before question number `n` (0, 1, 2 …) to the vendor. */
  readonly requeryMs: (n: number) => number;
  /** A vendor that reports a failure of its own is asked once more after this, before another vendor is called: some deliver all the same. Default 0. */
  readonly confirmFailedMs?: number;
  /**
   * How long after its begin a call without a recorded outcome may be under way, whether or not its node is alive: the longest that the
   * vendor may take to answer, and half as much to spare. It is not repeated before. Default 0.
   */
  readonly repeatAfterMs?: number;
  /** Two `not_found` answers prove something only if they are at least this far apart. */
  readonly notFoundApartMs: number;
  /** How long after the call a `not_found` begins to count. Before, past our time limit and the vendor's, the request may be travelling. */
  readonly settleMs: number;
}

export function messageWaitsOf({ service, messageWaits }: ServiceDefinition, { mode }: Order): MessageWaits {
  invariant(messageWaits, `${service} has waits of messages`);
  return messageWaits(mode);
}

export function purchaseWaitsOf({ service, purchaseWaits }: ServiceDefinition, { mode }: Order): PurchaseWaits {
  invariant(purchaseWaits, `${service} has waits of purchases`);
  return purchaseWaits(mode);
}

/** Until when the order may be sent. */
export const validUntilOf = ({ validUntil }: ServiceDefinition, order: Order): Date | null =>
  validUntil ? validUntil(order) : order.expiresAt;
