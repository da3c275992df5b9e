import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { attemptState } from "./attempt.ts";
import { findCancellable } from "./groups.repo.ts";
import type { Change, Order } from "./order.ts";
import { findOrder } from "./orders.repo.ts";
import type { Recorder } from "./recorder.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { stepFor } from "./steps.ts";
import { transition } from "./transition.ts";

export interface CancellerOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly services: ReadonlyMap<string, ServiceDefinition>;
  readonly recorder: Recorder;
}

const BATCH_MAX = 500;

/** Cancels orders for their subscriber. */
export class Canceller {
  readonly #options: CancellerOptions;

  constructor(options: CancellerOptions) {
    this.#options = options;
  }

  /** Cancels an order that has not left and that no dispatcher holds. Errors: `invalid_state`, `not_found`. */
  async cancel(order: Order): Promise<Result<Order>> {
    const { db, clock, services, recorder } = this.#options;
    let triedVersion: number | undefined;
    for (let current: Order | undefined = order; current; current = await findOrder(db, order.accountId, order.id)) {
      const step = stepFor(services.get(current.service)!.table, current.state, "cancelled");
      // The same version again: the change was refused, so the lease is alive by the database's clock, if not by this node's.
      const isHeld =
        current.version === triedVersion || (current.leasedUntil !== null && current.leasedUntil > clock.now());
      triedVersion = current.version;
      const mayHaveLeft = attemptState(current) !== "new";
      if (!step || isHeld || mayHaveLeft) return refuse(notCancellable(current.state, !!step && !mayHaveLeft));
      const change = this.#changeOf(current);
      if (await recorder.apply("record", change)) return ok(change.after);
    }
    return refuse(refusal("not_found", "There is no such order."));
  }

  /** Cancels the orders of a group that have not left, in batches that are each committed. */
  async cancelGroup(accountId: Uuid, groupId: Uuid): Promise<{ readonly cancelled: readonly Order[] }> {
    const { db, recorder } = this.#options;
    const cancelled: Order[] = [];
    for (;;) {
      const orders = await findCancellable(db, accountId, groupId, BATCH_MAX);
      if (orders.length === 0) return { cancelled };
      const changes = orders.map((order) => this.#changeOf(order));
      const applied = await Promise.all(changes.map((change) => recorder.apply("record", change)));
      cancelled.push(...changes.filter((_, index) => applied[index]).map((change) => change.after));
    }
  }

  #changeOf(order: Order): Change {
    const { clock, services } = this.#options;
    const service = services.get(order.service)!;
    return transition(service, order, "cancelled", { at: clock.now(), needs: "no lease" });
  }
}

const notCancellable = (state: string, isBeingSent: boolean) =>
  refusal(
    "invalid_state",
    isBeingSent
      ? "It is being sent right now and can't be cancelled any more."
      : `It is ${state} and can't be cancelled any more.`,
    { members: { order_status: state } },
  );
