import { REFUSED_PURCHASE } from "../http/common.refusals.ts";
import { modelRef } from "../http/openapi-models.ts";
import type { ErrorCodesOf, FieldCodesOf, OwnRefusals } from "../http/problems.ts";

/** What only electricity refuses. */
export const ELECTRICITY_REFUSALS = {
  problems: {
    meter_changed: {
      status: 409,
      title: "Meter belongs to another customer than verified",
      members: { verification: modelRef("VerifiedMeter") },
    },
    meter_not_found: {
      status: 422,
      title: "Meter does not exist at this disco",
      ofField: true,
      members: REFUSED_PURCHASE,
    },
    meter_is_postpaid: { status: 422, title: "Meter is postpaid", ofField: true, members: REFUSED_PURCHASE },
  },
  fieldCodes: ["unknown_disco", "other_meter"],
} as const satisfies OwnRefusals;

declare module "../kernel/refusal.ts" {
  interface ErrorCodes extends ErrorCodesOf<typeof ELECTRICITY_REFUSALS> {}
  interface FieldCodes extends FieldCodesOf<typeof ELECTRICITY_REFUSALS> {}
}
