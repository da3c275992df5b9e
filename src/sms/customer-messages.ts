import { findAccount } from "../accounts/accounts.repo.ts";
import type { Plans } from "../accounts/plans.ts";
import { listSubscriptions } from "../accounts/subscriptions.repo.ts";
import type { Db } from "../db/database.ts";
import type { SendToCustomer } from "../kernel/customer-message.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, refuse } from "../kernel/result.ts";
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
  return async ({ accountId, mode, to, text, shownAs, id, keys }) => {
    const [account, all] = await Promise.all([findAccount(db, accountId), listSubscriptions(db, accountId)]);
    if (!account || account.suspendedAt !== null) return refuse(SUSPENDED);
    const subscriptions = plans.configured(Object.fromEntries(all.map(({ service, plan }) => [service, { plan }])));
    if (!subscriptions.sms) return refuse(NOT_SUBSCRIBED);
    const caller = {
      accountId,
      mode,
      plan: plans.planOf("sms", subscriptions.sms.plan),
      ...(account.defaultSender !== null && { defaultSender: account.defaultSender }),
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

const SUSPENDED = refusal("account_suspended", "The account is suspended, so no message was sent.");
const NOT_SUBSCRIBED = refusal(
  "not_subscribed",
  "Messages to customers go by SMS, and the account is not subscribed to `sms`. Subscribe with PUT /subscriptions/sms.",
  { members: { service: "sms", link: "/portal/services/sms" } },
);
