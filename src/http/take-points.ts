import type { FastifyReply } from "fastify";
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
