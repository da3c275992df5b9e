import { isPurchase, NO_PROOF } from "./attempt.ts";
import { type Answered, decideOutcome, piecesOf, referencesOf } from "./decide.ts";
import { beforeFallback } from "./fallback.ts";
import type { Change, Order, Piece } from "./order.ts";
import { isOpen, settlePieces, showsIt, type Verdict } from "./pieces.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { type Answer, stepFor } from "./steps.ts";
import { transition } from "./transition.ts";

/** Answers that come after this node lost the lease, or after the order was decided. Pure, like decide.ts. */

/** Whether the lease under which the order was sent is still held: only then does the answer decide. */
export const isStillHeld = (current: Order, sentAs: Order): boolean =>
  current.leaseEpoch === sentAs.leaseEpoch && current.leasedUntil !== null;

/**
 * The answer to an attempt whose lease this node no longer has: another node has it, or the order was decided meanwhile (by a report,
 * or by this very answer, whose commit was not confirmed). A success counts like a report; anything else says nothing about what the
 * other node did, and is kept in the timeline.
 *
 * An order goes on to its fallback, and a purchase to its next attempt, only on proof that the earlier attempt was not done. So of such
 * an earlier attempt only `done` counts.
 */
export function decideLateOutcome(service: ServiceDefinition, order: Order, answered: Answered, at: Date): Change {
  const givenUp = beforeFallback(order, answered.attempt);
  const current = givenUp ?? order;
  const { pieces, verdict } = settlePieces(piecesOf(current, answered.attempt), answered.outcomes);
  const isOutdated = givenUp !== undefined || (isPurchase(order) && answered.attempt < order.attempt);
  const counts = verdict.kind === "done" || (showsIt(verdict) && !isOutdated);
  if (counts && stepFor(service.table, order.state, verdict.kind as Answer))
    return lateSuccess(order, verdict.kind, decideOutcome(service, current, answered, at));
  return transition(service, order, undefined, {
    at,
    keepLease: true,
    ...(givenUp === undefined && answered.attempt === order.attempt && takenOnly(order, pieces)),
    references: referencesOf(pieces, answered),
    detail: {
      late_answer: verdict.kind,
      route: answered.route,
      attempt: answered.attempt,
      ...(givenUp && { first_way: true }),
    },
  });
}

/** Another node may just now learn something newer of a purchase, so its vendor is asked once more after a late `done`. */
function lateSuccess(order: Order, kind: Verdict["kind"], change: Change): Change {
  const { at } = change;
  if (isPurchase(order))
    return kind === "done" ? { ...change, dueAt: at, after: { ...change.after, dueAt: at } } : change;
  return order.endedAt === null ? change : { ...change, detail: { ...change.detail, late_answer: kind } };
}

/** A piece that proves taken is not sent again, even though this answer does not decide the order. */
function takenOnly({ pieces: before }: Order, after: readonly Piece[]): { readonly patch?: Partial<Order> } {
  if (before === null) return {};
  const isTakenNow = (piece: Piece, index: number) => isOpen(piece) && after[index]?.status === "taken";
  if (!before.some(isTakenNow)) return {};
  // The vendor has it by its own word, so no earlier answer proves any more that it was not done. A late refusal proves nothing.
  return {
    patch: { pieces: before.map((piece, index) => (isTakenNow(piece, index) ? after[index]! : piece)), ...NO_PROOF },
  };
}

/**
 * The attempts that a late answer leaves open, by our references: its own, if the answer was unclear; and the attempt that replaced
 * it, if the late one was done. The vendor is asked at once about the order's current attempt; a person has to look at the other.
 */
export function leftOpen(before: Order, after: Order, late: Answered): readonly { route: string; reference: string }[] {
  if (!isPurchase(after)) return [];
  const isUnclear = late.outcomes.some((outcome) => outcome?.kind === "unknown" || outcome?.kind === "accepted");
  const isOutdated = late.attempt !== after.attempt && late.outcomes.some((outcome) => outcome?.kind === "done");
  const own = isUnclear || isOutdated ? [late] : [];
  return [...own, ...(before.attempt === after.attempt ? [] : [before])].flatMap(({ route, attemptReference }) =>
    route !== null && attemptReference !== null ? [{ route, reference: attemptReference }] : [],
  );
}
