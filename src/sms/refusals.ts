import { plansThatFit } from "../accounts/plans.ts";
import type { SmsPlan } from "../config-file.ts";
import { type Kobo, koboForPeople, koboToNaira } from "../kernel/kobo.ts";
import { afterLagosDay, afterLagosMonth } from "../kernel/lagos.ts";
import { type Fault, isErrorCode, type Refusal, refusal } from "../kernel/refusal.ts";
import { invariant } from "../kernel/result.ts";
import type { NotAccepted } from "../orders/accept.repo.ts";

/** One refusal for all faults of a body: a malformed field outranks what is well-formed but can't be served. */
export function refusalOf(faults: readonly Fault[]): Refusal {
  const [first] = faults;
  invariant(first, "a refusal has a fault");
  const isServable = faults.every(({ code }) => isErrorCode(code));
  const code = isServable && isErrorCode(first.code) ? first.code : "validation_failed";
  const detail = faults.length === 1 ? first.detail : `${faults.length} fields are wrong; see errors.`;
  return refusal(code, detail, { errors: faults });
}

/** Why the engine did not accept it, in the subscriber's words. */
export function whyNot(
  why: Exclude<NotAccepted, { kind: "taken" }>,
  priceKobo: Kobo,
  plan: SmsPlan,
  plans: readonly SmsPlan[],
  recipients = 1,
): Refusal {
  if (why.kind === "funds")
    return refusal(
      "insufficient_balance",
      `This send costs ${koboForPeople(priceKobo)}; ${koboForPeople(why.availableKobo)} is available. Top up the wallet and send again.`,
    );
  if (why.kind === "spend") {
    const renewsAt = afterLagosDay(why.day).toISOString();
    return refusal(
      "quota_exceeded",
      `This key may spend ${koboForPeople(why.limitKobo)} a day; ${koboForPeople(why.leftKobo)} are left and this costs ${koboForPeople(priceKobo)}. It renews at ${renewsAt}; use another key, or have the cap raised.`,
      { members: { quota: "key-spend", limit: koboToNaira(why.limitKobo), renews_at: renewsAt } },
    );
  }
  const renewsAt = afterLagosMonth(why.period);
  return refusal(
    "quota_exceeded",
    `Plan ${plan.name} allows ${plan.quota} messages a month; ${why.left} are left and this takes ${recipients}. It renews at ${renewsAt.toISOString()}; a larger plan counts at once.`,
    {
      members: {
        limit: plan.quota,
        remaining: why.left,
        renews_at: renewsAt.toISOString(),
        plans: plansThatFit(plans, (plan.quota ?? 0) - why.left + recipients),
      },
    },
  );
}

/** No vendor is configured for this service and mode: nothing is held for what can't leave. */
export const NO_ROUTE = refusal(
  "provider_unavailable",
  "No vendor is connected for messages of this mode, so nothing was accepted and nothing is charged.",
  { retryAfterSeconds: 60 },
);
