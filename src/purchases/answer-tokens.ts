import type { Success } from "../orders/service-definition.ts";
import type { PurchaseFacts } from "../ports/purchase-payload.ts";
import { hideTokens, readToken } from "../vendor-text/sts.ts";

/**
 * `tokens` are sealed and shown to few, everything else is not: what reads as a token there is hidden. No disco's receipt number comes
 * near twenty digits. Vendors' references may be longer, so only one that contains a token is left out; nothing is lost by that, as
 * vendors of electricity are asked by our reference.
 */
export function tokensInTheirPlace(success: Success): Success {
  if (!isOfElectricity(success)) return success;
  const { providerReference, facts = {}, ...outcome } = success;
  const { tokens = [] } = facts as PurchaseFacts;
  const digits = providerReference?.replaceAll(/\D/g, "") ?? "";
  const isToken = readToken(digits) !== undefined || tokens.some(({ value }) => digits.includes(value));
  return {
    ...outcome,
    ...(providerReference !== undefined && !isToken && { providerReference }),
    facts: Object.fromEntries(
      Object.entries(facts).map(([name, fact]) => [name, typeof fact === "string" ? hideTokens(fact) : fact]),
    ),
  };
}

/** It has tokens, or they are still to come. */
const isOfElectricity = (success: Success): boolean =>
  success.facts?.tokens !== undefined || (success.kind === "accepted" && success.incomplete === true);
