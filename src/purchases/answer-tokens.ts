import type { Success } from "../orders/service-definition.ts";
import type { PurchaseFacts } from "../ports/purchase.ts";
import { hideTokens, readToken } from "../vendor-text/sts.ts";
import { maskedCode } from "./tokens.ts";

/**
 * `tokens` are sealed and shown to few, everything else is not: what reads as a token there is hidden. No disco's receipt number comes
 * near twenty digits. Vendors' references may be longer, so only one that contains a token is left out; nothing is lost by that, as
 * vendors of tokens are asked by our reference.
 */
export function tokensInTheirPlace(success: Success): Success {
  if (!bringsTokens(success)) return success;
  const { providerReference, facts = {}, ...outcome } = success;
  const values = ((facts as PurchaseFacts).tokens ?? []).map(({ value }) => value).filter((value) => value !== "");
  return {
    ...outcome,
    ...(providerReference !== undefined && !hasToken(providerReference, values) && { providerReference }),
    facts: Object.fromEntries(
      Object.entries(facts).map(([name, fact]) => [name, typeof fact === "string" ? hideCodes(fact, values) : fact]),
    ),
  };
}

/** It has tokens, or they are still to come. */
const bringsTokens = (success: Success): boolean =>
  success.facts?.tokens !== undefined || (success.kind === "accepted" && success.incomplete === true);

/** With or without gaps, and letters in between where the token has none. */
function hasToken(reference: string, values: readonly string[]): boolean {
  const digits = reference.replaceAll(/\D/g, "");
  const letters = reference.replaceAll(/[^\p{L}\p{N}]/gu, "");
  return readToken(digits) !== undefined || values.some((value) => digits.includes(value) || letters.includes(value));
}

/** A text without these codes, and without whatever else reads as a token. */
export const hideCodes = (text: string, values: readonly string[]): string =>
  values.reduce((shown, value) => shown.replaceAll(value, maskedCode(value)), hideTokens(text));
