import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Network } from "../kernel/networks.ts";
import { cleanText } from "../orders/vendor-words.ts";
import type { VendorPlan } from "../ports/provider.ts";
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

/** Our copy of what the vendors sell: asked for at start, every hour, and when a vendor says that it changed. */
export interface Catalogue {
  /** Fetches the lists that are due; a job of every node, whichever is first does it. Waits for no vendor. */
  refreshDue(): Promise<void>;
  /** The provider says that its list changed. */
  changed(provider: string): void;
  /** What keys of this mode can buy; also what they could until lately. `asOf`: of the oldest list; null without any. */
  list(mode: Mode, network?: Network): Promise<{ readonly plans: readonly ListedPlan[]; readonly asOf: Date | null }>;
  /** Undefined: no plan that keys of this mode could ever buy. */
  find(mode: Mode, planId: string): Promise<ListedPlan | undefined>;
  /** What is being fetched is dropped. */
  stop(): void;
}

export interface CatalogueOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly sources: readonly PlanSource[];
  /** Between two fetches of one list, however often it is said to have changed: anybody may call some vendors' webhooks. */
  readonly restMs?: number;
}

const HOUR_MS = 3_600_000;
/** How long plans that went are still shown, as not available. */
const GONE_SHOWN_MS = 30 * 24 * HOUR_MS;
const REST_MS = 2_000;

export function makeCatalogue({ db, clock, log, sources, restMs = REST_MS }: CatalogueOptions): Catalogue {
  const underWay = new Map<string, { again: boolean }>();
  let started = false;
  let stopped = false;

  const fetchList = async ({ provider, plans }: PlanSource) => {
    const at = clock.now();
    try {
      const listed = await plans();
      if (stopped) return;
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
      if (!stopped) log.warn({ provider, error: (error as Error).message }, "the list of data plans was not stored");
    }
  };

  const refresh = async (source: PlanSource) => {
    const running = underWay.get(source.provider);
    if (running) {
      running.again = true;
      return;
    }
    const run = { again: true };
    underWay.set(source.provider, run);
    while (run.again && !stopped) {
      run.again = false;
      await fetchList(source);
      await new Promise((resolve) => setTimeout(resolve, restMs).unref());
    }
    underWay.delete(source.provider);
  };

  const sellersOf = (mode: Mode) => sources.filter(({ modes }) => modes.includes(mode));

  return {
    async refreshDue() {
      const fetched = await readListTimes(
        db,
        sources.map(({ provider }) => provider),
      );
      for (const source of sources) {
        const ageMs = clock.now().getTime() - (fetched.get(source.provider)?.getTime() ?? 0);
        if (!started || ageMs >= HOUR_MS) void refresh(source);
      }
      started = true;
    },

    changed(provider) {
      const source = sources.find((candidate) => candidate.provider === provider);
      if (source) void refresh(source);
    },

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

    stop() {
      stopped = true;
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
