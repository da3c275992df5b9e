import { findMessageSender } from "../accounts/message-sender.ts";
import type { Plans } from "../accounts/plans.ts";
import type { Db } from "../db/database.ts";
import { ok, refuse } from "../kernel/result.ts";
import type { SendToCustomer } from "../ports/customer-message.ts";
import type { Chat } from "./chat.service.ts";

export interface CustomerChatOptions {
  readonly db: Db;
  readonly chat: Chat;
  readonly plans: Pick<Plans, "planOf" | "configured">;
}

/**
 * Messages that follow another service's orders, as texts from the account's first chat number: by its chat plan, in the window
 * that the customer has opened. Errors: those of a send (`chat_window_closed`), `not_subscribed`, `account_suspended`.
 */
export function makeCustomerChat({ db, chat, plans }: CustomerChatOptions): SendToCustomer {
  return async ({ accountId, mode, to, text, shownAs, id, spendCap, keys }) => {
    const sender = await findMessageSender(db, plans, accountId, "chat");
    if (!sender.ok) return sender;
    const caller = { accountId, mode, plan: plans.planOf("chat", sender.value.plan), ...(spendCap && { spendCap }) };
    const own = { id, ...(shownAs !== undefined && { shownAs }) };
    const sent = await chat.send(caller, to, { kind: "text", message: text }, {}, keys ?? NO_KEYS, own);
    if (!sent.ok) return sent.error.code === "chat_window_closed" ? refuse({ ...sent.error, detail: CLOSED }) : sent;
    const { order, replayed } = sent.value;
    const { recipient, priceKobo, taxKobo } = order;
    return ok({ id: order.id, status: "queued", to: recipient, priceKobo, taxKobo, replayed });
  };
}

/** To whoever can choose neither a template nor a fallback here. */
const CLOSED =
  "The customer has not written to your chat number in the last 24 hours, so no text can be sent to them by chat. Send it by SMS, or again once they have written.";

const NO_KEYS = { idempotencyKey: undefined, fingerprint: Buffer.alloc(0) };
