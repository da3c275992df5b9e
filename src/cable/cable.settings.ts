import { Naira, type PlanIn, soldService } from "../accounts/sold-service.ts";

/** Cable TV in `afara.config.ts`. */
export const CABLE_SETTINGS = soldService(
  ["cable-verify", "cable-vend"],
  /** The fee on top of a purchase's amount. */
  { fee: Naira },
  {},
);

export type CablePlan = PlanIn<typeof CABLE_SETTINGS>;
