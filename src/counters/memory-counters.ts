import type { Clock } from "../kernel/clock.ts";

/** A limit of points per window. Windows are fixed on UTC: a minute begins at :00, an hour at :00:00. */
export interface Limit {
  /** What is counted, e.g. `<account id>:test sms-send`. */
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Points to count against all of the limits, or none if one has no room. 0 points only read. */
export interface Consumption {
  readonly limits: readonly Limit[];
  readonly points: number;
}

/** What is left of one limit after a consumption. */
export interface Remaining {
  /** The limit applied; lower than requested while each node counts its share. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds, at least 1, until the window has ended. */
  readonly resetSeconds: number;
  /** The window that was counted: points are only given back to their own window. */
  readonly window: number;
  /** Whether this limit alone had room. */
  readonly hadRoom: boolean;
}

export interface Consumed {
  readonly consumption: Consumption;
  /** All limits had room, and the points are counted. */
  readonly allowed: boolean;
  /** One for each of `consumption.limits`. */
  readonly remaining: readonly Remaining[];
}

/** Counters in fixed windows. Counters shared by several nodes return a promise; those in this process return at once. */
export interface Counters {
  /** Counts each consumption separately. Rejects when the counters can't be reached. */
  consume(consumptions: readonly Consumption[]): readonly Consumed[] | Promise<readonly Consumed[]>;
  /** Undoes consumptions, except refused ones and those whose window has ended. */
  giveBack(consumed: readonly Consumed[]): void | Promise<void>;
}

/** A counter after a consumption. */
export function remainingOf(count: Limit, used: number, hadRoom: boolean, nowMs: number): Remaining {
  const windowMs = count.windowSeconds * 1_000;
  const window = Math.floor(nowMs / windowMs);
  return {
    limit: count.limit,
    remaining: Math.max(0, count.limit - used),
    resetSeconds: Math.max(1, Math.ceil(((window + 1) * windowMs - nowMs) / 1_000)),
    window,
    hadRoom,
  };
}

/** Names per window length, some 30 MB: beyond it the least recently counted are forgotten. */
const NAMES_MAX = 200_000;

/**
 * Counters of one process. As all windows of a length end together, forgetting is one `clear`, and memory is bounded by
 * the names of one window and by `namesMax`.
 */
export class MemoryCounters implements Counters {
  readonly #clock: Clock;
  readonly #namesMax: number;
  /** By the window's length. */
  readonly #windows = new Map<number, { window: number; readonly used: Map<string, number> }>();

  constructor(clock: Clock, namesMax: number = NAMES_MAX) {
    this.#clock = clock;
    this.#namesMax = namesMax;
  }

  consume(consumptions: readonly Consumption[]): readonly Consumed[] {
    const nowMs = this.#clock.now().getTime();
    return consumptions.map((consumption) => this.#consumeOne(consumption, nowMs));
  }

  giveBack(consumed: readonly Consumed[]): void {
    const nowMs = this.#clock.now().getTime();
    for (const { consumption, allowed, remaining } of consumed) {
      if (!allowed) continue;
      for (const [index, count] of consumption.limits.entries()) {
        const { window, used } = this.#current(count, nowMs);
        const before = used.get(count.name) ?? 0;
        if (remaining[index]?.window === window) used.set(count.name, Math.max(0, before - consumption.points));
      }
    }
  }

  #consumeOne(consumption: Consumption, nowMs: number): Consumed {
    const { limits, points } = consumption;
    const before = limits.map((count) => this.#current(count, nowMs).used.get(count.name) ?? 0);
    const hadRoom = limits.map(({ limit }, index) => before[index]! + points <= limit);
    const allowed = !hadRoom.includes(false);
    const remaining = limits.map((count, index) => {
      const used = allowed ? before[index]! + points : before[index]!;
      if (allowed && points > 0) this.#keep(this.#current(count, nowMs).used, count.name, used);
      return remainingOf(count, used, hadRoom[index]!, nowMs);
    });
    return { consumption, allowed, remaining };
  }

  /** Moves the name to the end, so that the first in the map is the least recently counted. */
  #keep(used: Map<string, number>, name: string, points: number): void {
    used.delete(name);
    used.set(name, points);
    if (used.size <= this.#namesMax) return;
    const oldest = used.keys().next();
    if (!oldest.done) used.delete(oldest.value);
  }

  #current({ windowSeconds }: Limit, nowMs: number) {
    const window = Math.floor(nowMs / (windowSeconds * 1_000));
    let current = this.#windows.get(windowSeconds);
    if (!current) {
      current = { window, used: new Map() };
      this.#windows.set(windowSeconds, current);
    }
    if (current.window !== window) {
      current.window = window;
      current.used.clear();
    }
    return current;
  }
}
