import type { ConfigFile, PlanConfig } from "../config/operator-file.ts";
import type { Database, Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId } from "../kernel/ids.ts";
import { koboToNaira, parseKobo } from "../kernel/kobo.ts";
import { lagosMonth } from "../kernel/lagos.ts";
import type { Log } from "../kernel/log.ts";
import { audit } from "./audit.repo.ts";
import { announceChange } from "./changes.repo.ts";
import { findUnsettled, type Standing, subscribe, type Unsettled, unsubscribe } from "./subscriptions.repo.ts";
import { chargeFee, type FeeShortage, lockStanding } from "./subscriptions.ts";

export interface RenewalsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: Pick<ConfigFile, "services">;
}

/** Batch size of one run; a stopping gateway waits for the run. */
const BATCH = 200;

/**
 * Settles the month of every unpaid subscription: at the start of a month in Lagos, all of them. An account that can't pay falls
 * back to the free plan, or loses the subscription if there is none. Safe to run on every node at once and to stop at any moment:
 * each month is settled in one transaction by the first node. A gateway that starts later charges for the remaining days.
 */
export function makeRenewals({ db, clock, log, config }: RenewalsOptions): () => Promise<void> {
  const services = new Map(Object.entries(config.services));
  /** The next run's starting point, so that subscriptions that can't be settled do not block the others. */
  let last: Unsettled | undefined;

  async function renew({ accountId, service }: Unsettled): Promise<void> {
    const at = clock.now();
    const month = lagosMonth(at);
    const sold = services.get(service);
    if (!sold) return; // not on offer for now
    const chargeFor = (tx: Db, plan: PlanConfig, standing: Standing) =>
      chargeFee(tx, { accountId, service, serviceName: sold.name, plan, at }, standing);
    await db.transaction(async (tx) => {
      const standing = await lockStanding(tx, accountId, service, month);
      if (!standing?.current || standing.settledKobo !== undefined || standing.suspended) return;
      const { plan: planId } = standing.current;
      const entry = { actor: { kind: "system" }, subject: encodeId("acc", accountId) } as const;
      const plan = sold.plans.find(({ id }) => id === planId);
      const charged = plan && (await chargeFor(tx, plan, standing));
      if (charged?.ok) {
        const details = { service, plan: planId, month, charged: koboToNaira(charged.value) };
        if (charged.value > 0n) await audit(tx, { ...entry, action: "subscription.renew", details });
        return;
      }
      const free = sold.plans.find(({ fee }) => parseKobo(fee) === 0n);
      if (free) {
        await subscribe(tx, accountId, service, free.id, at);
        await chargeFor(tx, free, standing);
      } else await unsubscribe(tx, accountId, service);
      await announceChange(tx);
      await audit(tx, {
        ...entry,
        action: "subscription.lapse",
        details: {
          service,
          plan: free?.id ?? null,
          previous_plan: planId,
          month,
          ...(charged && shortage(charged.error)),
        },
        reason: charged ? "the wallet could not pay the month's fee" : "the plan is not in the configuration any more",
      });
    });
  }

  return async () => {
    const found = await findUnsettled(db, lagosMonth(clock.now()), last, BATCH);
    for (const unsettled of found)
      await renew(unsettled).catch((error: Error) =>
        log.warn({ account: encodeId("acc", unsettled.accountId), error: error.message }, "a renewal waits"),
      );
    last = found.length < BATCH ? undefined : found.at(-1);
  };
}

const shortage = ({ feeKobo, availableKobo }: FeeShortage) => ({
  fee: koboToNaira(feeKobo),
  available: koboToNaira(availableKobo),
});
