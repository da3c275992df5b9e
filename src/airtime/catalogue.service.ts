import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { DAY_MS } from "../kernel/duration.ts";
import type { Log } from "../kernel/log.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Network } from "../kernel/networks.ts";
import { cleanText } from "../orders/vendor-words.ts";
import type { VendorPlan } from "../ports/provider.ts";
import { type ListRefresher, makeListRefresher } from "../purchases/refresh-lists.ts";
import { compareLists, type DataPlan, isAvailable } from "./catalogue.ts";
import { findPlan, listPlans, readListTimes, storeList } from "./plans.repo.ts";

/** A provider that sells data bundles, with what its routes let it sell. */
export interface PlanSource {
  readonly provider: string;
  readonly modes: readonly Mode[];
  sells(network: Network): boolean;
  /** The whole list, or undefined when it can't be learned now. */
  plans(): Promise<readonly VendorPlan[] | undefined>;
}

export interface ListedPlan extends DataPlan {
  readonly available: boolean;
}

/** Our copy of the data plans that the vendors sell. */
export interface Catalogue extends ListRefresher {
  /** What keys of this mode can buy; also what they could until lately. `asOf`: of the oldest list; null without any. */
  list(mode: Mode, network?: Network): Promise<{ readonly plans: readonly ListedPlan[]; readonly asOf: Date | null }>;
  /** Undefined: no plan that keys of this mode could ever buy. */
  find(mode: Mode, planId: string): Promise<ListedPlan | undefined>;
}

export interface CatalogueOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly sources: readonly PlanSource[];
  /** See `ListRefresherOptions`. */
  readonly restMs?: number;
}

/** How long plans that are gone are still listed, as not available. */
const GONE_SHOWN_MS = 30 * DAY_MS;

export function makeCatalogue({ db, clock, log, sources, restMs }: CatalogueOptions): Catalogue {
  const fetchList = async ({ provider, plans }: PlanSource, isStopped: () => boolean) => {
    const at = clock.now();
    try {
      const listed = await plans();
      if (isStopped()) return;
      // An empty list is a vendor in trouble: its plans are not taken for gone.
      if (listed === undefined || listed.length === 0) {
        log.warn({ provider }, "the list of data plans could not be fetched; the last one is kept");
        return;
      }
      const usable = listed.flatMap((plan) => usablePlan(plan) ?? []);
      if (usable.length < listed.length)
        log.error({ provider, plans: listed.length - usable.length }, "data plans can't be read and are not sold");
      await storeList(db, provider, at, (known) => compareLists(provider, known, usable, at));
    } catch (error) {
      if (!isStopped())
        log.warn({ provider, error: (error as Error).message }, "the list of data plans was not stored");
    }
  };

  const fetchTimes = (providers: readonly string[]) => readListTimes(db, providers);
  const refresher = makeListRefresher({
    clock,
    sources,
    fetchTimes,
    fetchList,
    ...(restMs !== undefined && { restMs }),
  });

  const sellersOf = (mode: Mode) => sources.filter(({ modes }) => modes.includes(mode));

  return {
    ...refresher,

    async list(mode, network) {
      const sellers = new Map(sellersOf(mode).map((source) => [source.provider, source]));
      const providers = [...sellers.keys()];
      const now = clock.now();
      const goneAfter = new Date(now.getTime() - GONE_SHOWN_MS);
      const [fetched, plans] = await Promise.all([
        readListTimes(db, providers),
        listPlans(db, { providers, goneAfter, ...(network && { network }) }),
      ]);
      const times = [...fetched.values()].map((at) => at.getTime());
      return {
        plans: plans
          .filter((plan) => sellers.get(plan.provider)?.sells(plan.network))
          .map((plan) => ({ ...plan, available: isAvailable(plan, fetched.get(plan.provider), now) })),
        asOf: times.length === 0 ? null : new Date(Math.min(...times)),
      };
    },

    async find(mode, planId) {
      const plan = await findPlan(db, planId);
      const seller = plan && sellersOf(mode).find(({ provider }) => provider === plan.provider);
      if (!plan || !seller?.sells(plan.network)) return undefined;
      const fetched = await readListTimes(db, [plan.provider]);
      return { ...plan, available: isAvailable(plan, fetched.get(plan.provider), clock.now()) };
    },
  };
}

const NAME_MAX = 200;
const CODE_MAX = 200;

/** One plan that can't be stored must not keep the others' new prices back. */
function usablePlan(plan: VendorPlan): VendorPlan | undefined {
  const { code, costKobo } = plan;
  const isWhole = code.length <= CODE_MAX && cleanText(code, CODE_MAX) === code;
  if (!isWhole || costKobo <= 0n) return undefined;
  return { ...plan, name: cleanText(plan.name, NAME_MAX) };
}
