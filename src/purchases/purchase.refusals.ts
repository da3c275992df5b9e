import { modelRef } from "../http/openapi-models.ts";
import type { ErrorCodesOf, OwnRefusals } from "../http/problems.ts";
import { Price } from "../http/schemas.ts";

/** What any purchase may be refused with, whatever is bought. */
export const PURCHASE_REFUSALS = {
  problems: {
    price_changed: {
      status: 409,
      title: "Price is no longer the expected one",
      members: { price: { ...Price, description: "The current price." } },
    },
    purchase_failed: {
      status: 422,
      title: "Purchase failed and its price came back",
      members: { purchase: modelRef("Purchase") },
    },
  },
  fieldCodes: [],
} as const satisfies OwnRefusals;

declare module "../kernel/refusal.ts" {
  interface ErrorCodes extends ErrorCodesOf<typeof PURCHASE_REFUSALS> {}
}
