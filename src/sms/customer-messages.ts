import { findMessageSender } from "../accounts/message-sender.ts";
import type { Plans } from "../accounts/plans.ts";
import type { Db } from "../db/database.ts";
import { ok } from "../kernel/result.ts";
import type { SendToCustomer } from "../ports/customer-message.ts";
import { acceptedState } from "./sms.definition.ts";
import type { Sms } from "./sms.service.ts";

export interface CustomerMessagesOptions {
  readonly db: Db;
  readonly sms: Sms;
  readonly plans: Pick<Plans, "planOf" | "configured">;
}

/**
 * Messages that follow another service's orders, as if the account had sent them: by its own SMS plan, sender, quota and wallet.
 * Errors: those of a send, `not_subscribed`, `account_suspended`.
 */
export function makeCustomerMessages({ db, sms, plans }: CustomerMessagesOptions): SendToCustomer {
  return async ({ accountId, mode, to, text, shownAs, id, spendCap, keys }) => {
    const sender = await findMessageSender(db, plans, accountId, "sms");
    if (!sender.ok) return sender;
    const { plan, defaultSender } = sender.value;
    const caller = {
      accountId,
      mode,
      plan: plans.planOf("sms", plan),
      ...(defaultSender !== null && { defaultSender }),
      ...(spendCap && { spendCap }),
    };
    const message = { id, to, message: text, ...(shownAs !== undefined && { shownAs }) };
    // Names of plans come from vendors, and one odd dash would make the message dearer.
    const sent = await sms.send(caller, message, { smart_encoding: true }, keys ?? NO_KEYS);
    if (!sent.ok) return sent;
    const { order, replayed } = sent.value;
    const { recipient, priceKobo, taxKobo } = order;
    return ok({ id: order.id, status: acceptedState(order), to: recipient, priceKobo, taxKobo, replayed });
  };
}

const NO_KEYS = { idempotencyKey: undefined, fingerprint: Buffer.alloc(0) };
