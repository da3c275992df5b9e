import { REFUSED_PURCHASE } from "../http/common.refusals.ts";
import type { ErrorCodesOf, FieldCodesOf, OwnRefusals } from "../http/problems.ts";

/** What only airtime and data refuse. */
export const AIRTIME_REFUSALS = {
  problems: {
    wrong_network: { status: 422, title: "Number is on another network", members: REFUSED_PURCHASE },
  },
  fieldCodes: ["unknown_range"],
} as const satisfies OwnRefusals;

declare module "../kernel/refusal.ts" {
  interface ErrorCodes extends ErrorCodesOf<typeof AIRTIME_REFUSALS> {}
  interface FieldCodes extends FieldCodesOf<typeof AIRTIME_REFUSALS> {}
}
