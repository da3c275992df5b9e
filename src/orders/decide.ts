import type { Outcome } from "../ports/provider.ts";
import { isPurchase, nextAttempt } from "./attempt.ts";
import type { AttemptAnswer } from "./attempt-answer.ts";
import { decideMessage } from "./decide-message.ts";
import { decidePurchase } from "./decide-purchase.ts";
import type { Change, LearnedReference, Order, Piece } from "./order.ts";
import { hasTakenPiece, mayHaveEarlierCall, settlePieces } from "./pieces.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { begunOnceMore } from "./throttled.ts";
import { transition } from "./transition.ts";

/**
 * The engine's decisions, pure: what an order becomes by an answer, a report, the time or a caller. Nothing here does IO, so that the
 * simulation test can play millions of histories against it. The caller applies the change (`changeOrders`); if the order has
 * changed meanwhile, the caller reads it again and decides anew.
 */

/** What an attempt is begun with. */
export interface Beginning {
  readonly service: ServiceDefinition;
  readonly order: Order;
  readonly route: string;
  /** How many pieces the route's vendor takes the order in. */
  readonly pieceCount: number;
  /** Our reference for the attempt, where its vendor demands one; default null. */
  readonly attemptReference?: string | null;
  readonly at: Date;
}

/**
 * The begin, committed before the call: attempt, route and number of pieces, under this node's own live lease only. Pieces that were
 * taken before stay as they are.
 */
export function decideBegin({ service, order, route, pieceCount, attemptReference = null, at }: Beginning): Change {
  const attempt = nextAttempt(order);
  const pieces = Array.from({ length: pieceCount }, (_, index): Piece => {
    const known = attempt === order.attempt ? order.pieces?.[index] : undefined;
    return known ?? { status: "open" };
  });
  return transition(service, order, "begun", {
    at,
    keepLease: true,
    needs: "own lease",
    patch: { attempt, route, attemptReference, begunAt: at, pieces },
    ...begunOnceMore(order),
  });
}

export const piecesOf = (order: Order, attempt: number) => (attempt === order.attempt ? order.pieces : null);

export interface Answered {
  readonly route: string;
  readonly attempt: number;
  /** Our reference for the attempt, where its vendor demands one. */
  readonly attemptReference: string | null;
  /** When the first byte may have left. */
  readonly begunAt: Date;
  /** By piece; undefined where nothing was sent this time. */
  readonly outcomes: readonly (Outcome | undefined)[];
  /** Whether another route is left for this order. */
  readonly moreRoutes: boolean;
}

/** What the vendor's answers to an attempt make of the order. */
export function decideOutcome(service: ServiceDefinition, order: Order, answered: Answered, at: Date): Change {
  const before = piecesOf(order, answered.attempt);
  // Also a first call that a signed callback overtook: the vendor has it, whatever this answer says.
  const isRepeat = mayHaveEarlierCall(before) || (isPurchase(order) && hasTakenPiece(before));
  const outcomes = isRepeat ? answered.outcomes.map(refusalOfRepeat) : answered.outcomes;
  const { pieces, verdict } = settlePieces(before, outcomes);
  const { route, attempt, attemptReference, begunAt, moreRoutes } = answered;
  return decideAnswer({
    service,
    order,
    // Attempt, route, reference and pieces go together: a vendor is asked only about what it was given.
    attempt: { attempt, route, attemptReference },
    callBegunAt: begunAt,
    verdict,
    pieces,
    references: referencesOf(pieces, answered),
    moreRoutes,
    at,
  });
}

/** A purchase's vendor can be asked what became of it, a message's can't. */
const decideAnswer = (answer: AttemptAnswer): Change =>
  isPurchase(answer.order) ? decidePurchase(answer) : decideMessage(answer);

/**
 * A refused repeat says nothing about the earlier call, which may have been taken meanwhile: the vendor has to be asked. A repeat
 * refused as a duplicate is presumably one of the earlier call: the vendor is presumed to have it.
 */
function refusalOfRepeat(outcome: Outcome | undefined): Outcome | undefined {
  if (outcome?.kind === "rejected") return { kind: "unknown", detail: outcome.detail };
  return outcome?.kind === "throttled" && outcome.isLikeAnother
    ? { kind: "unknown", detail: outcome.detail, isKnown: true }
    : outcome;
}

/** The vendor's references that this answer taught. */
export const referencesOf = (
  pieces: readonly Piece[],
  { route, attempt, outcomes }: Answered,
): readonly LearnedReference[] =>
  pieces.flatMap(({ reference }, piece) =>
    reference === undefined || outcomes[piece] === undefined ? [] : [{ route, reference, attempt, piece }],
  );
