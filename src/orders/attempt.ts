import type { Order, Piece } from "./order.ts";
import { hasMissingOutcome, hasTakenPiece } from "./pieces.ts";

/**
 * What is known of an order's current attempt. The service's state says what the customer reads and where the money is; this
 * says what a vendor may have, and so whether the order may be sent again. It is read from the columns of the order
 * (docs/LIFE-OF-AN-ORDER.md, "The attempt").
 */
export const ATTEMPT_STATES = [
  /** No vendor has any of it: it may be sent, cancelled, or ended with its money back. */
  "new",
  /** An attempt is committed and its outcome is not recorded: the call may be under way. */
  "begun",
  /** Its node recorded no outcome and its vendor does not find it: to be sent again under the same reference. Purchases only. */
  "missing",
  /** Begun again, though the outcome of an earlier call is not known. A purchase is then sent under the same reference. */
  "repeated",
  /** No outcome is recorded, but a hint, or an inconclusive answer to a question, suggests that the vendor has it. Purchases only. */
  "doubted",
  /** An answer was lost or unclear, or contradicted by a later one: the vendor may have it. */
  "unanswered",
  /** The vendor has it (of a message: a part of it) by its own word. */
  "taken",
  /** The order has ended. */
  "settled",
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** The columns that the state is read from. */
export type AttemptColumns = Pick<Order, "ambiguity" | "begunAt" | "ambiguousAt" | "notFoundAt" | "pieces" | "endedAt">;

/** An order whose vendor can be asked what became of it. All others are messages: they wait for a report. */
export const isPurchase = ({ ambiguity }: Pick<Order, "ambiguity">): boolean => ambiguity === "requery";

/** A row of a table over the states: the same in each of them. */
export const inEveryState = <Value>(value: Value): Readonly<Record<AttemptState, Value>> => ({
  new: value,
  begun: value,
  missing: value,
  repeated: value,
  doubted: value,
  unanswered: value,
  taken: value,
  settled: value,
});

export function attemptState(order: AttemptColumns): AttemptState {
  if (order.endedAt !== null) return "settled";
  return isPurchase(order) ? purchaseState(order) : messageState(order);
}

/** Some parts of a message may be begun while one is taken. After a lost answer a taken part proves nothing about the others. */
function messageState({ begunAt, ambiguousAt, pieces }: AttemptColumns): AttemptState {
  if (begunAt !== null) return ambiguousAt === null ? "begun" : "repeated";
  if (ambiguousAt !== null) return "unanswered";
  if (hasTakenPiece(pieces)) return "taken";
  return pieces === null ? "new" : "unanswered";
}

function purchaseState({ begunAt, ambiguousAt, notFoundAt, pieces }: AttemptColumns): AttemptState {
  // A vendor that has since called it failed (`notFoundAt`) contradicts itself.
  if (hasTakenPiece(pieces)) return notFoundAt === null ? "taken" : "unanswered";
  if (ambiguousAt !== null) return hasRecordedOutcome(pieces) ? "unanswered" : "doubted";
  if (begunAt !== null) return hasMissingOutcome(pieces) ? "repeated" : "begun";
  if (hasMissingOutcome(pieces)) return "missing";
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

const NEEDS: Readonly<Record<"purchase" | "message", Readonly<Record<AttemptState, Need>>>> = {
  purchase: {
    new: "nothing",
    begun: "vendor's word",
    missing: "nothing",
    repeated: "vendor's word",
    doubted: "vendor's word",
    unanswered: "vendor's word",
    taken: "vendor's word",
    settled: "vendor's word", // an ended purchase is due only after a hint of something new
  },
  message: {
    new: "nothing",
    begun: "record of the loss",
    missing: "nothing",
    repeated: "record of the loss",
    doubted: "report",
    unanswered: "report",
    taken: "report",
    settled: "nothing",
  },
};

export const attemptNeeds = (order: AttemptColumns): Need =>
  NEEDS[isPurchase(order) ? "purchase" : "message"][attemptState(order)];

/** The open parts of a message, and a purchase that is missing, are sent again within their attempt; all else is a new attempt. */
export const nextAttempt = ({ pieces, attempt }: Pick<Order, "pieces" | "attempt">): number =>
  hasTakenPiece(pieces) || hasMissingOutcome(pieces) ? attempt : attempt + 1;
