import type { Clock } from "../kernel/clock.ts";

/** What the counter said about one request. Every header and the 429 body are read from this record alone. */
export interface LimitDecision {
  /** A stable word, e.g. `sms-send`: the name in the headers. */
  readonly policy: string;
  /** What counts: account and mode, e.g. `<account id>:test`. */
  readonly subject: string;
  /** Points in one window. */
  readonly limit: number;
  readonly points: number;
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds, at least 1, after which the window has ended: who sleeps that long passes. */
  readonly resetSeconds: number;
  /** Which window was counted: a point can only be given back to its own. */
  readonly window: number;
}

/**
 * Counters of requests in fixed windows of 60 s on the UTC minute.
 * A counter shared by several nodes answers with a promise; the one in this process at once.
 */
export interface Limits {
  /** Counts `points`, all or none. 0 points only looks. */
  take(subject: string, policy: string, limit: number, points: number): LimitDecision | Promise<LimitDecision>;
  /** Undoes a `take` whose request failed by our own fault, unless its window has ended. */
  giveBack(decision: LimitDecision): void | Promise<void>;
}

export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;

/**
 * Counters of one process.
 *
 * Not `rate-limiter-flexible`'s memory limiter: its windows begin at each caller's first request instead of on the
 * minute that a plan sells, it reads the real clock, it keeps counting refused requests, and it makes a timer per
 * caller. As all windows end together here, forgetting is one `clear` a minute and memory is bounded by the callers of
 * one minute.
 */
export class MemoryLimits implements Limits {
  readonly #clock: Clock;
  readonly #used = new Map<string, number>();
  #window = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(subject: string, policy: string, limit: number, points: number): LimitDecision {
    const now = this.#clock.now().getTime();
    this.#enter(now);
    const key = `${subject} ${policy}`;
    const before = this.#used.get(key) ?? 0;
    const allowed = before + points <= limit;
    const after = allowed ? before + points : before;
    if (after !== before) this.#used.set(key, after);
    const leftMs = (this.#window + 1) * WINDOW_MS - now;
    return {
      policy,
      subject,
      limit,
      points,
      allowed,
      remaining: Math.max(0, limit - after),
      resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
      window: this.#window,
    };
  }

  giveBack({ subject, policy, points, allowed, window }: LimitDecision): void {
    this.#enter(this.#clock.now().getTime());
    if (!allowed || window !== this.#window) return;
    const key = `${subject} ${policy}`;
    this.#used.set(key, Math.max(0, (this.#used.get(key) ?? 0) - points));
  }

  #enter(now: number): void {
    const window = Math.floor(now / WINDOW_MS);
    if (window === this.#window) return;
    this.#window = window;
    this.#used.clear();
  }
}
