import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { DAY_MS } from "../kernel/duration.ts";
import type { Log } from "../kernel/log.ts";
import type { Mode } from "../kernel/mode.ts";
import { cleanName, cleanText } from "../orders/vendor-words.ts";
import type { VendorPlan } from "../ports/provider.ts";
import { compareLists, isAvailable, type Listed, type Plan } from "./catalogue.ts";
import type { PlanReading } from "./plan-reading.ts";
import type { PlanSource } from "./plan-sources.ts";
import { findPlan, listPlans, readListTimes, storeList } from "./plans.repo.ts";
import { type ListRefresher, makeListRefresher } from "./refresh-lists.ts";

export interface ListedPlan<Group extends string, Facts> extends Plan<Group> {
  /** What its name says, by the present rules. */
  readonly facts: Facts;
  readonly available: boolean;
}

/** Our copy of the plans of one product that the vendors sell. */
export interface Catalogue<Group extends string, Facts> extends ListRefresher {
  /** What keys of this mode can buy; also what they could until lately. `asOf`: of the oldest list; null without any. */
  list(
    mode: Mode,
    group?: Group,
  ): Promise<{ readonly plans: readonly ListedPlan<Group, Facts>[]; readonly asOf: Date | null }>;
  /** Undefined: no plan that keys of this mode could ever buy. */
  find(mode: Mode, planId: string): Promise<ListedPlan<Group, Facts> | undefined>;
}

export interface CatalogueOptions<Group extends string, Facts> {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly reading: PlanReading<Group, Facts>;
  readonly sources: readonly PlanSource<Group>[];
  /** See `ListRefresherOptions`. */
  readonly restMs?: number;
}

/** How long plans that are gone are still listed, as not available. */
const GONE_SHOWN_MS = 30 * DAY_MS;

export function makeCatalogue<Group extends string, Facts>(
  options: CatalogueOptions<Group, Facts>,
): Catalogue<Group, Facts> {
  const { db, clock, log, reading, sources, restMs } = options;
  const { product, noun } = reading;

  const fetchList = async ({ provider, plans }: PlanSource<Group>, isStopped: () => boolean) => {
    const at = clock.now();
    try {
      const listed = await plans();
      if (isStopped()) return;
      // An empty list is a vendor in trouble: its plans are not taken for gone.
      if (listed === undefined || listed.length === 0) {
        log.warn({ provider }, `the list of ${noun} could not be fetched; the last one is kept`);
        return;
      }
      const usable = listed.flatMap((plan) => usablePlan(reading.groups, plan) ?? []);
      if (usable.length < listed.length)
        log.error({ provider, plans: listed.length - usable.length }, `${noun} can't be read and are not sold`);
      await storeList<Group>(db, { product, provider, fetchedAt: at }, (known) =>
        compareLists(reading, provider, known, usable, at),
      );
    } catch (error) {
      if (!isStopped()) log.warn({ provider, error: (error as Error).message }, `the list of ${noun} was not stored`);
    }
  };

  const fetchTimes = (providers: readonly string[]) => readListTimes(db, product, providers);
  const refresher = makeListRefresher({
    clock,
    sources,
    fetchTimes,
    fetchList,
    ...(restMs !== undefined && { restMs }),
  });

  const sellersOf = (mode: Mode) => sources.filter(({ modes }) => modes.includes(mode));
  const shown = (plan: Plan<Group>, fetchedAt: Date | undefined, now: Date): ListedPlan<Group, Facts> => ({
    ...plan,
    facts: reading.read(plan.name),
    available: isAvailable(plan, fetchedAt, now),
  });

  return {
    ...refresher,

    async list(mode, group) {
      const sellers = new Map(sellersOf(mode).map((source) => [source.provider, source]));
      const providers = [...sellers.keys()];
      const now = clock.now();
      const goneAfter = new Date(now.getTime() - GONE_SHOWN_MS);
      const [fetched, stored] = await Promise.all([
        fetchTimes(providers),
        listPlans<Group>(db, { product, providers, goneAfter, ...(group !== undefined && { group }) }),
      ]);
      const plans = stored
        .filter((plan) => sellers.get(plan.provider)?.sells(plan.group))
        .map((plan) => shown(plan, fetched.get(plan.provider), now));
      const times = [...fetched.values()].map((at) => at.getTime());
      return {
        // They are stored by group, cost and id.
        plans: [...Map.groupBy(plans, (plan) => plan.group).values()].flatMap((ofGroup) =>
          ofGroup.toSorted((one, other) => reading.compare(one.facts, other.facts)),
        ),
        asOf: times.length === 0 ? null : new Date(Math.min(...times)),
      };
    },

    async find(mode, planId) {
      const plan = await findPlan<Group>(db, product, planId);
      const seller = plan && sellersOf(mode).find(({ provider }) => provider === plan.provider);
      if (!plan || !seller?.sells(plan.group)) return undefined;
      const fetched = await fetchTimes([plan.provider]);
      return shown(plan, fetched.get(plan.provider), clock.now());
    },
  };
}

const NAME_MAX = 200;
const CODE_MAX = 200;

/** One plan that can't be stored must not keep the others' new prices back. */
function usablePlan<Group extends string>(groups: readonly Group[], plan: VendorPlan): Listed<Group> | undefined {
  const { code, name, costKobo } = plan;
  const group = groups.find((one) => one === plan.group);
  const isWhole = code.length <= CODE_MAX && cleanText(code, CODE_MAX) === code;
  if (!isWhole || group === undefined || costKobo <= 0n) return undefined;
  return { code, group, name: cleanName(name, NAME_MAX), costKobo };
}
