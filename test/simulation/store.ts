import { attemptState } from "../../src/orders/attempt.ts";
import type { Change, LearnedReference, Order } from "../../src/orders/order.ts";
import type { HintMet } from "../../src/orders/reports.repo.ts";

export const LEASE_MS = 120_000;

/**
 * The row of one order and the rules of migrations/functions: a change is applied only on the version that it was decided on, a
 * `begin` only under the node's own live lease, and references are learned only from changes that are applied.
 */
export interface SimulatedStore {
  read(): Order;
  /** When it must be looked at; undefined when there is nothing to do. By the clock of whoever wrote it. */
  readonly dueMs: number | undefined;
  readonly leasedUntilMs: number | undefined;
  readonly references: ReadonlyMap<string, LearnedReference>;
  claim(node: string, nowMs: number, nodeNowMs: number): Order | undefined;
  apply(node: string, change: Change, nowMs: number): boolean;
  renew(node: string, epoch: number, nowMs: number): boolean;
  release(node: string, epoch: number, dueMs: number): void;
  /** As `hint_order`. */
  hint(ours: string, nowMs: number): HintMet;
}

export function makeStore(
  first: Order,
  start: { readonly dueMs: number; readonly node: string | undefined; readonly nowMs: number },
  applied: (change: Change) => void,
): SimulatedStore {
  let order = first;
  let dueMs: number | undefined = start.node === undefined ? start.dueMs : start.nowMs + LEASE_MS;
  let leasedBy = start.node;
  let leasedUntilMs: number | undefined = start.node === undefined ? undefined : start.nowMs + LEASE_MS;
  let hinted = false;
  const references = new Map<string, LearnedReference>();
  /** Attempts by our references of them. */
  const attempts = new Map<string, Pick<Order, "attempt" | "route">>();

  const read = (): Order => ({
    ...order,
    leasedUntil: leasedUntilMs === undefined ? null : new Date(leasedUntilMs),
  });
  const holds = (node: string, epoch: number, nowMs: number) =>
    leasedBy === node && order.leaseEpoch === epoch && leasedUntilMs !== undefined && leasedUntilMs > nowMs;

  return {
    read,
    references,
    get dueMs() {
      return dueMs;
    },
    get leasedUntilMs() {
      return leasedUntilMs;
    },
    claim(node, nowMs, nodeNowMs) {
      if (dueMs === undefined || dueMs > nodeNowMs || (leasedUntilMs !== undefined && leasedUntilMs >= nowMs)) return;
      order = { ...order, version: order.version + 1, leaseEpoch: order.leaseEpoch + 1 };
      leasedBy = node;
      leasedUntilMs = nowMs + LEASE_MS;
      dueMs = leasedUntilMs;
      return read();
    },
    apply(node, change, nowMs) {
      if (change.before.version !== order.version) return false;
      const { before } = change;
      if (change.needs === "own begin" && before.begunAt?.getTime() !== order.begunAt?.getTime()) return false;
      if (before.state !== order.state || before.leaseEpoch !== order.leaseEpoch)
        throw new Error(`version ${order.version} was decided on, but not as it is stored`);
      if (change.needs === "no lease" && leasedUntilMs !== undefined && leasedUntilMs >= nowMs) return false;
      if (change.needs === "own lease") {
        if (!holds(node, change.before.leaseEpoch, nowMs)) return false;
        const { attempt, route, attemptReference } = change.after;
        if (attemptReference !== null) attempts.set(attemptReference, { attempt, route });
      }
      const { leaseEpoch } = order;
      for (const learned of change.references) references.set(`${learned.route} ${learned.reference}`, learned);
      order = { ...change.after, leaseEpoch };
      if (!change.keepLease) {
        dueMs = hinted ? nowMs : change.dueAt?.getTime();
        hinted = false;
        leasedBy = undefined;
        leasedUntilMs = undefined;
      }
      applied(change);
      return true;
    },
    renew(node, epoch, nowMs) {
      if (!holds(node, epoch, nowMs)) return false;
      leasedUntilMs = nowMs + LEASE_MS;
      dueMs = leasedUntilMs;
      return true;
    },
    release(node, epoch, releasedDueMs) {
      if (leasedBy !== node || order.leaseEpoch !== epoch || dueMs === undefined) return;
      dueMs = releasedDueMs;
      leasedBy = undefined;
      leasedUntilMs = undefined;
    },
    hint(ours, nowMs) {
      const named = attempts.get(ours);
      if (named === undefined) return "unknown";
      if (named.attempt !== order.attempt) return "outdated";
      if (["new", "to_repeat", "repeated"].includes(attemptState(order)))
        order = {
          ...order,
          version: order.version + 1,
          ambiguousAt: new Date(nowMs),
          route: named.route,
          attemptReference: ours,
          pieces: order.pieces ?? [{ status: "unanswered" }],
        };
      hinted = leasedUntilMs !== undefined && leasedUntilMs >= nowMs;
      if (!hinted) dueMs = nowMs;
      return hinted ? "held" : "due";
    },
  };
}
