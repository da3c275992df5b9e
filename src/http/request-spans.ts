import type { Clock } from "../kernel/clock.ts";
import { decodeId, encodeId, type Uuid } from "../kernel/ids.ts";
import { firstSpanOf, readTraceparent, type SpanPlace, spanIdOf, traceIdOf } from "../kernel/trace.ts";
import type { Tracing } from "../ports/tracing.ts";
import { requestUuid } from "./idempotency.ts";
import { openApiPath } from "./openapi-path.ts";
import type { CountAnswer } from "./request-metrics.ts";

/** Whose traces are named by their id. */
const TRACED = ["msg", "pur", "blk"] as const;

/**
 * A span for each answer to a known caller, in the trace of what the request made, else in one of its own. A caller's own trace is
 * linked to and not continued, so that nobody outside decides what is kept. Strangers make no spans: they could make any number.
 * Undefined: nobody traces.
 */
export function makeRequestSpans(tracing: Tracing, clock: Pick<Clock, "monotonicMs">): CountAnswer | undefined {
  if (!tracing.isOn) return undefined;
  return (request, reply, durationMs) => {
    if (request.account === null) return;
    const requestId = requestUuid(request);
    const made = tracing.takeMade(requestId);
    const traceId = traceIdOf(made ?? requestId);
    if (!tracing.keeps(traceId)) return;
    const untilMs = clock.monotonicMs();
    const { url } = request.routeOptions;
    const route = url === undefined ? undefined : openApiPath(url);
    const status = reply.statusCode;
    const code = request.refused?.code;
    tracing.record({
      traceId,
      spanId: spanIdOf(requestId),
      kind: "server",
      name: route === undefined ? request.method : `${request.method} ${route}`,
      links: [...linked(readTraceparent(request.headers.traceparent)), ...linked(made ? undefined : aboutOf(request))],
      sinceMs: untilMs - durationMs,
      untilMs,
      attributes: {
        "http.request.method": request.method,
        "http.route": route,
        "url.scheme": request.protocol,
        "http.response.status_code": status,
        "afara.request": request.id,
        "afara.account": encodeId("acc", request.account as Uuid),
        "afara.code": code,
      },
      error: status >= 500 ? (code ?? String(status)) : undefined,
    });
  };
}

const linked = (place: SpanPlace | undefined): readonly SpanPlace[] => (place ? [place] : []);

/** The order or bulk that it repeated or read. */
function aboutOf({ orderId }: { readonly orderId: string | null }): SpanPlace | undefined {
  const id = orderId && TRACED.map((prefix) => decodeId(prefix, orderId)).find((found) => found !== undefined);
  return id ? firstSpanOf(id) : undefined;
}
