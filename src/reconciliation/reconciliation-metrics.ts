import { countOpen } from "../cases/cases.repo.ts";
import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { remembered } from "../kernel/remembered.ts";
import type { Metrics } from "../ports/metrics.ts";
import { readFloats } from "./floats.repo.ts";
import type { WatchedProvider } from "./watch-floats.ts";

export interface ReconciliationMetricsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly watched: readonly Pick<WatchedProvider, "name" | "lowKobo">[];
}

/** Open cases, and our money at vendors as it was last read (every ten minutes). */
export function reconciliationMetrics(metrics: Metrics, { db, clock, watched }: ReconciliationMetricsOptions): void {
  const cases = remembered(clock, () => countOpen(db));
  metrics.gauge<"kind">(
    { name: "afara_open_cases", help: "What a person must look at: ./afara cases list.", labels: ["kind"] },
    async () => (await cases()).map((row) => ({ value: row.cases, labels: [row.kind] })),
  );
  const names = new Set(watched.map(({ name }) => name));
  const floats = remembered(clock, async () =>
    [...(await readFloats(db)).values()].filter(({ provider }) => names.has(provider)),
  );
  metrics.gauge<"provider">(
    { name: "afara_provider_float_kobo", help: "Our balance at the vendor, as last read.", labels: ["provider"] },
    async () =>
      (await floats()).map(({ provider, balanceKobo }) => ({ value: Number(balanceKobo), labels: [provider] })),
  );
  metrics.gauge<"provider">(
    { name: "afara_provider_float_age_seconds", help: "Since that reading.", labels: ["provider"] },
    async () => {
      const now = clock.now().getTime();
      return (await floats()).map(({ provider, at }) => ({ value: (now - at.getTime()) / 1_000, labels: [provider] }));
    },
  );
  metrics.gauge<"provider">(
    {
      name: "afara_provider_float_low_kobo",
      help: "The configured lowFloat: pay in when the balance is below it.",
      labels: ["provider"],
    },
    () =>
      watched.flatMap(({ name, lowKobo }) =>
        lowKobo === undefined ? [] : [{ value: Number(lowKobo), labels: [name] }],
      ),
  );
}
