import type { ConfigFile, PlanConfig } from "../config/operator-file.ts";
import type { Database, Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo, koboForPeople, koboToNaira, parseKobo, ZERO_KOBO } from "../kernel/kobo.ts";
import { lagosDaysLeft, lagosMonth } from "../kernel/lagos.ts";
import type { Mode } from "../kernel/mode.ts";
import { moneyOf } from "../kernel/money.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { lockWallet, openLedgerAccounts, postTransfer, readWallet } from "../ledger/ledger.repo.ts";
import { type Actor, audit } from "./audit.repo.ts";
import { announceChange } from "./changes.repo.ts";
import { proRated } from "./fees.ts";
import {
  listSubscriptions,
  readStanding,
  type Standing,
  settleMonth,
  subscribe,
  unsubscribe,
} from "./subscriptions.repo.ts";

/** An account's plan of a service. Both modes have it; its fee is paid from the live wallet. */
export interface Subscription {
  readonly service: string;
  readonly serviceName: string;
  readonly plan: PlanConfig;
  readonly since: Date;
}

export interface Subscriptions {
  list(accountId: Uuid): Promise<readonly Subscription[]>;
  find(accountId: Uuid, service: string): Promise<Result<Subscription>>;
  /**
   * Puts the account on a plan, at once. What of the month's fee is not paid yet is charged for the rest of the month; a
   * smaller fee than the one that was paid gives nothing back. The plan it is on already: nothing happens.
   * Errors: `not_found` (account or service), `plan_not_found`, `insufficient_balance`; then nothing has changed.
   */
  change(
    accountId: Uuid,
    service: string,
    planId: string,
    actor: Actor,
  ): Promise<Result<{ readonly subscription: Subscription; readonly chargedKobo: Kobo }>>;
  /** Ends it at once and gives no fee back. False when there was none. Errors: `not_found` (account or service). */
  cancel(accountId: Uuid, service: string, actor: Actor): Promise<Result<boolean>>;
}

export interface SubscriptionsOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** With the available services. */
  readonly config: Pick<ConfigFile, "services">;
  /** All services in the configuration, including those that this gateway does not implement. */
  readonly configured: readonly string[];
}

export function makeSubscriptions({ db, clock, config, configured }: SubscriptionsOptions): Subscriptions {
  const services = new Map(Object.entries(config.services));

  const subscriptionOf = ({ service, plan: id, since }: { service: string; plan: string; since: Date }) => {
    const sold = services.get(service);
    const plan = sold?.plans.find((candidate) => candidate.id === id);
    return sold && plan && { service, serviceName: sold.name, plan, since };
  };
  const noService = (service: string): Refusal => {
    const why = configured.includes(service)
      ? `The service "${service}" is announced, and not on offer yet`
      : `There is no service "${service}" on offer here`;
    return refusal("not_found", `${why}; there is ${[...services.keys()].join(", ")}.`);
  };

  /**
   * A month that has begun is owed for the plan that it began with, be the renewal's turn still to come: who leaves that plan in
   * the first seconds has used it. A wallet that can't pay lets go without, as at a renewal.
   */
  const settleCurrent = async (tx: Db, accountId: Uuid, standing: Standing, at: Date): Promise<Kobo | undefined> => {
    const current = standing.current && subscriptionOf(standing.current);
    if (!current || standing.settledKobo !== undefined) return standing.settledKobo;
    const charged = await chargeFee(tx, { accountId, ...current, at }, standing);
    return charged.ok ? parseKobo(current.plan.fee) : undefined;
  };

  return {
    async list(accountId) {
      const rows = await listSubscriptions(db, accountId);
      return rows.flatMap((row) => subscriptionOf(row) ?? []);
    },

    async find(accountId, service) {
      if (!services.has(service)) return refuse(noService(service));
      const row = (await listSubscriptions(db, accountId)).find((candidate) => candidate.service === service);
      const found = row && subscriptionOf(row);
      if (found) return ok(found);
      return refuse(
        refusal(
          "not_found",
          `The account is not subscribed to \`${service}\`. PUT /subscriptions/${service} puts it on a plan; GET /services has the plans.`,
        ),
      );
    },

    async change(accountId, service, planId, actor) {
      const sold = services.get(service);
      if (!sold) return refuse(noService(service));
      const plan = sold.plans.find(({ id }) => id === planId);
      if (!plan) return refuse(noPlan(planId, sold.plans));
      const at = clock.now();
      const month = lagosMonth(at);
      return db.transaction(async (tx) => {
        const before = await lockStanding(tx, accountId, service, month);
        if (!before) return refuse(NO_ACCOUNT);
        if (before.current?.plan === plan.id)
          return ok({ subscription: { ...before.current, serviceName: sold.name, plan }, chargedKobo: ZERO_KOBO });
        const settledKobo = await settleCurrent(tx, accountId, before, at);
        const charged = await chargeFee(
          tx,
          { accountId, service, serviceName: sold.name, plan, at },
          { ...before, settledKobo },
        );
        if (!charged.ok) return refuse(cannotPay(plan, charged.error));
        await subscribe(tx, accountId, service, plan.id, at);
        await announceChange(tx);
        await audit(tx, {
          actor,
          action: before.current ? "subscription.change" : "subscription.start",
          subject: encodeId("acc", accountId),
          details: {
            service,
            plan: plan.id,
            ...(before.current && { previous_plan: before.current.plan }),
            charged: koboToNaira(charged.value),
          },
        });
        const subscription = { service, serviceName: sold.name, plan, since: at };
        return ok({ subscription, chargedKobo: charged.value });
      });
    },

    async cancel(accountId, service, actor) {
      if (!services.has(service)) return refuse(noService(service));
      return db.transaction(async (tx) => {
        const before = await lockStanding(tx, accountId, service, lagosMonth(clock.now()));
        if (!before) return refuse(NO_ACCOUNT);
        if (!before.current) return ok(false);
        await settleCurrent(tx, accountId, before, clock.now());
        await unsubscribe(tx, accountId, service);
        await announceChange(tx);
        await audit(tx, {
          actor,
          action: "subscription.cancel",
          subject: encodeId("acc", accountId),
          details: { service, previous_plan: before.current.plan },
        });
        return ok(true);
      });
    },
  };
}

