import { AnswerLost, type Database, DatabaseAway, DatabaseUnable } from "../db/database.ts";
import { makeCommitLane } from "../db/group-commit.ts";
import { mayHeal, runBatchOrSingly } from "../db/retry-batch.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { CallerGone, type InSlices } from "../kernel/slices.ts";
import { acceptOrders, brokenRule, fellShort, ordersOf, type Unit, type UnitAnswer } from "./accept.repo.ts";
import type { EngineMetrics } from "./engine-metrics.ts";
import type { EngineSpans } from "./engine-spans.ts";

export interface Acceptor {
  /** Accepts a unit; what was not accepted comes back by index (−1: all of it). */
  accept(unit: Unit): Promise<Result<UnitAnswer>>;
  readonly waiting: number;
  idle(): Promise<void>;
}

export interface AcceptorOptions {
  readonly db: Database;
  readonly node: Uuid;
  readonly clock: Clock;
  readonly leaseSeconds: number;
  /**
   * Most orders waiting for their commit, counted separately for single orders and for bulks; beyond it callers get 503 `overloaded`
   * before memory grows. A bulk counts as many as it has orders.
   */
  readonly waitingMax: number;
  readonly inSlices?: InSlices;
  readonly metrics?: EngineMetrics | undefined;
  readonly spans?: EngineSpans | undefined;
  /** The public id of the unit. */
  readonly idOf: (unit: Unit) => string;
  /** How long a caller waits after the database's answer was lost. */
  readonly answerMs: number;
}

/** Single orders of a batch; a larger one holds the wallet's row longer than it saves fsyncs. */
const BATCH_MAX = 256;

export function makeAcceptor(options: AcceptorOptions): Acceptor {
  const { db, node, leaseSeconds, clock, metrics, spans } = options;
  const slices = options.inSlices && { inSlices: options.inSlices };

  /** The fast path detects insufficient funds or quota only at its end; the batch is then accepted again in strict mode. */
  const call = async (units: readonly Unit[], recheck: boolean): Promise<readonly UnitAnswer[]> => {
    try {
      return await acceptOrders(db, units, { node, leaseSeconds, strict: false, recheck, ...slices });
    } catch (error) {
      if (!fellShort(error)) throw error;
      return acceptOrders(db, units, { node, leaseSeconds, strict: true, recheck, ...slices });
    }
  };

  /** A lost answer is not a refusal: the same ids are asked for again until the answer is known or the time is up. */
  const callUntilKnown = async (units: readonly Unit[]): Promise<readonly (UnitAnswer | Error)[]> => {
    if (units.every(({ gone }) => gone?.aborted)) throw new CallerGone();
    let lost = false;
    for (let wait = 20; ; wait = Math.min(wait * 2, 500)) {
      try {
        const answers = await runBatchOrSingly(units, (some) => call(some, lost));
        return answers.map(brokenRuleAsAnswer);
      } catch (error) {
        if (error instanceof AnswerLost) lost = true;
        else if (!(error instanceof DatabaseAway) || !lost) throw error;
        if (clock.monotonicMs() >= deadline(units)) throw new AnswerLost("the database did not come back in time");
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  };

  const arrivedAt = new WeakMap<Unit, number>();
  const deadline = (units: readonly Unit[]) =>
    Math.min(...units.map((unit) => arrivedAt.get(unit) ?? 0)) + options.answerMs;
  // Units that share a key or a twin go into different batches, so that the second sees the first.
  const keysOf = (unit: Unit) =>
    unit.orders.flatMap((order) => [
      ...order.keys.map((key) => `${order.accountId} ${order.mode} ${key.kind} ${key.key}`),
      ...(order.twin ? [`${order.accountId} ${order.mode} twin ${order.twin.key}`] : []),
    ]);

  const singles = makeCommitLane<Unit, UnitAnswer>({
    batchMax: BATCH_MAX,
    concurrency: 2,
    keysOf,
    onBatch: (units) => metrics?.batch("accept", units.length),
    run: callUntilKnown,
  });
  // Bulks have a lane of their own, so that a single message never waits for ten thousand rows.
  const groups = makeCommitLane<Unit, UnitAnswer>({
    batchMax: 1,
    onBatch: (units) => metrics?.batch("accept_bulk", ordersOf(units)),
    run: callUntilKnown,
  });
  /** Orders of the bulks that wait for their commit. */
  let inGroups = 0;

  return {
    async accept(unit) {
      const own = ordersOf([unit]);
      // A bulk larger than the bound is accepted when no other waits; otherwise it never could be.
      const isFull = unit.group
        ? inGroups > 0 && inGroups + own > options.waitingMax
        : singles.waiting >= options.waitingMax;
      if (isFull) return refuse(OVERLOADED);
      const sinceMs = clock.monotonicMs();
      arrivedAt.set(unit, sinceMs);
      if (unit.group) inGroups += own;
      try {
        const answer = await (unit.group ? groups : singles).submit(unit);
        metrics?.accepted(unit.orders, answer);
        spans?.accepted(unit, answer, sinceMs);
        return ok(answer);
      } catch (error) {
        const refused = refusalFor(error, unit, options.idOf);
        spans?.accepted(unit, refused, sinceMs);
        return refuse(refused);
      } finally {
        if (unit.group) inGroups -= own;
      }
    },
    get waiting() {
      return singles.waiting + groups.waiting;
    },
    async idle() {
      await Promise.all([singles.idle(), groups.idle()]);
    },
  };
}

function brokenRuleAsAnswer(answer: UnitAnswer | Error): UnitAnswer | Error {
  const rule = answer instanceof Error ? brokenRule(answer) : undefined;
  return rule === undefined ? answer : { refused: new Map([[-1, { kind: "rule", rule }]]), begun: false };
}

const OVERLOADED = refusal(
  "overloaded",
  "The gateway has more requests than it can store just now. This one made no order; what an earlier one with the same key made stands. Try again in a second.",
  {
    retryAfterSeconds: 1,
  },
);

function refusalFor(error: unknown, unit: Unit, idOf: (unit: Unit) => string): Refusal {
  const internal = (error as Error).message;
  if (error instanceof DatabaseAway || (!(error instanceof AnswerLost) && mayHeal(error)))
    return refusal(
      "database_unavailable",
      `The database ${error instanceof DatabaseUnable ? "can't store anything just now" : "can't be reached"}; nothing was accepted and nothing is charged. Try again.`,
      {
        retryAfterSeconds: 2,
        internal,
      },
    );
  if (error instanceof AnswerLost) {
    const id = idOf(unit);
    const lookUp = unit.group ? "look the id up" : `ask GET /orders/${id}`;
    return refusal(
      "acceptance_unknown",
      `The database broke off while storing this. It may have been accepted: ${lookUp}, or repeat with the same Idempotency-Key.`,
      { retryAfterSeconds: 2, internal, members: { order_id: id } },
    );
  }
  throw error;
}
