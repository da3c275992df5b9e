import { BasisPoints, type PlanIn, perNetwork, soldService } from "../accounts/sold-service.ts";

/** Airtime and data in `afara.config.ts`. */
export const AIRTIME_SETTINGS = soldService(
  ["airtime-vend"],
  /** What a top-up costs less than its face value, and a data bundle more than the vendor's price. */
  { discountBasisPoints: perNetwork(BasisPoints), dataMarginBasisPoints: BasisPoints },
  {},
);

export type AirtimePlan = PlanIn<typeof AIRTIME_SETTINGS>;
