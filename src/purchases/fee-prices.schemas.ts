import Type from "typebox";
import { nairaView, type PlanPrices } from "../accounts/plan-prices.ts";
import { Money } from "../http/schemas.ts";

/** Prices of a plan by which each purchase costs its amount and a fee, as `GET /services` shows them. */
export const FEE_PRICES: PlanPrices<{ readonly fee: string }> = {
  schema: Type.Object(
    { per: Type.Literal("purchase"), fee: Money },
    { title: "FeePrices", description: "The fee on top of a purchase's amount." },
  ),
  view: ({ fee }) => ({ per: "purchase", fee: nairaView(fee) }),
};
