import { ok, type Result, refuse } from "../kernel/result.ts";
import type { Outcome, ProviderTask } from "../ports/provider.ts";
import type { Order, Piece } from "./order.ts";
import { isOpen, showsIt } from "./pieces.ts";
import type { Unseal } from "./service.ts";
import type { Failure } from "./service-definition.ts";

/** The task that a vendor gets, and the outcomes that are recorded when nothing was sent. */

/** Recorded in place of an answer that can't be stored; that the vendor has the order is kept. */
export const unstorable = (outcome: Outcome): Outcome => ({
  kind: "unknown",
  detail: "The vendor's answer could not be stored.",
  ...(showsIt(outcome) && { isKnown: true }),
});

/** The circuit breaker was open. */
export const LEFT_ALONE: Outcome = {
  kind: "throttled",
  retryAfterMs: 1_000,
  detail: "The vendor has not answered lately and is left alone for a moment.",
};

export const BEGIN_UNANSWERED: Outcome = {
  kind: "throttled",
  retryAfterMs: 0,
  detail: "It did not leave: the database's answer was lost before.",
};

/** Certainly nothing was sent this time: `why` is the outcome of the first open piece. */
export function notSent(pieces: readonly Piece[] | null, why: Outcome): readonly (Outcome | undefined)[] {
  const first = Math.max(pieces?.findIndex((piece) => isOpen(piece)) ?? 0, 0);
  const outcomes: (Outcome | undefined)[] = Array.from({ length: first + 1 });
  outcomes[first] = why;
  return outcomes;
}

/** Errors: it was tampered with, or sealed under another secret of the server. */
export function openedPayload(order: Order, unseal: Unseal = ({ payload }) => payload): Result<unknown, Failure> {
  try {
    return ok(unseal(order));
  } catch {
    return refuse({ code: "payload_unreadable", detail: "The stored order could not be read for sending." });
  }
}

/** One attempt of an order, as its adapter gets it. `payload` as opened. */
export const taskFor = (
  order: Order,
  payload: unknown,
  attempt: number,
  reference: string | null,
  mayStillSend: () => boolean,
): ProviderTask => ({
  orderId: order.id,
  service: order.service,
  mode: order.mode,
  attempt,
  reference,
  recipient: order.recipient,
  payload,
  expiresAt: order.expiresAt,
  mayStillSend,
});

/** The question about the order's current attempt. Its references are enough, so no secret is deciphered for it. */
export function questionFor(order: Order, mayStillSend: () => boolean): ProviderTask {
  const task = taskFor(order, order.payload, order.attempt, order.attemptReference, mayStillSend);
  const providerReference = order.pieces?.[0]?.reference;
  return providerReference === undefined ? task : { ...task, providerReference };
}
