import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { findAccount } from "./accounts.repo.ts";
import type { Plans } from "./plans.ts";
import { listSubscriptions } from "./subscriptions.repo.ts";

/** The account for a message that the gateway sends on its own. */
export interface MessageSender {
  /** Id of its plan for the service. */
  readonly plan: string;
  readonly defaultSender: string | null;
}

/** Errors: `account_suspended`, `not_subscribed`. */
export async function findMessageSender(
  db: Db,
  plans: Pick<Plans, "configured">,
  accountId: Uuid,
  service: "sms" | "chat",
): Promise<Result<MessageSender>> {
  const [account, all] = await Promise.all([findAccount(db, accountId), listSubscriptions(db, accountId)]);
  if (!account || account.suspendedAt !== null) return refuse(SUSPENDED);
  const subscribed = plans.configured(Object.fromEntries(all.map(({ service, plan }) => [service, { plan }])))[service];
  return subscribed
    ? ok({ plan: subscribed.plan, defaultSender: account.defaultSender })
    : refuse(notSubscribed(service));
}

const SUSPENDED = refusal("account_suspended", "The account is suspended, so no message was sent.");

const notSubscribed = (service: string) =>
  refusal(
    "not_subscribed",
    `This message to the customer goes by \`${service}\`, and the account is not subscribed to it. Subscribe with PUT /subscriptions/${service}.`,
    { members: { service, link: `/portal/services/${service}` } },
  );
