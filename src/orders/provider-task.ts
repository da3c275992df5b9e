import { ok, type Result, refuse } from "../kernel/result.ts";
import type { Outcome, ProviderTask } from "../ports/provider.ts";
import type { Order, Piece } from "./order.ts";
import { isOpen, showsIt } from "./pieces.ts";
import type { Failure } from "./service-definition.ts";

/** What goes to a vendor, and what stands for its answer when nothing went. */

/** That the vendor has it is remembered all the same. */
export const unstorable = (outcome: Outcome): Outcome => ({
  kind: "unknown",
  detail: "The vendor's answer could not be stored.",
  ...(showsIt(outcome) && { isKnown: true }),
});

/** The breaker was open. */
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

/** Nothing was sent this time, which is certain: `why` stands for the piece that would have been the first. */
export function notSent(pieces: readonly Piece[] | null, why: Outcome): readonly (Outcome | undefined)[] {
  const first = Math.max(pieces?.findIndex((piece) => isOpen(piece)) ?? 0, 0);
  const outcomes: (Outcome | undefined)[] = Array.from({ length: first + 1 });
  outcomes[first] = why;
  return outcomes;
}

/** The payload as the vendor needs it: what is not readable at rest is deciphered. Throws when it can't be. */
export type OpenPayload = (order: Pick<Order, "id" | "service" | "payload" | "facts">) => unknown;

/** Errors: it was tampered with, or sealed under another secret of the server. */
export function openedPayload(order: Order, open: OpenPayload): Result<unknown, Failure> {
  try {
    return ok(open(order));
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

/** The attempt that the order stands at, to be asked after: by its references, so nothing secret is opened for it. */
export function questionFor(order: Order, mayStillSend: () => boolean): ProviderTask {
  const task = taskFor(order, order.payload, order.attempt, order.attemptReference, mayStillSend);
  const providerReference = order.pieces?.[0]?.reference;
  return providerReference === undefined ? task : { ...task, providerReference };
}
