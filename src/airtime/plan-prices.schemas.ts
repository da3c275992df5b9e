import Type from "typebox";
import { BasisPoints, byNetwork } from "../accounts/by-network.schemas.ts";
import type { PlanPrices } from "../accounts/plan-prices.ts";
import type { AirtimePlan } from "./airtime.settings.ts";

/** Prices of a plan for airtime and data, as `GET /services` shows them. */
export const AIRTIME_PLAN_PRICES: PlanPrices<AirtimePlan["prices"]> = {
  schema: Type.Object(
    {
      per: Type.Literal("amount"),
      discount_basis_points: byNetwork("BasisPoints", BasisPoints),
      data_margin_basis_points: BasisPoints,
    },
    {
      title: "AirtimePrices",
      description: "The discount on a top-up's amount; the margin on a data bundle's vendor price.",
    },
  ),
  view: ({ discountBasisPoints, dataMarginBasisPoints }) => ({
    per: "amount",
    discount_basis_points: discountBasisPoints,
    data_margin_basis_points: dataMarginBasisPoints,
  }),
};
