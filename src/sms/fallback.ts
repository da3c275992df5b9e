import type { Plans } from "../accounts/plans.ts";
import { readUsage } from "../accounts/usage.repo.ts";
import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { lagosMonth } from "../kernel/lagos.ts";
import { guessNetwork } from "../kernel/networks.ts";
import type { Fault } from "../kernel/refusal.ts";
import { ok, refuse } from "../kernel/result.ts";
import type { MakeFallbackSms } from "../ports/sms-fallback.ts";
import { smsPrice } from "./prices.ts";
import type { Senders } from "./senders.service.ts";
import { parseSender, prepareText } from "./sms.ts";

export interface FallbackSmsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly plans: Pick<Plans, "planOf">;
  readonly senders: Pick<Senders, "ruleFor">;
  readonly defaultSender: string;
}

/** SMS that stand in for messages of another channel, under the rules and at the price of the account's own. */
export function makeFallbackSms({ db, clock, plans, senders, defaultSender }: FallbackSmsOptions): MakeFallbackSms {
  return async (owner, { to, message, from, route }) => {
    if (owner.smsPlan === undefined) return refuse([NOT_SUBSCRIBED]);
    const plan = plans.planOf("sms", owner.smsPlan);
    const text = prepareText(message, false);
    const sender = parseSender(from ?? owner.defaultSender ?? defaultSender);
    const network = guessNetwork(to);
    const unapproved = sender.ok ? (await senders.ruleFor(owner))(sender.value, route, network) : undefined;
    const month = lagosMonth(clock.now());
    const used = plan.quota === null ? 0 : ((await readUsage(db, owner.accountId, owner.mode, month)).get("sms") ?? 0);
    const faults: Fault[] = [
      ...(text.ok ? [] : [text.error]),
      ...(sender.ok ? [] : [sender.error]),
      ...(unapproved ? [unapproved] : []),
      ...(plan.quota !== null && used >= plan.quota ? [quotaUsed(plan.name, plan.quota)] : []),
    ];
    if (!text.ok || !sender.ok || faults.length > 0) return refuse(faults);
    const { encoding, segments } = text.value;
    const sms = { from: sender.value, text: text.value.text, encoding, segments, route, network_guess: network };
    return ok({
      sms,
      priceKobo: smsPrice(plan, route, network, segments),
      ...(plan.quota !== null && { quota: { limit: plan.quota, period: month } }),
    });
  };
}

const NOT_SUBSCRIBED: Fault = {
  pointer: "",
  code: "not_subscribed",
  detail:
    "A fallback by SMS needs a plan of `sms`, and a key that is not limited to other services. Subscribe with PUT /subscriptions/sms.",
};

const quotaUsed = (name: string, quota: number): Fault => ({
  pointer: "",
  code: "quota_exceeded",
  detail: `Plan ${name} allows ${quota} messages a month, and all of them are used up.`,
});
