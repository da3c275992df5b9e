import type { FailureCode } from "../kernel/failures.ts";
import type { IdPrefix } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Order } from "./order.ts";
import type { Answer, StepTable } from "./steps.ts";

/** What a service tells the engine about itself. Adding a service is writing one of these. */
export interface ServiceDefinition {
  /** Stored in rows and event types (`sms.sent`): never renamed. */
  readonly service: string;
  readonly idPrefix: IdPrefix;
  readonly table: StepTable;
  readonly reports: ReportWords;
  /**
   * Waits of this service; test mode's are short. `answerWithinMs`: how long an answer of the vendor in question may be awaited;
   * the longest that is usual unless told.
   */
  readonly waits: (mode: Mode, answerWithinMs?: number) => Waits;
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

export interface Waits {
  /** Further tries after a lost answer, for `retry` orders. */
  readonly retriesMax: number;
  /** How long a lost answer waits for the vendor's report, which may settle it, before the next try; 0 unless told. */
  readonly retryMs?: number;
  /** How long after now an order whose outcome is unknown waits for a report, before it counts as failed. */
  readonly unknownMs: (order: Order, now: Date) => number;
  /** Wait before requery number `n` (0, 1, 2 …), for `requery` orders. */
  readonly requeryMs: (n: number) => number;
  /**
   * A vendor that tried and says that it failed is asked once more so long after, before another vendor is called: some deliver all
   * the same. 0 unless told.
   */
  readonly failedApartMs?: number;
  /**
   * How long after its begin a call that was never heard may still be under way, its node alive or not: the longest that a vendor
   * may take to answer, with half as much to spare. It is not repeated before. 0 unless told.
   */
  readonly unheardMs?: number;
  /** Two `not_found` answers prove something only when at least this far apart. */
  readonly notFoundApartMs: number;
  /**
   * How long after the call left a `not_found` begins to count: past our time limit and the vendor's, as until then the
   * request may still be travelling.
   */
  readonly settleMs: number;
}
