import type { Config } from "../config/gateway-config.ts";
import { makeNodeCounters, type NodeCounters } from "../counters/node-counters.ts";
import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import { countApiNodes } from "../orders/nodes.repo.ts";

/** The counters of a node. A dispatcher takes no requests, so it shares none. */
export const openCounters = (
  { role, redisUrl }: Pick<Config, "role" | "redisUrl">,
  { db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Log },
): Promise<NodeCounters> =>
  makeNodeCounters({
    redisUrl: role === "dispatcher" ? undefined : redisUrl,
    nodes: () => countApiNodes(db),
    clock,
    log,
  });
