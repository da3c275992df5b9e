import Type from "typebox";
import { byNetwork } from "../accounts/by-network.schemas.ts";
import { nairaView, type PlanPrices } from "../accounts/plan-prices.ts";
import { Money } from "../http/schemas.ts";
import type { SmsPlan } from "./sms.settings.ts";

/** Prices of a plan for SMS, as `GET /services` shows them. */
export const SMS_PLAN_PRICES: PlanPrices<SmsPlan["prices"]> = {
  schema: Type.Object(
    { per: Type.Literal("segment"), transactional: byNetwork("Money", Money), promotional: byNetwork("Money", Money) },
    { title: "SmsPrices", description: "The price of a segment, by route type and network." },
  ),
  view: ({ transactional, promotional }) => ({
    per: "segment",
    transactional: nairaByNetwork(transactional),
    promotional: nairaByNetwork(promotional),
  }),
};

const nairaByNetwork = (prices: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(prices).map(([network, price]) => [network, nairaView(price)]));
