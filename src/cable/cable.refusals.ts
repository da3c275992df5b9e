import Type from "typebox";
import { REFUSED_PURCHASE } from "../http/common.refusals.ts";
import { modelRef } from "../http/openapi-models.ts";
import type { ErrorCodesOf, FieldCodesOf, OwnRefusals } from "../http/problems.ts";
import { CableKind } from "./cable.schemas.ts";

/** What only cable TV refuses. */
export const CABLE_REFUSALS = {
  problems: {
    smartcard_changed: {
      status: 409,
      title: "Smartcard belongs to another customer than verified",
      members: { verification: modelRef("VerifiedSmartcard") },
    },
    smartcard_not_found: {
      status: 422,
      title: "Smartcard does not exist at this TV provider",
      ofField: true,
      members: REFUSED_PURCHASE,
    },
    not_supported_by_provider: {
      status: 422,
      title: "The TV provider does not offer this",
      ofField: true,
      members: {
        possible: Type.Object(
          {
            verify: Type.Boolean({ description: "Whether its smartcards can be verified." }),
            kinds: Type.Array(CableKind, { description: "What can be bought." }),
          },
          { title: "PossibleCable" },
        ),
      },
    },
  },
  fieldCodes: ["other_smartcard"],
} as const satisfies OwnRefusals;

declare module "../kernel/refusal.ts" {
  interface ErrorCodes extends ErrorCodesOf<typeof CABLE_REFUSALS> {}
  interface FieldCodes extends FieldCodesOf<typeof CABLE_REFUSALS> {}
}
