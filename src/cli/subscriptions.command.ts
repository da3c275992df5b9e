import { makeSubscriptions, type Subscriptions } from "../accounts/subscriptions.ts";
import { onOffer } from "../app/services.ts";
import type { PlanConfig } from "../config/operator-file.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { koboForPeople, koboToNaira, parseKobo } from "../kernel/kobo.ts";
import type { Session } from "./cli.ts";
import { type Report, refusedReport, tableWithNotes } from "./report.ts";
import { type Surroundings, soundConfig } from "./session.ts";

const subscriptionsOf = ({ db, config, clock }: Session): Subscriptions =>
  makeSubscriptions({ db, clock, config: onOffer(config.file), configured: Object.keys(config.file.services) });

/** Puts an account on a plan, as `PUT /subscriptions/{service}` does, and charges the fee to its live wallet. */
export async function subscribeAccount(
  session: Session,
  accountId: Uuid,
  service: string,
  planId: string,
): Promise<Report> {
  const changed = await subscriptionsOf(session).change(accountId, service, planId, session.operator);
  if (!changed.ok) return refusedReport(changed.error);
  const { subscription, chargedKobo } = changed.value;
  const account = encodeId("acc", accountId);
  const since = subscription.since.toISOString();
  return {
    ok: true,
    json: { account, service, plan: planId, since, charged: koboToNaira(chargedKobo) },
    text: `${account} is on plan ${subscription.plan.name} of ${subscription.serviceName} since ${since}. Charged now: ${koboForPeople(chargedKobo)}.`,
  };
}

/** Ends a subscription at once, as `DELETE /subscriptions/{service}` does. */
export async function unsubscribeAccount(session: Session, accountId: Uuid, service: string): Promise<Report> {
  const cancelled = await subscriptionsOf(session).cancel(accountId, service, session.operator);
  if (!cancelled.ok) return refusedReport(cancelled.error);
  const account = encodeId("acc", accountId);
  return {
    ok: true,
    json: { account, service, plan: null, was_subscribed: cancelled.value },
    text: cancelled.value
      ? `${account} is no longer subscribed to ${service}. This month's fee is not refunded.`
      : `${account} was not subscribed to ${service}.`,
  };
}

/** Naira as text, or hundredths of a percent as a number. */
const priceText = (price: string | number): string =>
  typeof price === "string" ? koboForPeople(parseKobo(price)) : `${price / 100} %`;

/** `{ transactional: { default: "4.00", mtn: "3.80" } }` as `transactional ₦4.00, mtn ₦3.80`. */
const pricesText = (prices: PlanConfig["prices"]): string =>
  Object.entries<string | number | Readonly<Record<string, string | number>>>(prices)
    .map(([name, price]) => {
      const words = name.replace("BasisPoints", "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      if (typeof price !== "object") return `${words} ${priceText(price)}`;
      const each = Object.entries(price).map(([network, own]) => `${network} ${priceText(own)}`);
      return `${words} ${each.join(", ").replace(/^default /, "")}`;
    })
    .join("; ");

/** All plans in the configuration, and whether this gateway offers their service. */
export async function plansTable(surroundings: Surroundings, warn: (text: string) => void): Promise<Report> {
  const { file } = await soundConfig(surroundings, warn);
  const offered = Object.keys(onOffer(file).services);
  const plans = Object.entries(file.services).flatMap(([service, { plans }]) =>
    plans.map((plan: PlanConfig) => ({ service, available: offered.includes(service), plan })),
  );
  const rows = plans.map(({ service, available, plan: { id, name, fee, quota, prices } }) => ({
    cells: [
      available ? service : `${service} (not available)`,
      id,
      name,
      parseKobo(fee) === 0n ? "free" : priceText(fee),
      quota === null ? "none" : String(quota),
    ],
    notes: [pricesText(prices)],
  }));
  return {
    ok: true,
    json: {
      plans: plans.map(({ service, available, plan: { id, name, fee, quota, limits, prices } }) => ({
        service,
        available,
        id,
        name,
        fee: koboToNaira(parseKobo(fee)),
        quota,
        limits,
        prices,
      })),
    },
    text: tableWithNotes(["SERVICE", "PLAN", "NAME", "FEE A MONTH", "QUOTA A MONTH"], rows),
  };
}
