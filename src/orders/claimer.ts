import { AnswerLost, type Database, DatabaseAway } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Order } from "./order.ts";
import { claimOrders, dueQueues } from "./orders.repo.ts";

export interface ClaimerOptions {
  readonly db: Database;
  readonly node: Uuid;
  readonly clock: Clock;
  readonly log: Log;
  readonly leaseSeconds: number;
  /** Most orders that may be claimed from the queue now; 0 or less: none. */
  readonly maxOf: (queue: string) => number;
  /** Takes what was claimed, leased not before `grantedAtMs` (monotonic). Returns how many there was use for. */
  readonly take: (orders: readonly Order[], grantedAtMs: number) => number;
  /** Something may have become due during a look, which did not see it. */
  readonly onWake: () => void;
}

/** How long after a look or a claim that found nothing a queue is left alone, unless something may have become due. */
const QUIET_MS = 50;

/** Claims orders from the rows that are due: looks at all queues at once, then claims from those that have something. */
export class Claimer {
  readonly #options: ClaimerOptions;
  /** Queues with a claim under way. */
  readonly #claiming = new Set<string>();
  /** By queue: the monotonic time of the next look. */
  readonly #quietUntilMs = new Map<string, number>();
  #isLooking = false;
  #wakes = 0;

  constructor(options: ClaimerOptions) {
    this.#options = options;
  }

  /** Whether looking at the queue now makes sense. */
  mayLook(queue: string): boolean {
    return !this.#isLooking && !this.#claiming.has(queue) && this.#nowMs() >= (this.#quietUntilMs.get(queue) ?? 0);
  }

  /** Rows of one queue, or of any, may have become due. */
  wake(queue?: string): void {
    this.#wakes += 1;
    if (queue === undefined) this.#quietUntilMs.clear();
    else this.#quietUntilMs.delete(queue);
  }

  /** Looks at these queues and claims from those with something due. Never rejects. */
  async look(queues: readonly string[]): Promise<void> {
    if (this.#isLooking || queues.length === 0) return;
    const { db, clock, onWake } = this.#options;
    const wakes = this.#wakes;
    this.#isLooking = true;
    try {
      const due = queues.length === 1 ? new Set(queues) : await dueQueues(db, queues, clock.now());
      for (const queue of queues) {
        if (due.has(queue)) void this.#claim(queue);
        else if (this.#wakes === wakes) this.#rest(queue);
      }
    } catch (error) {
      this.#logFailure(error);
    } finally {
      this.#isLooking = false;
    }
    if (this.#wakes !== wakes) onWake();
  }

  async #claim(queue: string): Promise<void> {
    const { db, node, clock, leaseSeconds, maxOf, take } = this.#options;
    const max = maxOf(queue);
    if (max <= 0 || this.#claiming.has(queue)) return;
    this.#claiming.add(queue);
    try {
      const grantedAtMs = this.#nowMs();
      const orders = await claimOrders(db, { node, leaseSeconds, queue, max, now: clock.now() });
      if (take(orders, grantedAtMs) === 0) this.#rest(queue);
    } catch (error) {
      this.#logFailure(error);
    } finally {
      this.#claiming.delete(queue);
    }
  }

  #rest(queue: string): void {
    this.#quietUntilMs.set(queue, this.#nowMs() + QUIET_MS);
  }

  #logFailure(error: unknown): void {
    if (error instanceof DatabaseAway || error instanceof AnswerLost) return;
    this.#options.log.error({ error: (error as Error).stack }, "claiming failed");
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }
}
