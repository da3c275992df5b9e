import type { Clock } from "../kernel/clock.ts";
import { type InSlices, type Steps, unsliced } from "../kernel/slices.ts";
import { firstSpanOf, newSpanId, type SpanPlace, spanIdOf, traceIdOf } from "../kernel/trace.ts";
import type { Outcome } from "../ports/provider.ts";
import type { Tracing } from "../ports/tracing.ts";
import type { Unit, UnitAnswer } from "./accept.repo.ts";
import type { Order } from "./order.ts";

/**
 * The spans of an order: all in the trace that has its id, each under the first one, its acceptance, which has a name of its own
 * (`firstSpanOf`). Each method returns at once.
 */
export interface EngineSpans {
  /** `answer`: what was refused, or the code of the refusal of all of it. */
  accepted(unit: Unit, answer: UnitAnswer | { readonly code: string }, sinceMs: number): void;
  /** The id of the attempt's span, which is recorded at its end. Undefined: it is not kept. */
  startDispatch(order: Order): string | undefined;
  dispatched(order: Order, attempt: Attempt, spanId: string, sinceMs: number): void;
  /** A vendor was called (`send`) or asked (`requery`); `parentId`: within that attempt. */
  called(order: Order, call: Call, sinceMs: number): void;
  /** A vendor's report was applied to the order. */
  reported(order: Order, provider: string, sinceMs: number): void;
}

interface Attempt {
  readonly route: string;
  readonly attempt: number;
  readonly outcomes: Outcomes;
}

interface Call {
  readonly provider: string;
  readonly operation: "send" | "requery";
  readonly parentId: string | undefined;
  readonly outcomes: Outcomes;
}

type Outcomes = readonly (Outcome | undefined)[];

/** Outcomes after which an order does not go on as it should. */
const FAILED: ReadonlySet<string> = new Set(["rejected", "throttled", "unknown", "not_found", "reversed"]);

/** Of all parts of a message the first that failed counts. */
function outcomeOf(outcomes: Outcomes): { readonly outcome: string | undefined; readonly error: string | undefined } {
  const kinds = outcomes.flatMap((outcome) => outcome?.kind ?? []);
  const error = kinds.find((kind) => FAILED.has(kind));
  return { outcome: error ?? kinds[0], error };
}

/** Undefined: nobody traces. */
export function makeEngineSpans(
  tracing: Tracing | undefined,
  { clock, inSlices = unsliced }: { readonly clock: Pick<Clock, "monotonicMs">; readonly inSlices?: InSlices },
): EngineSpans | undefined {
  if (!tracing?.isOn) return undefined;

  /** A span of the order besides its first. */
  const under = ({ id }: Pick<Order, "id">, spanId = newSpanId()) => ({
    traceId: traceIdOf(id),
    spanId,
    parentId: spanIdOf(id),
  });
  const isKept = ({ id }: Pick<Order, "id">) => tracing.keeps(traceIdOf(id));
  const labels = ({ service, mode }: Pick<Order, "service" | "mode">) => ({
    "afara.service": service,
    "afara.mode": mode,
  });

  /** Each order of a bulk begins a trace of its own, which points at the bulk. */
  function* acceptedEach({ orders }: Unit, { refused }: UnitAnswer, bulk: SpanPlace, sinceMs: number): Steps<void> {
    const untilMs = clock.monotonicMs();
    for (const [index, order] of orders.entries()) {
      if (refused.has(index) || !isKept(order)) continue;
      tracing!.record({
        ...firstSpanOf(order.id),
        name: "accept",
        links: [bulk],
        sinceMs,
        untilMs,
        attributes: labels(order),
      });
      yield;
    }
  }

  return {
    accepted(unit, answer, sinceMs) {
      const { group, orders } = unit;
      const [first] = orders;
      const made = group ?? first!;
      const { requestId } = made;
      const failed = "code" in answer ? answer.code : undefined;
      const refused =
        "code" in answer ? undefined : (answer.refused.get(-1) ?? (group ? undefined : answer.refused.get(0)));
      // What was refused is not there; one whose acceptance is unknown may be.
      const isThere = failed === "acceptance_unknown" || !(failed || refused);
      if (isThere && requestId) tracing.made(requestId, made.id);
      const traceId = traceIdOf(isThere || !requestId ? made.id : requestId);
      if (tracing.keeps(traceId))
        tracing.record({
          traceId,
          spanId: spanIdOf(made.id),
          parentId: requestId && spanIdOf(requestId),
          name: "accept",
          sinceMs,
          attributes: {
            ...labels(first!),
            "afara.orders": group && orders.length,
            "afara.refused": refused?.kind,
          },
          error: failed,
        });
      if (group && isThere && !("code" in answer))
        void inSlices(acceptedEach(unit, answer, firstSpanOf(group.id), sinceMs));
    },
    startDispatch: (order) => (isKept(order) ? newSpanId() : undefined),
    dispatched(order, { route, attempt, outcomes }, spanId, sinceMs) {
      const { outcome, error } = outcomeOf(outcomes);
      tracing.record({
        ...under(order, spanId),
        name: "dispatch",
        sinceMs,
        attributes: {
          ...labels(order),
          "afara.provider": route,
          "afara.attempt": attempt,
          "afara.outcome": outcome,
          "afara.state": order.state,
        },
        error,
      });
    },
    called(order, { provider, operation, parentId, outcomes }, sinceMs) {
      if (!isKept(order)) return;
      const { outcome, error } = outcomeOf(outcomes);
      const place = under(order);
      tracing.record({
        ...place,
        parentId: parentId ?? place.parentId,
        kind: "client",
        name: `${operation} ${provider}`,
        sinceMs,
        attributes: { "afara.provider": provider, "afara.operation": operation, "afara.outcome": outcome },
        error,
      });
    },
    reported(order, provider, sinceMs) {
      if (!isKept(order)) return;
      tracing.record({
        ...under(order),
        name: "report",
        sinceMs,
        attributes: { ...labels(order), "afara.provider": provider, "afara.state": order.state },
      });
    },
  };
}
