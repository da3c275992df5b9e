import Type from "typebox";
import type { ErrorCodesOf, FieldCodesOf, OwnRefusals } from "../http/problems.ts";
import { Timestamp } from "../http/schemas.ts";

const NullableTime = Type.Union([Timestamp, Type.Null()]);

/** What only chat refuses. */
export const CHAT_REFUSALS = {
  problems: {
    chat_window_closed: {
      status: 409,
      title: "Recipient has not written in the last 24 hours",
      members: {
        window: Type.Optional(
          Type.Object({ last_inbound_at: NullableTime, closed_at: NullableTime }, { title: "ClosedChatWindow" }),
        ),
      },
    },
    template_not_found: { status: 422, title: "Template can't be sent", ofField: true },
    template_variables_mismatch: { status: 422, title: "Variables do not fit the template", ofField: true },
    media_refused: { status: 422, title: "File can't be sent", ofField: true },
  },
  fieldCodes: ["unknown_message"],
} as const satisfies OwnRefusals;

declare module "../kernel/refusal.ts" {
  interface ErrorCodes extends ErrorCodesOf<typeof CHAT_REFUSALS> {}
  interface FieldCodes extends FieldCodesOf<typeof CHAT_REFUSALS> {}
}
