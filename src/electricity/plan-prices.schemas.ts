import Type from "typebox";
import { nairaView, type PlanPrices } from "../accounts/plan-prices.ts";
import { Money } from "../http/schemas.ts";
import type { ElectricityPlan } from "./electricity.settings.ts";

/** Prices of a plan for electricity, as `GET /services` shows them. */
export const ELECTRICITY_PLAN_PRICES: PlanPrices<ElectricityPlan["prices"]> = {
  schema: Type.Object(
    { per: Type.Literal("purchase"), fee: Money },
    { title: "ElectricityPrices", description: "The fee on top of a purchase's amount." },
  ),
  view: ({ fee }) => ({ per: "purchase", fee: nairaView(fee) }),
};
