import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import { NO_TRACING, type Tracing } from "../ports/tracing.ts";
import { makeAdminServer } from "./admin-server.ts";
import { MemoryMetrics } from "./metrics.ts";
import { versionOf, watchProcess } from "./process-metrics.ts";
import { makeScraper } from "./scrape.ts";
import type { TracingSettings } from "./tracing.ts";

export interface ObservabilityOptions {
  readonly node: Uuid;
  readonly clock: Clock;
  readonly log: Log;
  /** `port` undefined: none for the operator's tools. */
  readonly admin: { readonly host: string; readonly port: number | undefined };
  /** The gateway does not start if the port can't be had; otherwise that is only said. */
  readonly mustListen: boolean;
  /** Undefined: no spans. */
  readonly tracing: TracingSettings | undefined;
}

export interface Observability {
  /** Where every part counts, and tells what it did. */
  readonly watching: { readonly metrics: Metrics; readonly tracing: Tracing };
  /** Resolves with the port, or with undefined if there is none. */
  start(): Promise<number | undefined>;
  stop(): Promise<void>;
}

/** What the operator sees of the gateway without reading its database. */
export async function makeObservabilityPart(options: ObservabilityOptions): Promise<Observability> {
  const { clock, log, admin, mustListen } = options;
  const metrics = new MemoryMetrics();
  const tracing = await loadTracing(options);
  const server = makeAdminServer(makeScraper({ metrics: () => metrics.all, clock, log }));
  let stopWatching = (): void => undefined;

  return {
    watching: { metrics, tracing: tracing ?? NO_TRACING },
    async start() {
      const { host, port } = admin;
      if (port === undefined) return undefined;
      stopWatching = watchProcess(metrics, clock);
      try {
        return await server.listen({ host, port });
      } catch (error) {
        if (mustListen) throw error;
        log.warn({ host, port, code: (error as NodeJS.ErrnoException).code }, "no /metrics: the port can't be had");
        return undefined;
      }
    },
    async stop() {
      stopWatching();
      await server.stop();
      await tracing?.stop();
    },
  };
}

/** The SDK takes its time to load, so only who has a collector loads it. */
async function loadTracing({ tracing, node, clock, log }: ObservabilityOptions) {
  if (!tracing) return undefined;
  const { SdkTracing } = await import("./tracing.ts");
  return new SdkTracing({ ...tracing, node, clock, log, version: versionOf() });
}
