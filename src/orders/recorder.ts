import type { Database } from "../db/database.ts";
import { type CommitLane, makeCommitLane } from "../db/group-commit.ts";
import { runBatchOrSingly } from "../db/retry-batch.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../providers/provider.ts";
import type { Change, Order } from "./order.ts";
import { changeOrders, findOrder } from "./orders.repo.ts";

/** Writes what was decided, in batches. `begin`, `record` and `report` are lanes of their own, so none waits for another. */
export interface Recorder {
  /** Applies one change. False: it was decided on an old version, or the lease it needs is lost. */
  apply(lane: LaneName, change: Change): Promise<boolean>;
  /**
   * Decides and applies until it fits: on a stale version the order is read again and decided anew; while the database is
   * away it waits, because what a vendor answered must not be forgotten. Returns the order as it is now, or undefined when
   * there was nothing to decide.
   */
  settle(lane: LaneName, order: Order, decide: (order: Order) => Change | undefined): Promise<Order | undefined>;
  idle(): Promise<void>;
}

export type LaneName = "begin" | "record" | "report";

export interface RecorderOptions {
  readonly db: Database;
  readonly node: Uuid;
  readonly clock: Clock;
  readonly log: Log;
  /** Reports were waiting for these references: work them off. */
  readonly onParked: (references: readonly { readonly route: string; readonly reference: string }[]) => void;
}

const BATCH_MAX = 256;

export function makeRecorder({ db, node, log, onParked }: RecorderOptions): Recorder {
  const run = (changes: readonly Change[]) =>
    runBatchOrSingly(changes, async (some) => {
      const { stale, parked } = await changeOrders(db, node, some);
      if (parked.length > 0) onParked(parked);
      return some.map((change) => !stale.has(change.before.id));
    });
  // A batch holds an order once: its second change is decided on what the first left behind.
  const keysOf = (change: Change) => [change.before.id];
  const makeLane = (): CommitLane<Change, boolean> => makeCommitLane({ batchMax: BATCH_MAX, keysOf, run });
  const lanes: Record<LaneName, CommitLane<Change, boolean>> = {
    begin: makeLane(),
    record: makeLane(),
    report: makeLane(),
  };

  const untilAnswered = async <T>(what: string, act: () => Promise<T>): Promise<T> => {
    for (let wait = 50; ; wait = Math.min(wait * 2, 1_000)) {
      try {
        return await act();
      } catch (error) {
        log.warn({ error: (error as Error).message, what }, "the database did not take it; trying again");
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  };

  return {
    apply: (lane, change) => lanes[lane].submit(change),
    async settle(lane, order, decide) {
      let current: Order | undefined = order;
      while (current) {
        const decided: Order = current;
        const change = decide(decided);
        if (!change) return current;
        if (await untilAnswered("record", () => lanes[lane].submit(change))) return change.after;
        current = await untilAnswered("read", () => findOrder(db, decided.accountId, decided.id));
      }
      return undefined;
    },
    async idle() {
      await Promise.all(Object.values(lanes).map((lane) => lane.idle()));
    },
  };
}
