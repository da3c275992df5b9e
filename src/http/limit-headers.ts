import type { FastifyReply } from "fastify";
import { type LimitDecision, WINDOW_SECONDS } from "./limits.ts";

const policyItem = ({ policy, limit }: LimitDecision): string => `"${policy}";q=${limit};w=${WINDOW_SECONDS}`;
const stateItem = ({ policy, remaining, resetSeconds }: LimitDecision): string =>
  `"${policy}";r=${remaining};t=${resetSeconds}`;

const shareLeft = ({ remaining, limit }: LimitDecision): number => (limit === 0 ? 0 : remaining / limit);

/**
 * Sets headers from the request's limit decisions, in the list form of draft-ietf-httpapi-ratelimit-headers (RFC 9651
 * strings with parameters) and in the `X-RateLimit-*` form that most clients know. With two decisions the tighter comes
 * first.
 */
export function setLimitHeaders(reply: FastifyReply): void {
  const { limited, limitedFurther } = reply.request;
  if (limited === null) return;
  if (limitedFurther === null) {
    setAll(reply, policyItem(limited), stateItem(limited), limited);
    return;
  }
  const [tight, wide] =
    shareLeft(limitedFurther) < shareLeft(limited) ? [limitedFurther, limited] : [limited, limitedFurther];
  setAll(reply, `${policyItem(tight)}, ${policyItem(wide)}`, `${stateItem(tight)}, ${stateItem(wide)}`, tight);
}

function setAll(reply: FastifyReply, policies: string, states: string, tight: LimitDecision): void {
  reply.headers({
    "ratelimit-policy": policies,
    ratelimit: states,
    "x-ratelimit-limit": String(tight.limit),
    "x-ratelimit-remaining": String(tight.remaining),
    "x-ratelimit-reset": String(tight.resetSeconds),
  });
}
