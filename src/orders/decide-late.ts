import { isPurchase } from "./attempt.ts";
import { type Answered, decideOutcome, piecesOf, referencesOf } from "./decide.ts";
import { onFirstWay } from "./fallback.ts";
import type { Change, Order, Piece } from "./order.ts";
import { isOpen, settlePieces, showsIt } from "./pieces.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { type Answer, stepFor } from "./steps.ts";
import { transition } from "./transition.ts";

/** Answers that come after this node lost the lease, or after the order was decided. Pure, like decide.ts. */

/** Whether the lease under which the order was sent is still held: only then does the answer decide. */
export const isStillHeld = (current: Order, sentAs: Order): boolean =>
  current.leaseEpoch === sentAs.leaseEpoch && current.leasedUntil !== null;

/**
 * The answer to an attempt whose lease this node no longer has: another node has it, or the order was decided meanwhile (by a report,
 * or by this very answer, whose commit was not confirmed). That the vendor has the order counts like a report; that it has not says
 * nothing about what the other node did. A purchase goes on to its next attempt, and any order to its fallback, only on proof that the
 * earlier attempt was not done, so that of an earlier attempt only a success counts. The answer may be older than what another node
 * learns just now, so after a late success the vendor is asked once more.
 */
export function decideLateOutcome(service: ServiceDefinition, order: Order, answered: Answered, at: Date): Change {
  const first = onFirstWay(order, answered.attempt);
  const current = first ?? order;
  const { pieces, verdict } = settlePieces(piecesOf(current, answered.attempt), answered.outcomes);
  const isOutdated = first !== undefined || (isPurchase(order) && answered.attempt < order.attempt);
  // That the vendor has it counts like a report, even if the outcome is still unclear.
  const counts = verdict.kind === "done" || (showsIt(verdict) && !isOutdated);
  if (counts && stepFor(service.table, order.state, verdict.kind as Answer)) {
    const change = decideOutcome(service, current, answered, at);
    const isAskedOnce = isPurchase(order) && verdict.kind === "done";
    if (!isPurchase(order) && order.endedAt !== null)
      return { ...change, detail: { ...change.detail, late_answer: verdict.kind } };
    return isAskedOnce ? { ...change, dueAt: at, after: { ...change.after, dueAt: at } } : change;
  }
  return transition(service, order, undefined, {
    at,
    keepLease: true,
    ...(first === undefined && answered.attempt === order.attempt && takenOnly(order, pieces)),
    references: referencesOf(pieces, answered),
    detail: {
      late_answer: verdict.kind,
      route: answered.route,
      attempt: answered.attempt,
      ...(first && { first_way: true }),
    },
  });
}

/** A piece that was taken after all is not sent again, even though this answer does not decide the order. */
function takenOnly({ pieces: before }: Order, after: readonly Piece[]): { readonly patch?: Partial<Order> } {
  if (before === null || before.every((piece, index) => !isOpen(piece) || isOpen(after[index]))) return {};
  return { patch: { pieces: before.map((piece, index) => (after[index]?.status === "taken" ? after[index] : piece)) } };
}

/**
 * The attempts whose outcome a late answer leaves open, by our references: its own, if it was unclear; and the attempt that replaced
 * it, if the late one was done after all. The vendor is asked at once about the order's current attempt; a person has to look at
 * the other.
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
