import type { PlanOf } from "../config-file.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
import type { Network } from "../kernel/networks.ts";
import { type Fault, refusal } from "../kernel/refusal.ts";

/** Prices and bounds of airtime and data. Pure. */

export type AirtimePlan = PlanOf<"airtime">;

/** Face value of one top-up, the same at all networks. */
export const AMOUNT_MIN_KOBO = kobo(50_00);
export const AMOUNT_MAX_KOBO = kobo(50_000_00);

const NAIRA_KOBO = 100n;
const WHOLE_BASIS_POINTS = 10_000n;

/** What is wrong with a face value; undefined when nothing is. */
export function amountFault(amountKobo: Kobo): Fault | undefined {
  const fault = (detail: string): Fault => ({ pointer: "/amount", code: "amount_out_of_bounds", detail });
  if (amountKobo < AMOUNT_MIN_KOBO || amountKobo > AMOUNT_MAX_KOBO)
    return fault("Airtime is sold from ₦50 to ₦50,000 at a time.");
  return amountKobo % NAIRA_KOBO === 0n ? undefined : fault("Airtime is sold in whole naira: send it without kobo.");
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

export const NO_SUCH_PLAN = refusal(
  "plan_not_found",
  "There is no such data plan. GET /airtime/data/plans lists those that there are.",
);
export const PLAN_GONE = refusal(
  "plan_not_found",
  "This data plan is not sold any more, or not certainly: it is `available: false` in GET /airtime/data/plans. Nothing was bought.",
);
