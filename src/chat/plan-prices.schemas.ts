import Type from "typebox";
import { nairaView, type PlanPrices } from "../accounts/plan-prices.ts";
import { Money } from "../http/schemas.ts";
import type { ChatPlan } from "./chat.settings.ts";

/** Prices of a plan for chat, as `GET /services` shows them. */
export const CHAT_PLAN_PRICES: PlanPrices<ChatPlan["prices"]> = {
  schema: Type.Object(
    { per: Type.Literal("message"), marketing: Money, utility: Money, authentication: Money, service: Money },
    { title: "ChatPrices", description: "The price of a message, by category." },
  ),
  view: ({ marketing, utility, authentication, service }) => ({
    per: "message",
    marketing: nairaView(marketing),
    utility: nairaView(utility),
    authentication: nairaView(authentication),
    service: nairaView(service),
  }),
};
