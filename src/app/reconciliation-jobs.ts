import { makeOpenCases } from "../cases/open-cases.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { parseKobo } from "../kernel/kobo.ts";
import type { Log } from "../kernel/log.ts";
import type { Job } from "../orders/housekeeping.ts";
import type { ServiceDefinition } from "../orders/service-definition.ts";
import type { Provider } from "../ports/provider.ts";
import { PURCHASE_STEPS } from "../purchases/purchase.steps.ts";
import { makeNightlyComparison } from "../reconciliation/compare-nightly.ts";
import { makeWatchFloats, type WatchedProvider } from "../reconciliation/watch-floats.ts";

const CASES_MS = 60_000;
/** Between two questions to vendors about what has ended: five a second. */
const QUESTIONS_MS = 200;
const FLOATS_MS = 600_000;
/** How often it is seen whether a look at the floats is due. */
const FLOATS_DUE_MS = 60_000;

export interface ReconciliationJobsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly file: ConfigFile;
  readonly services: readonly ServiceDefinition[];
  readonly providers: ReadonlyMap<string, Provider>;
  /** False on a node that asks no vendors. */
  readonly dispatches: boolean;
}

/** What is done of itself so that our books and the vendors' agree; a part of the composition root. */
export function reconciliationJobs(options: ReconciliationJobsOptions): readonly Job[] {
  const { db, clock, log, file, services, dispatches } = options;
  const sold = services.filter(({ table }) => table === PURCHASE_STEPS).map(({ service }) => service);
  const names = new Set(file.routes.filter(({ service }) => sold.includes(service)).map(({ provider }) => provider));
  const providers = new Map([...options.providers].filter(([name]) => names.has(name)));
  const watched = [...providers].flatMap(([name, provider]): WatchedProvider[] => {
    const { lowFloat } = file.providers[name]!;
    const lowKobo = lowFloat === undefined ? undefined : parseKobo(lowFloat);
    return provider.balance ? [{ name, balance: () => provider.balance!(), lowKobo }] : [];
  });
  const cases: Job = { name: "cases", everyMs: CASES_MS, run: makeOpenCases({ db, clock, log, services: sold }) };
  if (!dispatches) return [cases];
  return [
    cases,
    {
      name: "comparison with vendors",
      everyMs: QUESTIONS_MS,
      run: makeNightlyComparison({ db, clock, log, providers }),
    },
    {
      name: "floats",
      everyMs: FLOATS_DUE_MS,
      run: makeWatchFloats({ db, clock, log, providers: watched, everyMs: FLOATS_MS }),
    },
  ];
}
