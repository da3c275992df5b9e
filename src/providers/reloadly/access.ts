import { statusAndCode } from "../../kernel/logged-code.ts";
import type { ProbeAnswer } from "../../ports/provider.ts";
import { connectionFault, otherAnswer, PROBE_MS, strayAnswer } from "../access-probe.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { fieldsOf, goodFields } from "./answer.ts";
import type { ApiOutcome } from "./api.ts";

export const REFUSED = "Reloadly refuses our client id or secret";

/**
 * Whether Reloadly lets us in, by its answer to `GET /accounts/balance`, undefined when that says nothing of it. `outcome`: undefined when
 * none came in time. `failure`: of the access token.
 */
export function accessOf(outcome: ApiOutcome | undefined, failure: AccessTokens["failure"]): ProbeAnswer | undefined {
  if (outcome === undefined) return { kind: "not_reached", detail: `no whole answer within ${PROBE_MS} ms` };
  if (outcome.kind !== "answered") {
    if (failure?.refused) return { kind: "refused", detail: `${REFUSED} (${failure.detail})` };
    return {
      kind: "not_reached",
      detail: failure ? `no access token: ${connectionFault(failure.detail)}` : connectionFault(outcome.detail),
    };
  }
  const stray = outcome.whole && strayAnswer(outcome.whole);
  if (stray) return stray;
  const { status, errorCode } = outcome.answer;
  if (status === 401 || status === 403)
    return {
      kind: "refused",
      detail: `Reloadly refuses our token: ${statusAndCode(status, errorCode)}; is the environment right?`,
    };
  if (status === 429) return undefined;
  if (fieldsOf(goodFields(outcome.answer)).balance !== undefined) return { kind: "reached" };
  return otherAnswer(status, errorCode);
}
