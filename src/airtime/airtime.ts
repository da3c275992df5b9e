import { type Kobo, kobo, koboForPeople } from "../kernel/kobo.ts";
import type { Network } from "../kernel/networks.ts";
import { type Fault, type Refusal, refusal } from "../kernel/refusal.ts";
import type { AirtimePlan } from "./airtime.settings.ts";

/** Prices and bounds of airtime and data. Pure. */

/** Face value of one top-up, the same at all networks. */
export const AMOUNT_MIN_KOBO = kobo(50_00);
export const AMOUNT_MAX_KOBO = kobo(50_000_00);

const NAIRA_KOBO = 100n;
const WHOLE_BASIS_POINTS = 10_000n;

/** What is wrong with a face value; undefined when nothing is. */
export function amountFault(amountKobo: Kobo): Fault | undefined {
  const fault = (detail: string): Fault => ({ pointer: "/amount", code: "amount_out_of_bounds", detail });
  if (amountKobo < AMOUNT_MIN_KOBO || amountKobo > AMOUNT_MAX_KOBO)
    return fault(
      `Airtime is sold from ${koboForPeople(AMOUNT_MIN_KOBO)} to ${koboForPeople(AMOUNT_MAX_KOBO)} at a time.`,
    );
  return amountKobo % NAIRA_KOBO === 0n
    ? undefined
    : fault("Airtime is sold in whole naira: send the amount without kobo.");
}

/** Face value less the plan's discount for the network, which is rounded down to the kobo. */
export function airtimePrice({ prices }: AirtimePlan, network: Network, amountKobo: Kobo): Kobo {
  const discount = prices.discountBasisPoints[network] ?? prices.discountBasisPoints.default;
  return kobo(amountKobo - (amountKobo * BigInt(discount)) / WHOLE_BASIS_POINTS);
}

/** What the vendor asks and the plan's margin, which is rounded up to the kobo. */
export function dataPrice({ prices }: AirtimePlan, costKobo: Kobo): Kobo {
  const margin = costKobo * BigInt(prices.dataMarginBasisPoints);
  return kobo(costKobo + (margin + WHOLE_BASIS_POINTS - 1n) / WHOLE_BASIS_POINTS);
}

const noPlan = (detail: string): Refusal =>
  refusal("plan_not_found", detail, { errors: [{ pointer: "/plan_id", code: "plan_not_found", detail }] });

export const noSuchPlan = (planId: string): Refusal =>
  noPlan(`There is no data plan "${planId}". GET /airtime/data/plans lists those that there are.`);

export const planGone = (planId: string, network: Network): Refusal =>
  noPlan(
    `Data plan "${planId}" is not sold any more, or not certainly: it is \`available: false\` in GET /airtime/data/plans?network=${network}. Nothing was bought.`,
  );
