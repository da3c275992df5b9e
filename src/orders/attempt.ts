import type { Order, Piece } from "./order.ts";
import { hasTakenPiece, mayHaveEarlierCall } from "./pieces.ts";

/**
 * What is known of an order's current attempt. The service's state says what the customer reads and where the money is; this
 * says what a vendor may have, and so whether the order may be sent. It is read from the columns of the order
 * (docs/LIFE-OF-AN-ORDER.md, "The attempt").
 */
export const ATTEMPT_STATES = [
  /** No vendor has any of it: it may be sent, cancelled, or ended with its money back. */
  "new",
  /** An attempt is committed and its outcome is not recorded: the call may be under way. */
  "begun",
  /** To be repeated under the same reference: its node recorded no outcome, and its vendor does not find it. Purchases only. */
  "to_repeat",
  /** Begun again, though the outcome of an earlier call is not known. A purchase is then sent under the same reference. */
  "repeated",
  /**
   * No outcome is recorded. A hint, or an inconclusive answer to a question, says that the vendor may have it, and nothing proves
   * otherwise yet. Purchases only.
   */
  "doubted",
  /** An answer was lost or unclear, or its vendor called the purchase failed and has not confirmed it: the vendor may have it. */
  "unanswered",
  /** The vendor has it (of a message: a part of it) by its own word. */
  "taken",
  /** The order has ended. */
  "settled",
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];
type MessageState = Exclude<AttemptState, "to_repeat" | "doubted">;

/** The columns that the state is read from. */
export type AttemptColumns = Pick<Order, "ambiguity" | "begunAt" | "ambiguousAt" | "failedAt" | "pieces" | "endedAt">;

/** No answer counts any more as proof that the attempt was not done: the vendor has said since that it has it. */
export const NO_PROOF = { notFoundAt: null, failedAt: null } as const satisfies Partial<Order>;

/** An order whose vendor can be asked what became of it. All others are messages: they wait for a report. */
export const isPurchase = ({ ambiguity }: Pick<Order, "ambiguity">): boolean => ambiguity === "requery";

/** A row of a table over the states: the same in each of them. */
export const inEveryState = <Value>(value: Value): Readonly<Record<AttemptState, Value>> => ({
  new: value,
  begun: value,
  to_repeat: value,
  repeated: value,
  doubted: value,
  unanswered: value,
  taken: value,
  settled: value,
});

export const attemptState = (order: AttemptColumns): AttemptState =>
  isPurchase(order) ? purchaseState(order) : messageState(order);

/** What decides the state whatever is sold. */
function endOrFailure({ endedAt, failedAt }: AttemptColumns): "settled" | "unanswered" | undefined {
  if (endedAt !== null) return "settled";
  // Called failed, so the call arrived: it is never repeated. Even a `taken` attempt is `unanswered` by this: the vendor's newer word
  // contradicts its earlier one.
  return failedAt === null ? undefined : "unanswered";
}

/** Some parts of a message may be begun while one is taken. After a lost answer a taken part proves nothing about the others. */
function messageState(order: AttemptColumns): MessageState {
  const { begunAt, ambiguousAt, pieces } = order;
  const decided = endOrFailure(order);
  if (decided) return decided;
  if (begunAt !== null) return ambiguousAt === null ? "begun" : "repeated";
  if (ambiguousAt !== null) return "unanswered";
  if (hasTakenPiece(pieces)) return "taken";
  return pieces === null ? "new" : "unanswered";
}

function purchaseState(order: AttemptColumns): AttemptState {
  const { begunAt, ambiguousAt, pieces } = order;
  const decided = endOrFailure(order);
  if (decided) return decided;
  if (hasTakenPiece(pieces)) return "taken";
  if (ambiguousAt !== null) return hasRecordedOutcome(pieces) ? "unanswered" : "doubted";
  if (begunAt !== null) return mayHaveEarlierCall(pieces) ? "repeated" : "begun";
  if (mayHaveEarlierCall(pieces)) return "to_repeat";
  return pieces === null ? "new" : "unanswered";
}

/** Whether anything was recorded of the call, if only that its answer was lost. */
const hasRecordedOutcome = (pieces: readonly Piece[] | null): boolean =>
  pieces?.some(({ status }) => status !== "open" && status !== "unheard") ?? false;

/** What is to be done with an attempt before the order may be sent. */
type Need =
  | "nothing" // it may be sent
  | "vendor's word" // the vendor is asked until it is proven done or not done
  | "record of the loss" // its node is gone: recorded as a lost answer
  | "report"; // open parts may be sent; otherwise it waits for a report

const PURCHASE_NEEDS: Readonly<Record<AttemptState, Need>> = {
  new: "nothing",
  begun: "vendor's word",
  to_repeat: "nothing",
  repeated: "vendor's word",
  doubted: "vendor's word",
  unanswered: "vendor's word",
  taken: "vendor's word",
  settled: "vendor's word", // an ended purchase is due only after a hint of something new
};

const MESSAGE_NEEDS: Readonly<Record<MessageState, Need>> = {
  new: "nothing",
  begun: "record of the loss",
  repeated: "record of the loss",
  unanswered: "report",
  taken: "report",
  settled: "nothing",
};

export const attemptNeeds = (order: AttemptColumns): Need =>
  isPurchase(order) ? PURCHASE_NEEDS[purchaseState(order)] : MESSAGE_NEEDS[messageState(order)];

/** The open parts of a message, and a purchase that is to be repeated, are sent within their attempt; all else is a new attempt. */
export const nextAttempt = ({ pieces, attempt }: Pick<Order, "pieces" | "attempt">): number =>
  hasTakenPiece(pieces) || mayHaveEarlierCall(pieces) ? attempt : attempt + 1;
