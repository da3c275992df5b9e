import type { Uuid } from "../kernel/ids.ts";
import type { Order } from "./order.ts";

/** Orders in memory, ready to leave: lower priority numbers first, within one the accounts in turn, within one in order. */
export interface FairQueue {
  push(order: Order): void;
  /** The next order, left in; undefined when empty. */
  peek(): Order | undefined;
  /** Takes the next order out; undefined when empty. */
  next(): Order | undefined;
  readonly size: number;
  /** Empties the queue. */
  drain(): readonly Order[];
  values(): IterableIterator<Order>;
}

export function makeFairQueue(): FairQueue {
  /** By priority: the accounts in the order of their turn (a Map keeps insertion order). */
  const classes = new Map<number, Map<Uuid, Order[]>>();
  let size = 0;

  const takeFrom = (turns: Map<Uuid, Order[]>): Order => {
    const [accountId, orders] = turns.entries().next().value as [Uuid, Order[]];
    const order = orders.shift()!;
    turns.delete(accountId);
    if (orders.length > 0) turns.set(accountId, orders); // to the back: the next account's turn
    size -= 1;
    return order;
  };

  /** The accounts of the class that goes first. */
  const best = (): Map<Uuid, Order[]> | undefined => {
    let first: number | undefined;
    for (const [priority, turns] of classes)
      if (turns.size > 0 && (first === undefined || priority < first)) first = priority;
    return first === undefined ? undefined : classes.get(first);
  };

  return {
    push(order) {
      let turns = classes.get(order.priority);
      if (!turns) {
        turns = new Map();
        classes.set(order.priority, turns);
      }
      const orders = turns.get(order.accountId);
      if (orders) orders.push(order);
      else turns.set(order.accountId, [order]);
      size += 1;
    },
    peek() {
      const turns = best();
      return turns && (turns.values().next().value as Order[])[0];
    },
    next() {
      const turns = best();
      return turns && takeFrom(turns);
    },
    get size() {
      return size;
    },
    drain() {
      const orders = [...this.values()];
      classes.clear();
      size = 0;
      return orders;
    },
    *values() {
      for (const turns of classes.values()) for (const orders of turns.values()) yield* orders;
    },
  };
}
