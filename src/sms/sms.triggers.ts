import { DAY_MS } from "../kernel/duration.ts";
import type { Trigger, Triggers } from "../ports/trigger.ts";

const message = "A test event of Afara";

/** A message to a number with a fixed outcome: docs/guides/test-mode.md. */
const sendTo =
  (to: string): Trigger =>
  ({ post }) =>
    post("/sms/send", { to, message });

const ORDINARY = "+2348031234567";

export const SMS_TRIGGERS: Triggers = {
  "sms.sent": sendTo(ORDINARY),
  "sms.delivered": sendTo(ORDINARY),
  "sms.undelivered": sendTo("+2348000000002"),
  "sms.expired": sendTo("+2348000000009"),
  "sms.rejected": sendTo("+2348000000001"),
  "sms.failed": sendTo("+2348000000005"),
  "sms.unknown": sendTo("+2348000000005"),
  async "sms.cancelled"({ post, now }) {
    const tomorrow = new Date(now().getTime() + DAY_MS).toISOString();
    const { id } = await post("/sms/send", { to: ORDINARY, message, send_at: tomorrow });
    return post(`/sms/cancel/${id}`);
  },
  "sms.received": ({ post }) => post(`/test/handsets/${ORDINARY}/messages`, { channel: "sms", message }),
  "bulk.completed": ({ post }) =>
    post("/sms/bulk", { messages: [ORDINARY, "+2348000000002"].map((to) => ({ to, message })) }),
};
