import type { ErrorCodesOf, FieldCodesOf, OwnRefusals } from "../http/problems.ts";

/** What SMS refuses, and other messages that follow its rules. */
export const SMS_REFUSALS = {
  problems: {
    message_too_long: { status: 422, title: "Message has too many segments", ofField: true },
    sender_not_approved: { status: 422, title: "Sender ID is not approved", ofField: true },
    recipient_opted_out: { status: 422, title: "Recipient has opted out", ofField: true },
    outside_quiet_hours: { status: 422, title: "Promotional messages may not leave now", ofField: true },
    no_acceptable_recipient: { status: 422, title: "No recipient is acceptable" },
    repeated_recipient: { status: 422, title: "Recipient is repeated in the bulk", ofField: true },
  },
  fieldCodes: ["too_many_marks", "sender_form"],
} as const satisfies OwnRefusals;

declare module "../kernel/refusal.ts" {
  interface ErrorCodes extends ErrorCodesOf<typeof SMS_REFUSALS> {}
  interface FieldCodes extends FieldCodesOf<typeof SMS_REFUSALS> {}
}
