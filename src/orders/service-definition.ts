import type { FailureCode } from "../kernel/failures.ts";
import type { IdPrefix } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { PersonalKind } from "../kernel/purged.ts";
import { invariant, type Result } from "../kernel/result.ts";
import type { Outcome } from "../ports/provider.ts";
import type { Order, OwnColumns } from "./order.ts";
import type { Answer, StepTable } from "./steps.ts";

/** Everything the engine knows about a service. */
export interface ServiceDefinition {
  /** Stored in rows and event types (`sms.sent`): never renamed. */
  readonly service: string;
  readonly idPrefix: IdPrefix;
  readonly noun: OrderNoun;
  readonly table: StepTable;
  readonly reports: ReportWords;
  /** Needed by a service whose orders have the ambiguity `retry` or `fail`. Those of test mode are short. */
  readonly messageWaits?: (mode: Mode) => MessageWaits;
  /** Needed by a service whose orders have the ambiguity `requery`. `answerWithinMs`: the longest that the vendor may take to answer. */
  readonly purchaseWaits?: (mode: Mode, answerWithinMs?: number) => PurchaseWaits;
  /** Checked right before the call: the order may have to wait (quiet hours), or not be sent at all. */
  readonly beforeSend?: (
    order: Order,
    now: Date,
  ) => { readonly deferUntil: Date } | { readonly fail: FailureCode; readonly detail: string } | undefined;
  /**
   * Whether the order goes on by a fallback when it would end with its money returned (a chat message that is then sent as an SMS).
   * From then on `hasFallenBack` is true. Each state from which this is possible needs a step `fallback`.
   */
  readonly fallsBack?: (order: Order, answer: Answer, at: Date) => boolean;
  /** The amount to post; default: the whole hold. */
  readonly taken?: (order: Order) => Kobo;
  /**
   * How long an order that its vendor took may stay in a state that only the vendor can end, and its failure after that. Undefined:
   * without limit. Such a state needs a step `timed_out`.
   */
  readonly stateTimeout?: (state: string, mode: Mode) => { readonly ms: number; readonly failure: Failure } | undefined;
  /** Until when it may be sent; default: `expiresAt`. */
  readonly validUntil?: (order: Order) => Date | null;
  /** The failure of an order whose time runs out before it is sent; default `validity_expired`. */
  readonly unsent?: Failure;
  /** Which of the queue's routes may take the order, by the labels of its payload (network, route type). */
  readonly labels?: (order: Routed) => Readonly<Record<string, string | undefined>>;
  /** Every label, with the values that it may have: what a route of the configuration may name. */
  readonly labelValues?: Readonly<Record<string, readonly string[]>>;
  /** The sender that the recipient sees, by which receipts are matched; default: `from` of the payload. */
  readonly senderOf?: (order: Routed) => string | undefined;
  /** The one route that can send it, if there is only one (a vendor's own data plan). */
  readonly boundTo?: (order: Routed) => string | undefined;
  /** What an order buys, for the operator: members that subscribers see, as text. Undefined: it has no such member. */
  readonly boughtOf?: (order: Routed) => Readonly<Record<string, string | undefined>>;
  /** What its orders are for, where that is not a phone number or chat address. */
  readonly recipient?: RecipientKind;
  /** The tokens that a success may bring. Absent: its orders have none. */
  readonly tokens?: OrderTokens;
  /** A success with its secrets where they belong: whatever else in it reads as one is hidden or left out. */
  readonly hideSecrets?: (success: Success) => Success;
  /** Its columns without personal data of this kind; each value keeps its form. The recipient and the metadata are the engine's. */
  readonly forget: (own: OwnColumns, kind: PersonalKind) => OwnColumns;
  /** What its groups remember, without personal data. Needed by a service with groups. */
  readonly forgetGroup?: (payload: unknown) => unknown;
  /** The subject of its events' types (`data.successful`); default: the service. */
  readonly subjectOf?: (order: Pick<Order, "payload">) => string;
  /** All that `subjectOf` may answer; default: the service. */
  readonly subjects?: readonly string[];
}

/** Things with a number that orders are for, such as meters. People write the number as it is stored. */
export interface RecipientKind {
  /** One word; the command line finds orders by `--<name>`. */
  readonly name: string;
  /** The number as it is stored. Errors: what is wrong with it, for people. */
  readonly read: (text: string) => Result<string, { readonly detail: string }>;
}

/** Codes that are bought, such as electricity's tokens. People enter them for an order that is resolved by hand. */
export interface OrderTokens {
  /** The one that is paid for first. */
  readonly kinds: readonly string[];
  /** One of them, for people: "token". */
  readonly noun: string;
  /** The code as it is stored; undefined for what is none. */
  readonly read: (text: string) => string | undefined;
  /** What `read` takes, for people: "a token is 20 digits". */
  readonly form: string;
  /** Whether a success of this order brings any; default: it does. */
  readonly isDue?: (order: Pick<Order, "payload">) => boolean;
}

/** What an order of the service is called in refusals. */
export interface OrderNoun {
  /** The order of the request: "This `one` costs …". */
  readonly one: string;
  /** Orders that a plan counts: "… `many` a month". */
  readonly many: string;
}

/** The vendor has the order by its own word. */
export type Success = Extract<Outcome, { readonly kind: "accepted" | "done" }>;

/** The columns that choose an order's routes; an order that is being accepted has no facts. */
export type Routed = Pick<Order, "payload"> & Partial<Pick<Order, "facts">>;

/** Why an order failed. */
export interface Failure {
  readonly code: FailureCode;
  readonly detail: string;
}

/** Why an order may not be sent, and the step by which it ends when no vendor has it. */
export interface Stop extends Failure {
  readonly answer: "expired" | "exhausted" | "suspended";
}

/**
 * A service's check right before the call, if that takes a query (a recipient who opted out meanwhile). Returns undefined at once
 * for orders that need none.
 */
export type PreSendCheck = (order: Order) => Promise<Failure | undefined> | undefined;

export interface ReportWords {
  /** Statuses that end a piece; no later report changes it. */
  readonly final: ReadonlySet<string>;
  /** The order's status from those of its pieces (`Piece.status`); undefined while they do not decide it. */
  readonly join: (statuses: readonly string[]) => string | undefined;
  /** The failure that a status means if the vendor gave no code. */
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
  /** How long after a vendor reports its own failure it is asked once more, before another vendor is called: some still deliver. Default 0. */
  readonly confirmFailedMs?: number;
  /**
   * How long after its begin a call without a recorded outcome may still be under way, even if its node is dead: one and a half times
   * the longest that the vendor may take to answer. It is not repeated before. Default 0.
   */
  readonly repeatAfterMs?: number;
  /** Two `not_found` answers prove something only if they are at least this far apart. */
  readonly notFoundApartMs: number;
  /**
   * How long a `not_found` does not count, as the request may still be on its way to the vendor. From the begin while no outcome of
   * the call is recorded, otherwise from the record that its answer was lost or unclear.
   */
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
