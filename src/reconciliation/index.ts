import { makeOpenCases } from "../cases/open-cases.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { IdPrefix } from "../kernel/ids.ts";
import { parseKobo } from "../kernel/kobo.ts";
import type { Log } from "../kernel/log.ts";
import type { Service } from "../orders/service.ts";
import type { Job } from "../ports/job.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Provider } from "../ports/provider.ts";
import { makeNightlyComparison } from "./compare-nightly.ts";
import { reconciliationMetrics } from "./reconciliation-metrics.ts";
import { makeWatchFloats, type WatchedProvider } from "./watch-floats.ts";

const CASES_MS = 60_000;
/** Interval of queries to vendors about ended purchases: five per second. */
const QUESTIONS_MS = 200;
const FLOATS_MS = 600_000;
/** Interval of the check whether the floats are due. */
const FLOATS_DUE_MS = 60_000;

export interface ReconciliationParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly file: ConfigFile;
  readonly providers: ReadonlyMap<string, Provider>;
  /** The purchase services. */
  readonly sold: readonly Service[];
  /** Of the order ids of every service. */
  readonly idPrefixes: ReadonlyMap<string, IdPrefix>;
  /** False on a node that asks no vendors. */
  readonly dispatches: boolean;
}

/** Jobs that compare our records with the vendors'. */
export function makeReconciliationPart(parts: ReconciliationParts): { readonly jobs: readonly Job[] } {
  const { db, clock, log, file, dispatches, idPrefixes } = parts;
  const services = parts.sold.map(({ definition }) => definition.service);
  const names = new Set(
    file.routes.filter(({ service }) => services.includes(service)).map(({ provider }) => provider),
  );
  const providers = new Map([...parts.providers].filter(([name]) => names.has(name)));
  const watched = [...providers].flatMap(([name, provider]): WatchedProvider[] => {
    const { lowFloat } = file.providers[name]!;
    const lowKobo = lowFloat === undefined ? undefined : parseKobo(lowFloat);
    return provider.balance ? [{ name, balance: () => provider.balance!(), lowKobo }] : [];
  });
  reconciliationMetrics(parts.metrics, { db, clock, watched });
  const cases: Job = { name: "cases", everyMs: CASES_MS, run: makeOpenCases({ db, clock, log, services, idPrefixes }) };
  if (!dispatches) return { jobs: [cases] };
  return {
    jobs: [
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
    ],
  };
}
