import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../kernel/duration.ts";
import { encodeId, type IdPrefix } from "../kernel/ids.ts";
import { koboToNaira } from "../kernel/kobo.ts";
import type { Log } from "../kernel/log.ts";
import type { Mode } from "../kernel/mode.ts";
import { type Order, queueOf } from "../orders/order.ts";
import { readTimeline } from "../orders/orders.repo.ts";
import { deniedSince } from "../orders/pieces.ts";
import type { CaseKind, Evidence } from "./case.ts";
import { attemptsOf, closeSettled, findDenied, findDoubts, findLosses, findUndecided, openCase } from "./cases.repo.ts";
import { evidenceOf } from "./evidence.ts";

/** How long a purchase may stay undecided before it becomes a case. The vendor is queried throughout. */
const UNDECIDED_MS = { live: DAY_MS, test: 2 * MINUTE_MS } as const satisfies Record<Mode, number>;
/** How long a vendor may not find an order that it took: its query service may lag behind its sales service. */
const DENIED_MS = { live: 5 * MINUTE_MS, test: 2 * SECOND_MS } as const satisfies Record<Mode, number>;
const BATCH_MAX = 100;

export interface OpenCasesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Services whose vendors are queried until the outcome is known. */
  readonly services: readonly string[];
  /** Of the orders of each service, for the log. */
  readonly idPrefixes: ReadonlyMap<string, IdPrefix>;
}

/**
 * Opens a case for each purchase with an outcome unknown for too long, each that its vendor took but does not find, each with a
 * doubtful vendor's answer, and each delivered after its refund; closes cases that have settled themselves. Any number of nodes may
 * run it at once.
 */
export function makeOpenCases(options: OpenCasesOptions): () => Promise<void> {
  const { db, clock, log, services, idPrefixes } = options;
  const queues = services.flatMap((service) => [queueOf(service, "live"), queueOf(service, "test")]);

  const open = async (kind: CaseKind, order: Order, more: Evidence = {}) => {
    const [attempts, timeline] = await Promise.all([
      attemptsOf(db, order),
      readTimeline(db, order.accountId, order.id),
    ]);
    const evidence = { ...evidenceOf(order, attempts, timeline), ...more };
    const id = await openCase(db, { kind, order, evidence, at: clock.now() });
    if (!id) return;
    const prefix = idPrefixes.get(order.service);
    log.error(
      { case: encodeId("cas", id), kind, order: prefix ? encodeId(prefix, order.id) : order.id },
      "a case is open: see ./afara cases list",
    );
  };

  return async () => {
    const nowMs = clock.now().getTime();
    await closeSettled(db, clock.now());
    const before = (ms: Record<Mode, number>) => ({
      live: new Date(nowMs - ms.live),
      test: new Date(nowMs - ms.test),
    });
    const denied = await findDenied(db, { queues, deniedBefore: before(DENIED_MS), limit: BATCH_MAX });
    for (const order of denied) await open("taken_not_found", order, { not_found_since: deniedSince(order.pieces) });
    const undecided = await findUndecided(db, {
      queues,
      createdBefore: before(UNDECIDED_MS),
      limit: BATCH_MAX,
    });
    for (const order of undecided) await open("outcome_unknown", order);
    for (const { order, why } of await findDoubts(db, BATCH_MAX)) await open("answer_in_doubt", order, { why });
    for (const { order, lostKobo, lostAt } of await findLosses(db, BATCH_MAX))
      await open("late_success", order, { lost: koboToNaira(lostKobo), lost_at: lostAt.toISOString() });
  };
}
