import type { Database } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Order } from "./order.ts";
import { findOrders } from "./orders.repo.ts";

/** Requests that wait for the end of their order. */
export interface Waiters {
  /** The order once it has ended, or undefined when the time is up first. */
  wait(order: Pick<Order, "accountId" | "id">, ms: number): Promise<Order | undefined>;
  /** This node has committed a change of an order. */
  changed(order: Order): void;
  /** Answers all who wait, and from now on everybody at once: the node is stopping. */
  release(): void;
}

interface Waiting {
  readonly accountId: Uuid;
  readonly answers: Set<(order: Order | undefined) => void>;
}

/**
 * Woken in memory by the node's own dispatcher; for orders that another node works on, one query for all that wait here, every
 * `askEveryMs`. Nothing is asked while nobody waits.
 */
export function makeWaiters(db: Database, askEveryMs: number): Waiters {
  const waiting = new Map<Uuid, Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;
  let isReleased = false;

  const answer = (id: Uuid, order: Order | undefined) => {
    for (const resolve of waiting.get(id)?.answers ?? []) resolve(order);
  };

  const answerEnded = async () => {
    if (isAsking) return;
    isAsking = true;
    try {
      const found = await findOrders(
        db,
        [...waiting].map(([id, { accountId }]) => ({ accountId, id })),
      );
      for (const order of found.values()) if (order.endedAt !== null) answer(order.id, order);
    } catch {
      // The database is away: the next query tries again, until the time is up.
    } finally {
      isAsking = false;
    }
  };

  return {
    wait({ accountId, id }, ms) {
      if (isReleased) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const entry = waiting.get(id) ?? { accountId, answers: new Set() };
        waiting.set(id, entry);
        timer ??= setInterval(() => void answerEnded(), askEveryMs);
        const done = (order: Order | undefined) => {
          clearTimeout(timeUp);
          entry.answers.delete(done);
          if (entry.answers.size === 0) waiting.delete(id);
          if (waiting.size === 0) {
            clearInterval(timer);
            timer = undefined;
          }
          resolve(order);
        };
        const timeUp = setTimeout(done, ms, undefined);
        entry.answers.add(done);
        // An order that ended before anybody waited is found at once.
        void answerEnded();
      });
    },
    changed(order) {
      if (order.endedAt !== null) answer(order.id, order);
    },
    release() {
      isReleased = true;
      for (const id of [...waiting.keys()]) answer(id, undefined);
    },
  };
}
