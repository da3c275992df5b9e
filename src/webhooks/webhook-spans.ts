import type { Clock } from "../kernel/clock.ts";
import { encodeId } from "../kernel/ids.ts";
import { newSpanId, spanIdOf, traceIdOf } from "../kernel/trace.ts";
import type { Tracing } from "../ports/tracing.ts";
import type { Claimed, Message } from "./delivery.ts";
import type { Outcome } from "./outcome.ts";

/** Called after each attempt, which was made just now. */
export type Attempted = (endpoint: Claimed, message: Message, outcome: Outcome) => void;

/** A span for each attempt, in the trace of what its event is about. Undefined: nobody traces. */
export function makeWebhookSpans(
  tracing: Tracing | undefined,
  clock: Pick<Clock, "monotonicMs">,
): Attempted | undefined {
  if (!tracing?.isOn) return undefined;
  return ({ id, mode }, { eventId, type, subjectId }, { error, status, durationMs }) => {
    const traceId = traceIdOf(subjectId);
    if (!tracing.keeps(traceId)) return;
    const untilMs = clock.monotonicMs();
    tracing.record({
      traceId,
      spanId: newSpanId(),
      parentId: spanIdOf(subjectId),
      kind: "client",
      name: "webhook",
      sinceMs: untilMs - durationMs,
      untilMs,
      attributes: {
        "afara.endpoint": encodeId("whe", id),
        "afara.event": encodeId("evt", eventId),
        "afara.event_type": type,
        "afara.mode": mode,
        "http.request.method": "POST",
        "http.response.status_code": status,
      },
      error,
    });
  };
}
