import type { FastifyReply, FastifyRequest } from "fastify";
import type { Refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { callerOf, overLimit, subjectOf } from "./authenticate.ts";
import { setLimitHeaders } from "./limit-headers.ts";

/**
 * Counts `points` of a further policy for the request under way, all or none, e.g. the recipients of a bulk, and adds
 * it to the headers.
 * Errors: `rate_limited`; without `Retry-After` when the plan never allows so many in one minute.
 */
export async function takePoints(reply: FastifyReply, policy: string, points: number): Promise<Result<void, Refusal>> {
  const caller = callerOf(reply.request);
  const { limits, limitFor } = reply.server.edge;
  const decision = await limits.take(subjectOf(caller), policy, limitFor(caller, policy), points);
  reply.request.limitedFurther = decision;
  setLimitHeaders(reply);
  return decision.allowed ? ok(undefined) : refuse(overLimit(decision));
}

/**
 * Whether so many points may be left, without counting them: the refusal when they are not. For requests whose exact count is
 * dear to find out.
 */
export async function pointsRefused(
  request: FastifyRequest,
  policy: string,
  points: number,
): Promise<Refusal | undefined> {
  const caller = callerOf(request);
  const { limits, limitFor } = request.server.edge;
  const decision = await limits.take(subjectOf(caller), policy, limitFor(caller, policy), 0);
  if (points <= decision.remaining) return undefined;
  request.limitedFurther = decision;
  return overLimit({ ...decision, points, allowed: false });
}
