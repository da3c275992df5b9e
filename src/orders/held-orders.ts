import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Order } from "./order.ts";
import { renewLeases } from "./orders.repo.ts";
import type { Hold } from "./worker.ts";

/** An order that this node holds the lease on, in memory. */
export interface Held {
  readonly order: Order;
  /** Monotonic time before the call that took the lease: the lease began no earlier. */
  grantedAtMs: number;
  /** Not to be sent any more: the lease is lost, or the process was frozen. The outcome of what was sent is still recorded. */
  dropped: boolean;
}

export interface HeldOrdersOptions {
  readonly db: Database;
  readonly node: Uuid;
  readonly clock: Clock;
  readonly log: Log;
  readonly leaseSeconds: number;
}

/** How often `dropIfFrozen` and `renewLeases` are to be called. */
export const LEASE_CHECK_MS = 250;

/** The orders that this node holds leases on; see docs/LIFE-OF-AN-ORDER.md, "Leases and fencing". */
export class HeldOrders {
  readonly #options: HeldOrdersOptions;
  readonly #leaseMs: number;
  readonly #entries = new Map<Uuid, Held>();
  #lastCheckMs = 0;

  constructor(options: HeldOrdersOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseSeconds * 1_000;
  }

  get(id: Uuid): Held | undefined {
    return this.#entries.get(id);
  }

  add(order: Order, grantedAtMs: number): Held {
    const entry = { order, grantedAtMs, dropped: false };
    this.#entries.set(order.id, entry);
    return entry;
  }

  delete(id: Uuid): void {
    this.#entries.delete(id);
  }

  /** Deletes this very entry; a later one of the same order stays. */
  deleteEntry(entry: Held): void {
    if (this.#entries.get(entry.order.id) === entry) this.#entries.delete(entry.order.id);
  }

  /** Drops the order if it is held at an older version. */
  dropOlder(id: Uuid, version: number): void {
    const entry = this.#entries.get(id);
    if (entry && entry.order.version < version) entry.dropped = true;
  }

  /** Past half the lease by our own clock nothing more is sent: another node may be about to claim the order. */
  mayStillSend(entry: Held): boolean {
    return !entry.dropped && this.#nowMs() < entry.grantedAtMs + this.#leaseMs / 2;
  }

  holdOf(entry: Held): Hold {
    return { order: entry.order, mayStillSend: () => this.mayStillSend(entry) };
  }

  /** A freeze is counted from here on. */
  startWatch(): void {
    this.#lastCheckMs = this.#nowMs();
  }

  /** Drops everything held after a gap in the event loop longer than a quarter of the lease: the process was frozen. */
  dropIfFrozen(): boolean {
    const nowMs = this.#nowMs();
    const gapMs = nowMs - this.#lastCheckMs;
    this.#lastCheckMs = nowMs;
    if (gapMs <= LEASE_CHECK_MS + this.#leaseMs / 4) return false;
    this.#options.log.warn(
      { gap_ms: Math.round(gapMs) },
      "this process was frozen; orders that had not left are dropped",
    );
    for (const entry of this.#entries.values()) entry.dropped = true;
    return true;
  }

  async renewLeases(): Promise<void> {
    const { db, node, leaseSeconds } = this.#options;
    const nowMs = this.#nowMs();
    const aged = [...this.#entries.values()].filter((entry) => nowMs - entry.grantedAtMs > this.#leaseMs / 4);
    if (aged.length === 0) return;
    try {
      const orders = aged.map((entry) => entry.order);
      const lost = new Set(await renewLeases(db, node, leaseSeconds, orders));
      for (const entry of aged) {
        if (!lost.has(entry.order.id)) entry.grantedAtMs = nowMs;
        else {
          entry.dropped = true;
          this.deleteEntry(entry);
        }
      }
    } catch {
      // The database is away: the leases run on and `mayStillSend` ends what they no longer cover.
    }
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }
}
