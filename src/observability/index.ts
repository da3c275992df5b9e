import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import { makeAdminServer } from "./admin-server.ts";
import { MemoryMetrics } from "./metrics.ts";
import { watchProcess } from "./process-metrics.ts";
import { makeScraper } from "./scrape.ts";

export interface ObservabilityOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** `port` undefined: none for the operator's tools. */
  readonly admin: { readonly host: string; readonly port: number | undefined };
  /** The gateway does not start if the port can't be had; otherwise that is only said. */
  readonly mustListen: boolean;
}

export interface Observability {
  /** Where every part counts. */
  readonly metrics: Metrics;
  /** Resolves with the port, or with undefined if there is none. */
  start(): Promise<number | undefined>;
  stop(): Promise<void>;
}

/** What the operator sees of the gateway without reading its database. */
export function makeObservabilityPart({ clock, log, admin, mustListen }: ObservabilityOptions): Observability {
  const metrics = new MemoryMetrics();
  const server = makeAdminServer(makeScraper({ metrics: () => metrics.all, clock, log }));
  let stopWatching = (): void => undefined;

  return {
    metrics,
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
    },
  };
}