const MODES: readonly Mode[] = ["live", "test"];

/** The account's standing, locked until the transaction ends by its live wallet. */
export async function lockStanding(
  tx: Db,
  accountId: Uuid,
  service: string,
  month: string,
): Promise<Standing | undefined> {
  if ((await readStanding(tx, accountId, service, month)) === undefined) return undefined;
  // A service added to the configuration after the account's creation has no ledger account yet.
  for (const mode of MODES) await openLedgerAccounts(tx, accountId, mode, ["wallet", `sales:${service}`]);
  await openLedgerAccounts(tx, accountId, "live", ["sales:fees"]);
  await lockWallet(tx, accountId, "live");
  return readStanding(tx, accountId, service, month);
}

export interface FeeShortage {
  readonly feeKobo: Kobo;
  readonly availableKobo: Kobo;
}

/** Charges the unpaid part of the plan's fee for the rest of the month and settles the month. */
export async function chargeFee(
  tx: Db,
  {
    accountId,
    service,
    serviceName,
    plan,
    at,
  }: Omit<Subscription, "since"> & { readonly accountId: Uuid; readonly at: Date },
  { settledKobo, feesWaived }: Standing,
): Promise<Result<Kobo, FeeShortage>> {
  if (feesWaived) return ok(ZERO_KOBO);
  const monthKobo = parseKobo(plan.fee);
  const missing = monthKobo - (settledKobo ?? ZERO_KOBO);
  const feeKobo = missing > 0n ? proRated(kobo(missing), at) : ZERO_KOBO;
  const month = lagosMonth(at);
  if (feeKobo > 0n) {
    const availableKobo = (await readWallet(tx, accountId, "live"))?.availableKobo ?? ZERO_KOBO;
    if (availableKobo < feeKobo) return refuse({ feeKobo, availableKobo });
    const { left, of } = lagosDaysLeft(at);
    await postTransfer(tx, {
      accountId,
      id: newUuid(),
      mode: "live",
      kind: "fee",
      debit: "wallet",
      credit: "sales:fees",
      amountKobo: feeKobo,
      reason: `${serviceName}, plan ${plan.name}, ${month}: ${left} of ${of} days`,
      at,
    });
  }
  await settleMonth(tx, accountId, service, month, monthKobo);
  return ok(feeKobo);
}

const NO_ACCOUNT = refusal("not_found", "There is no such account.");

const noPlan = (planId: string, plans: readonly PlanConfig[]): Refusal =>
  refusal("plan_not_found", `There is no plan "${planId}"; there is ${plans.map(({ id }) => id).join(", ")}.`, {
    members: { plans: plans.map(({ id }) => id) },
  });

const cannotPay = (plan: PlanConfig, { feeKobo, availableKobo }: FeeShortage): Refusal =>
  refusal(
    "insufficient_balance",
    `Plan ${plan.name} costs ${koboForPeople(feeKobo)} for the rest of this month; ${koboForPeople(availableKobo)} is available in the live wallet. Top it up and try again.`,
    { members: { fee: moneyOf(feeKobo), available: moneyOf(availableKobo) } },
  );
