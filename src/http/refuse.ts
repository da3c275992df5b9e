import type { FastifyReply } from "fastify";
import type { Refusal } from "../kernel/refusal.ts";
import { setLimitHeaders } from "./limit-headers.ts";
import type { LimitDecision } from "./limits.ts";
import { PROBLEM_MEDIA_TYPE, problemOf } from "./problems.ts";

/**
 * Answers with a refusal as problem+json: the only way this gateway refuses. Return its result from the handler. A 5xx refusal gives
 * the caller's points back; any refusal gives back points counted for sending (the recipients of a bulk). The headers show what
 * remains afterwards.
 */
export function sendRefusal<Reply extends FastifyReply>(reply: Reply, refusal: Refusal): Reply {
  const { request } = reply;
  const kind = reply.server.edge.problems.kindOf(refusal.code);
  const { status } = kind;
  giveBackPoints(reply, status >= 500);
  request.refused = refusal;
  // RFC 9110 section 11.6.1 wants a challenge with every 401.
  if (status === 401) reply.header("www-authenticate", 'ApiKey realm="afara", header="X-API-Key"');
  if (refusal.retryAfterSeconds !== undefined) reply.header("retry-after", refusal.retryAfterSeconds);
  reply.code(status).header("content-type", PROBLEM_MEDIA_TYPE);
  // As bytes: the framework would add a charset to a string, and this media type has none.
  reply.send(Buffer.from(JSON.stringify(problemOf(refusal, request.id, kind))));
  return reply;
}

function giveBackPoints(reply: FastifyReply, ourFault: boolean): void {
  const { limited, limitedFurther } = reply.request;
  if (!limited || !(ourFault || limitedFurther)) return; // the framework refuses some requests before they have either
  const { edge } = reply.server;
  const restored = (decision: LimitDecision): LimitDecision => {
    if (!decision.allowed) return decision;
    Promise.resolve(edge.limits.giveBack(decision)).catch((error: unknown) =>
      edge.log.warn({ err: error, policy: decision.policy }, "points were not given back"),
    );
    return { ...decision, points: 0, remaining: Math.min(decision.limit, decision.remaining + decision.points) };
  };
  if (ourFault) reply.request.limited = restored(limited);
  reply.request.limitedFurther = limitedFurther && restored(limitedFurther);
  setLimitHeaders(reply);
}
