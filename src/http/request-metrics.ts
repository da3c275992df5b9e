import type { FastifyReply, FastifyRequest } from "fastify";
import type { Metrics } from "../ports/metrics.ts";
import { COMMON_REFUSALS } from "./common.refusals.ts";
import { openApiPath } from "./openapi-path.ts";

/** From an answer out of memory to a purchase that waits for its outcome. */
const ANSWER_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
/** Polled without end, and of no interest. */
const HEALTH: ReadonlySet<string> = new Set(["/livez", "/readyz"]);
/** A path without a route may be anything. */
const NO_ROUTE = "none";

/** Counts an answer; call it once for each, as it is decided. */
export type CountAnswer = (request: FastifyRequest, reply: FastifyReply, durationMs: number) => void;

export function makeRequestMetrics(metrics: Metrics): CountAnswer {
  const duration = metrics.histogram<"route" | "method" | "status_class">({
    name: "afara_http_request_duration_seconds",
    help: "From the end of a request's head until its answer is decided, by the route's template.",
    labels: ["route", "method", "status_class"],
    buckets: ANSWER_SECONDS,
  });
  const refused = metrics.counter<"code">({
    name: "afara_http_refusals_total",
    help: "Refused requests by their error code (docs/errors).",
    labels: ["code"],
  });
  // A rate sees no increase from nothing to one.
  for (const code of Object.keys(COMMON_REFUSALS.problems)) refused.add(0, code);
  const limited = metrics.counter<"policy">({
    name: "afara_rate_limited_total",
    help: "Requests refused by a limit per minute, by its policy.",
    labels: ["policy"],
  });
  const templates = new Map<string, string>();
  const templateOf = (url: string | undefined): string => {
    if (url === undefined) return NO_ROUTE;
    const known = templates.get(url) ?? openApiPath(url);
    templates.set(url, known); // routes are a closed list
    return known;
  };

  return (request, reply, durationMs) => {
    const route = templateOf(request.routeOptions.url);
    if (HEALTH.has(route)) return;
    const { statusCode } = reply;
    const statusClass = `${Math.floor(statusCode / 100)}xx`;
    // Only a route's method is one of a closed list.
    const method = route === NO_ROUTE ? NO_ROUTE : request.method;
    duration.observe(durationMs / 1_000, route, method, statusClass);
    const code = request.refused?.code;
    if (code === undefined) return;
    refused.add(1, code);
    if (code === "rate_limited") limited.add(1, request.limited?.policy ?? NO_ROUTE);
  };
}
