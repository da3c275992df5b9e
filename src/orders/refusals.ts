import { encodeId } from "../kernel/ids.ts";
import { type Kobo, koboForPeople } from "../kernel/kobo.ts";
import { afterLagosDay, afterLagosMonth } from "../kernel/lagos.ts";
import { moneyOf, pricedAt } from "../kernel/money.ts";
import { type ErrorCode, type Fault, FIELD_CODES, type Refusal, refusal } from "../kernel/refusal.ts";
import { invariant } from "../kernel/result.ts";
import { plansThatFit, type SoldPlan } from "../kernel/sold-plan.ts";
import type { NotAccepted } from "./accept.repo.ts";
import type { Service } from "./service.ts";
import type { ServiceDefinition } from "./service-definition.ts";

/**
 * One refusal for all faults of a body: a malformed field outranks what is well-formed but can't be served. `services`: all of the
 * gateway's, as each may have field codes of its own, and one reports faults that another found (an SMS as the fallback of a chat).
 */
export function refusalOf(faults: readonly Fault[], services: readonly Pick<Service, "refusals">[]): Refusal {
  const [first] = faults;
  invariant(first, "a refusal has a fault");
  const rules = new Set<string>([...FIELD_CODES, ...services.flatMap(({ refusals }) => refusals?.fieldCodes ?? [])]);
  const isServable = ({ code }: Fault): boolean => !rules.has(code);
  const code = faults.every(isServable) ? (first.code as ErrorCode) : "validation_failed";
  const detail = faults.length === 1 ? first.detail : `${faults.length} fields are wrong; see errors.`;
  return refusal(code, detail, { errors: faults });
}

/** What all of it would be charged, and the VAT in that. */
export interface Cost {
  readonly priceKobo: Kobo;
  readonly taxKobo: Kobo;
}

/** A request that the engine did not accept. */
export interface Declinable {
  readonly service: Pick<ServiceDefinition, "idPrefix" | "noun">;
  readonly cost: Cost;
  readonly plan: SoldPlan;
  /** The plans that the service is sold under. */
  readonly plans: readonly SoldPlan[];
  /** Default 1. */
  readonly recipients?: number;
}

/** Why the engine did not accept it, in the subscriber's words. */
export function whyNot(
  why: Exclude<NotAccepted, { kind: "taken" }>,
  { service: { idPrefix, noun }, cost: { priceKobo, taxKobo }, plan, plans, recipients = 1 }: Declinable,
): Refusal {
  // A service that has rules of its own says itself what they mean.
  invariant(why.kind !== "rule", "a rule is told by its service");
  if (why.kind === "twin") {
    const id = encodeId(idPrefix, why.targetId);
    return refusal(
      "possible_duplicate",
      `${id} bought the same for the same recipient within the last minute. If this one is meant as well, send it with \`"allow_duplicate": true\`.`,
      { members: { order_id: id } },
    );
  }
  if (why.kind === "funds")
    return refusal(
      "insufficient_balance",
      `This ${noun.one} costs ${koboForPeople(priceKobo)}; ${koboForPeople(why.availableKobo)} is available. Top up the wallet and try again.`,
      { members: { price: pricedAt(priceKobo, taxKobo), available: moneyOf(why.availableKobo) } },
    );
  if (why.kind === "spend") {
    const renewsAt = afterLagosDay(why.day).toISOString();
    return refusal(
      "quota_exceeded",
      `This key may spend ${koboForPeople(why.limitKobo)} a day; ${koboForPeople(why.leftKobo)} are left and this costs ${koboForPeople(priceKobo)}. It renews at ${renewsAt}; use another key, or have the cap raised.`,
      {
        members: {
          quota: "key-spend",
          limit_amount: moneyOf(why.limitKobo),
          remaining_amount: moneyOf(why.leftKobo),
          renews_at: renewsAt,
        },
      },
    );
  }
  const renewsAt = afterLagosMonth(why.period);
  return refusal(
    "quota_exceeded",
    `Plan ${plan.name} allows ${plan.quota} ${noun.many} a month; ${why.left} are left and this takes ${recipients}. It renews at ${renewsAt.toISOString()}; a larger plan counts at once.`,
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
export const noRoute = ({ noun }: Pick<ServiceDefinition, "noun">): Refusal =>
  refusal(
    "provider_unavailable",
    `No vendor is connected for ${noun.many} of this mode, so nothing was accepted and nothing is charged.`,
    { retryAfterSeconds: 60 },
  );
