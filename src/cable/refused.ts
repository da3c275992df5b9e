import { type Kobo, koboForPeople } from "../kernel/kobo.ts";
import type { PriceView } from "../kernel/money.ts";
import { type Fault, type FaultCode, type Refusal, refusal } from "../kernel/refusal.ts";
import type { TvProvider } from "../ports/cable-payload.ts";
import { ABILITIES, type Kind } from "./cable.ts";

/** Why a purchase or a verification of cable TV is refused. */

const at = (pointer: string, code: FaultCode, detail: string): { readonly errors: readonly Fault[] } => ({
  errors: [{ pointer, code, detail }],
});

function notSupported(provider: TvProvider, pointer: string, detail: string, kinds: readonly Kind[]): Refusal {
  const possible = { verify: ABILITIES[provider].hasCards, kinds: [...kinds] };
  const code = "not_supported_by_provider";
  return refusal(code, detail, { ...at(pointer, code, detail), members: { possible } });
}

const BUY_A_BOUQUET = 'buy a bouquet, with kind "change" and its plan_id.';

export function notRenewed(provider: TvProvider): Refusal {
  const { name, kinds } = ABILITIES[provider];
  return notSupported(provider, "/kind", `${name} is not renewed: ${BUY_A_BOUQUET}`, kinds);
}

export const nothingToRenew = (provider: TvProvider): Refusal =>
  notSupported(
    provider,
    "/kind",
    `${ABILITIES[provider].name} names no renewal amount for this card, so there is nothing to renew: ${BUY_A_BOUQUET}`,
    ["change"],
  );

export function notVerified(provider: TvProvider): Refusal {
  const { name, kinds } = ABILITIES[provider];
  return notSupported(
    provider,
    "/provider",
    `${name} has no smartcards to verify: buy for the customer's phone.`,
    kinds,
  );
}

const noPlan = (detail: string): Refusal => refusal("plan_not_found", detail, at("/plan_id", "plan_not_found", detail));

export const noSuchPlan = (planId: string, provider: TvProvider): Refusal =>
  noPlan(
    `${ABILITIES[provider].name} has no plan "${planId}". GET /cable/plans?provider=${provider} lists those that there are.`,
  );

export const planGone = (planId: string, provider: TvProvider): Refusal =>
  noPlan(
    `Plan "${planId}" is not sold any more, or not certainly: it is \`available: false\` in GET /cable/plans?provider=${provider}. Nothing was bought.`,
  );

const UNKNOWN =
  "There is no such verification in this account and mode, or it is more than a day old. Verify the smartcard again.";
export const NO_VERIFICATION = refusal("not_found", UNKNOWN, at("/verification_id", "not_found", UNKNOWN));

const OTHER_CARD = "This verification is of another smartcard or TV provider than the purchase.";
export const OF_ANOTHER_CARD = refusal(
  "validation_failed",
  OTHER_CARD,
  at("/verification_id", "other_smartcard", OTHER_CARD),
);

export const customerChanged = (verification: unknown): Refusal =>
  refusal(
    "smartcard_changed",
    "The smartcard has another customer than when it was verified. Show the new name to whoever pays, and buy with the new `verification_id`.",
    { members: { verification } },
  );

/** The verification that the purchase names promised another amount. */
export const renewalChanged = (now: Kobo, before: Kobo | null, price: PriceView, verification: unknown): Refusal =>
  refusal(
    "price_changed",
    `The renewal costs ${koboForPeople(now)} now; ${before === null ? "there was none" : `it was ${koboForPeople(before)}`} when the smartcard was verified. Show the new amount to whoever pays, and buy with the new \`verification_id\`.`,
    { members: { price, verification } },
  );
