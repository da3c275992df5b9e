import type { Clock } from "../../kernel/clock.ts";

/** Finer buys nothing that a receipt's delay would show; coarser would be seen in a short delay. */
const TICK_MS = 20;

/**
 * Many timers on one interval: thousands of receipts a second wait here, and a `setTimeout` for each would cost more than
 * the receipt. Actions run late by up to two ticks, never early, in the order of their ticks. Idle when empty.
 */
export class TimerWheel {
  readonly #clock: Clock;
  readonly #slots = new Map<number, (() => void)[]>();
  #interval: NodeJS.Timeout | null = null;
  /** The first tick that has not been run. */
  #next = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  after(milliseconds: number, action: () => void): void {
    if (this.#interval === null) {
      this.#next = this.#tickNow();
      this.#interval = setInterval(() => this.#run(), TICK_MS);
    }
    const tick = this.#tickNow() + Math.max(1, Math.ceil(milliseconds / TICK_MS));
    const slot = this.#slots.get(tick);
    if (slot) slot.push(action);
    else this.#slots.set(tick, [action]);
  }

  /** Forgets everything that waits. */
  stop(): void {
    if (this.#interval !== null) clearInterval(this.#interval);
    this.#interval = null;
    this.#slots.clear();
  }

  #run(): void {
    const now = this.#tickNow();
    for (; this.#next < now; this.#next++) {
      const actions = this.#slots.get(this.#next);
      if (!actions) continue;
      this.#slots.delete(this.#next);
      for (const action of actions) action();
    }
    if (this.#slots.size === 0) this.stop();
  }

  #tickNow(): number {
    return Math.floor(this.#clock.monotonicMs() / TICK_MS);
  }
}
