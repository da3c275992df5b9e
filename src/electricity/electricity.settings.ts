import { Naira, type PlanIn, soldService } from "../accounts/sold-service.ts";

/** Prepaid electricity in `afara.config.ts`. */
export const ELECTRICITY_SETTINGS = soldService(
  ["electricity-verify", "electricity-vend"],
  /** The fee on top of a purchase's amount. */
  { fee: Naira },
  {},
);

export type ElectricityPlan = PlanIn<typeof ELECTRICITY_SETTINGS>;
