import type { Database } from "../db/database.ts";
import { type CommitLane, makeCommitLane } from "../db/group-commit.ts";
import { mayHeal, runBatchOrSingly } from "../db/retry-batch.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { EngineMetrics } from "./engine-metrics.ts";
import { type Change, isBulk, type Order } from "./order.ts";
import { changeOrders, findOrder } from "./orders.repo.ts";

/**
 * Writes what was decided, in batches. `begin`, `record` and `report` are lanes of their own, so none waits for another; and
 * bulk orders have theirs, so that an OTP never waits for the commit of two hundred of them.
 */
export interface Recorder {
  /** Applies one change. False: it was decided on an old version, or the lease it needs is lost. */
  apply(lane: LaneName, change: Change): Promise<boolean>;
  /**
   * Decides and applies until the change is accepted: on a stale version the order is read again and decided anew; while the
   * database is away it retries, because a vendor's answer must not be forgotten. Returns the order as it is now, or undefined
   * when it is gone. Throws when the change itself can't be stored, which no retry resolves.
   */
  settle(lane: LaneName, order: Order, decide: (order: Order) => Change | undefined): Promise<Order | undefined>;
  idle(): Promise<void>;
}

type Urgency = "urgent" | "bulk";
export type LaneName = "begin" | "record" | "report";

export interface RecorderOptions {
  readonly db: Database;
  readonly node: Uuid;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: EngineMetrics | undefined;
  /** Called with the changed order right after its commit. */
  readonly onChanged: (order: Order) => void;
  /** Called with the references recorded just now on which reports are parked. */
  readonly onParked: (references: readonly { readonly route: string; readonly reference: string }[]) => void;
}

const BATCH_MAX = { urgent: 256, bulk: 64 };
/** Two batches at once keep the database busy while one is synced; bulk has to leave it free for the others. */
const CONCURRENCY = { urgent: 2, bulk: 1 };

export function makeRecorder({ db, node, log, metrics, onChanged, onParked }: RecorderOptions): Recorder {
  const run = (changes: readonly Change[]) =>
    runBatchOrSingly(changes, async (some) => {
      const { stale, parked } = await changeOrders(db, node, some);
      if (parked.length > 0) onParked(parked);
      for (const change of some) {
        if (stale.has(change.before.id)) continue;
        metrics?.changed(change);
        onChanged(change.after);
      }
      return some.map((change) => !stale.has(change.before.id));
    });
  // A batch has an order only once: its second change is decided on the result of the first. And a reference only once: a vendor
  // that gives one reference to several orders must not make the later ones fail.
  const keysOf = ({ before, references }: Change) => [
    before.id,
    ...references.map(({ route, reference }) => `${route}\n${reference}`),
  ];
  const makeLane = (urgency: Urgency, name: LaneName): CommitLane<Change, boolean> => {
    const label = urgency === "bulk" ? `${name}_bulk` : name;
    const onBatch = ({ length }: readonly Change[]) => metrics?.batch(label, length);
    return makeCommitLane({ batchMax: BATCH_MAX[urgency], concurrency: CONCURRENCY[urgency], keysOf, onBatch, run });
  };
  const lanesFor = (urgency: Urgency): Record<LaneName, CommitLane<Change, boolean>> => ({
    begin: makeLane(urgency, "begin"),
    record: makeLane(urgency, "record"),
    report: makeLane(urgency, "report"),
  });
  const lanes = { urgent: lanesFor("urgent"), bulk: lanesFor("bulk") };
  const laneOf = (name: LaneName, change: Change) => lanes[isBulk(change.before) ? "bulk" : "urgent"][name];

  const untilAnswered = async <T>(what: string, act: () => Promise<T>): Promise<T> => {
    for (let wait = 50; ; wait = Math.min(wait * 2, 1_000)) {
      try {
        return await act();
      } catch (error) {
        if (!mayHeal(error)) throw error;
        log.warn({ error: (error as Error).message, what }, "the database did not take it; trying again");
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  };

  return {
    apply: (lane, change) => laneOf(lane, change).submit(change),
    async settle(lane, order, decide) {
      let current: Order | undefined = order;
      while (current) {
        const decided: Order = current;
        const change = decide(decided);
        if (!change) return current;
        if (await untilAnswered("record", () => laneOf(lane, change).submit(change))) return change.after;
        current = await untilAnswered("read", () => findOrder(db, decided.accountId, decided.id));
      }
      return undefined;
    },
    async idle() {
      const all = [...Object.values(lanes.urgent), ...Object.values(lanes.bulk)];
      await Promise.all(all.map((lane) => lane.idle()));
    },
  };
}
