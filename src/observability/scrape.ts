import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Collected, Line } from "./metrics.ts";

export interface Scrape {
  readonly contentType: string;
  readonly text: string;
}

export interface ScraperOptions {
  readonly metrics: () => readonly Collected[];
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Pick<Log, "warn">;
}

/** Several Prometheus servers, or one that is too eager, read one answer; those who come meanwhile wait for it. */
const FRESH_MS = 2_000;

/**
 * All metrics in Prometheus's text format. A metric that can't be read (the database is away) is left out, and the scrape says how
 * many: what else there is is needed most just then.
 */
export function makeScraper({ metrics, clock, log }: ScraperOptions): () => Promise<Scrape> {
  let last: { readonly atMs: number; readonly scrape: Promise<Scrape> } | undefined;

  const read = async (): Promise<Scrape> => {
    const { Registry } = await import("prom-client");
    const registry = new Registry();
    let unread = 0;
    const readAll = metrics().map(async ({ name, help, type, read: lines }) => {
      try {
        return { name, help, type, values: await lines() };
      } catch (error) {
        unread += 1;
        log.warn({ metric: name, error: (error as Error).message }, "a metric could not be read");
        return undefined;
      }
    });
    for (const metric of await Promise.all(readAll)) if (metric) registry.registerMetric(asPromClient(metric));
    registry.registerMetric(
      asPromClient({
        name: "afara_unread_metrics",
        help: "Metrics left out of this scrape because they could not be read, e.g. with the database away.",
        type: "gauge",
        values: [{ labels: {}, value: unread }],
      }),
    );
    return { contentType: registry.contentType, text: await registry.metrics() };
  };

  return () => {
    const atMs = clock.monotonicMs();
    if (!last || atMs - last.atMs >= FRESH_MS) last = { atMs, scrape: read() };
    return last.scrape;
  };
}

interface Read {
  readonly name: string;
  readonly help: string;
  readonly type: Collected["type"];
  readonly values: readonly Line[];
}

/** What a registry of prom-client asks of a metric is its name and `get`. */
const asPromClient = (metric: Read) =>
  ({ name: metric.name, get: async () => metric }) as unknown as Parameters<
    InstanceType<typeof import("prom-client").Registry>["registerMetric"]
  >[0];
