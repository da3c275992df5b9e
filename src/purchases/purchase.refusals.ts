import Type from "typebox";
import { modelRef } from "../http/openapi-models.ts";
import type { ErrorCodesOf, OwnRefusals } from "../http/problems.ts";
import { Price } from "../http/schemas.ts";

const NewVerification = Type.Object(
  { verification_id: Type.String() },
  {
    title: "NewVerification",
    description:
      "Only if the purchase named a `verification_id` whose amount has changed: the new verification, in the form of the service's `verify`.",
  },
);

/** What any purchase may be refused with, whatever is bought. */
export const PURCHASE_REFUSALS = {
  problems: {
    price_changed: {
      status: 409,
      title: "Price is no longer the expected one",
      members: { price: { ...Price, description: "The current price." }, verification: Type.Optional(NewVerification) },
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
