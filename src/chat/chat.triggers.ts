import type { Trigger, Triggers } from "../ports/trigger.ts";

/** A template needs no open window. */
const sendTo =
  (to: string): Trigger =>
  ({ post }) =>
    post("/chat/send/template", { to, template: "hello_world", language: "en_US" });

const ORDINARY = "+2348031234567";

export const CHAT_TRIGGERS: Triggers = {
  // Statuses of an ordinary phone may arrive out of order: `read` first, and what came before it is no event then.
  "chat.sent": sendTo("+2348000000009"),
  "chat.delivered": sendTo("+2348000000006"),
  "chat.read": sendTo(ORDINARY),
  "chat.failed": sendTo("+2348000000001"),
  "chat.unknown": sendTo("+2348000000005"),
  "chat.received": ({ post }) =>
    post(`/test/handsets/${ORDINARY}/messages`, { channel: "chat", message: "A test event of Afara" }),
};
