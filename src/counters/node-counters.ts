import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import { FailoverCounters } from "./failover-counters.ts";
import { type Counters, MemoryCounters } from "./memory-counters.ts";

/** A node's counters, with the connection that they may need. */
export interface NodeCounters {
  readonly counters: Counters;
  start(): Promise<void>;
  stop(): void;
}

export interface NodeCountersOptions {
  /** Undefined: this node counts for itself, which is exact where it is the only one. */
  readonly redisUrl: string | undefined;
  readonly nodes: () => Promise<number>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The library that talks to the server is loaded where there is a server: it takes a tenth of a start's time. */
export async function makeNodeCounters({ redisUrl, nodes, clock, log }: NodeCountersOptions): Promise<NodeCounters> {
  const local = new MemoryCounters(clock);
  if (redisUrl === undefined) return { counters: local, start: async () => undefined, stop: () => undefined };
  const { RedisCounters } = await import("./redis-counters.ts");
  const shared = new RedisCounters(redisUrl);
  const counters = new FailoverCounters({ shared, local, nodes, log });
  return {
    counters,
    start: () => counters.start(),
    stop() {
      counters.stop();
      shared.close();
    },
  };
}
