import type { Outcome } from "../ports/provider.ts";
import { decideVerdict, learned, requeryAt, transition } from "./decide.ts";
import type { Change, Order, Piece } from "./order.ts";
import { showsIt } from "./pieces.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { isFinal, stepFor } from "./steps.ts";

/** Answers to questions about an attempt. Pure, like decide.ts. */

/** A requery's answer: it speaks of the attempt as a whole. A vendor that can't be asked now changes nothing. */
export function decideRequery(
  service: ServiceDefinition,
  order: Order,
  outcome: Outcome,
  moreRoutes: boolean,
  at: Date,
): Change {
  if (outcome.kind === "throttled" || outcome.kind === "unknown")
    return transition(service, order, "unknown", {
      at,
      askOn: true,
      patch: {
        begunAt: null,
        tries: order.tries + 1,
        ambiguousAt: order.ambiguousAt ?? at,
        ...(order.endedAt === null &&
          showsIt(outcome) && { pieces: piecesAfterRequery(order, outcome, undefined), notFoundAt: null }),
        ...(outcome.kind === "unknown" && learned(order, outcome)),
      },
      dueAt: requeryAt(service.waits(order.mode), order, at),
      detail: { requery: outcome.detail },
    });
  // What has ended changes by a step alone; any other word of the vendor's is kept in the timeline.
  const step = outcome.kind === "not_found" ? undefined : stepFor(service.table, order.state, outcome.kind);
  if (isFinal(service.table, order.state) && !step)
    return transition(service, order, undefined, { at, detail: { requery: outcome.kind } });
  const route = order.route ?? "";
  const reference = "providerReference" in outcome ? outcome.providerReference : undefined;
  const pieces = piecesAfterRequery(order, outcome, reference);
  const references = reference === undefined ? [] : [{ route, reference, attempt: order.attempt, piece: 0 }];
  const answered = { route, begunAt: order.begunAt ?? at, moreRoutes };
  return decideVerdict(service, order, order, outcome, pieces, references, answered, at);
}

/** What the vendor says that it has is taken, with or without a name for it: it must never be sent again. */
function piecesAfterRequery(order: Order, outcome: Outcome, reference: string | undefined): readonly Piece[] {
  if (!showsIt(outcome)) return order.pieces ?? [];
  const known = reference ?? order.pieces?.[0]?.reference;
  return [{ status: "taken", ...(known !== undefined && { reference: known }) }];
}
