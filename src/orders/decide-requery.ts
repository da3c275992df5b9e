import type { Outcome } from "../ports/provider.ts";
import { NO_PROOF } from "./attempt.ts";
import { learnedFacts } from "./attempt-answer.ts";
import { decidePurchase, requeryAt } from "./decide-purchase.ts";
import type { Change, Order, Piece } from "./order.ts";
import { showsIt } from "./pieces.ts";
import { purchaseWaitsOf, type ServiceDefinition, type Stop } from "./service-definition.ts";
import { isFinal, stepFor } from "./steps.ts";
import { transition } from "./transition.ts";

/** A vendor's answer to a question about the current attempt of a purchase. */
export interface Requeried {
  readonly service: ServiceDefinition;
  readonly order: Order;
  readonly outcome: Outcome;
  /** Whether another route is left for the order. */
  readonly moreRoutes: boolean;
  /** Why the order may not be sent anew or repeated; undefined if it may. */
  readonly stop?: Stop | undefined;
  readonly at: Date;
}

/**
 * What the answer makes of the purchase. A vendor that can't be asked now, or leaves it open, is asked again on schedule; an attempt
 * without a recorded outcome (`begun`, `to_repeat`, `repeated`) becomes `doubted`. Pure, like decide.ts.
 */
export function decideRequery({ service, order, outcome, moreRoutes, stop, at }: Requeried): Change {
  if (outcome.kind === "throttled" || outcome.kind === "unknown")
    return transition(service, order, "unknown", {
      at,
      askOn: true,
      patch: {
        begunAt: null,
        tries: order.tries + 1,
        ambiguousAt: order.ambiguousAt ?? at,
        ...(order.endedAt === null &&
          showsIt(outcome) && { pieces: piecesAfterRequery(order, outcome, undefined), ...NO_PROOF }),
        ...(outcome.kind === "unknown" && learnedFacts(order, outcome)),
      },
      dueAt: requeryAt(purchaseWaitsOf(service, order), order, at),
      detail: { requery: outcome.detail },
    });
  // An ended order changes only by a step of its table; any other answer is kept in the timeline.
  const step = outcome.kind === "not_found" ? undefined : stepFor(service.table, order.state, outcome.kind);
  if (isFinal(service.table, order.state) && !step)
    return transition(service, order, undefined, { at, detail: { requery: outcome.kind } });
  const { attempt, route, attemptReference } = order;
  const reference = "providerReference" in outcome ? outcome.providerReference : undefined;
  return decidePurchase({
    service,
    order,
    attempt: { attempt, route, attemptReference },
    callBegunAt: order.begunAt,
    verdict: outcome,
    pieces: piecesAfterRequery(order, outcome, reference),
    references: reference === undefined ? [] : [{ route: route ?? "", reference, attempt, piece: 0 }],
    moreRoutes,
    ...(stop && { stop }),
    at,
  });
}

/** What the vendor says it has is taken, with or without a reference: it must never be sent again. */
function piecesAfterRequery(order: Order, outcome: Outcome, reference: string | undefined): readonly Piece[] {
  if (!showsIt(outcome)) return order.pieces ?? [];
  const known = reference ?? order.pieces?.[0]?.reference;
  return [{ status: "taken", ...(known !== undefined && { reference: known }) }];
}
