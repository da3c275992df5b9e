import type { Clock } from "../kernel/clock.ts";

/** One limit: so many points in each window. Windows are fixed on UTC: a minute begins at :00, an hour at :00:00. */
export interface Count {
  /** What is counted, e.g. `<account id>:test sms-send`. */
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Points that count against each of the limits, or against none. 0 points only look. */
export interface Take {
  readonly counts: readonly Count[];
  readonly points: number;
}

/** What is left of one limit after a take. */
export interface Left {
  /** What it was held to; less than was asked for while each node counts its share. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds, at least 1, after which the window has ended: who sleeps that long finds a fresh one. */
  readonly resetSeconds: number;
  /** Which window was counted: a point can only be given back to its own. */
  readonly window: number;
  /** Whether this limit alone had room. */
  readonly hadRoom: boolean;
}

export interface Taken {
  readonly take: Take;
  /** All limits had room, and the points are counted. */
  readonly allowed: boolean;
  /** One for each of `take.counts`. */
  readonly left: readonly Left[];
}

/** Counters in fixed windows. One shared by several nodes answers with a promise, one in this process at once. */
export interface Counters {
  /** Counts each take for itself. Rejects when the counters can't be reached. */
  take(takes: readonly Take[]): readonly Taken[] | Promise<readonly Taken[]>;
  /** Undoes takes; one that was refused or whose window has ended is left alone. */
  giveBack(taken: readonly Taken[]): void | Promise<void>;
}

/** What a counter knows after a take, said in the words of `Left`. */
export function leftOf(count: Count, used: number, hadRoom: boolean, nowMs: number): Left {
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

/** Names in one kind of window, some 30 MB: beyond it those that were not counted for longest are forgotten. */
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

  take(takes: readonly Take[]): readonly Taken[] {
    const nowMs = this.#clock.now().getTime();
    return takes.map((take) => this.#takeOne(take, nowMs));
  }

  giveBack(taken: readonly Taken[]): void {
    const nowMs = this.#clock.now().getTime();
    for (const { take, allowed, left } of taken) {
      if (!allowed) continue;
      for (const [index, count] of take.counts.entries()) {
        const { window, used } = this.#current(count, nowMs);
        const before = used.get(count.name) ?? 0;
        if (left[index]?.window === window) used.set(count.name, Math.max(0, before - take.points));
      }
    }
  }

  #takeOne(take: Take, nowMs: number): Taken {
    const { counts, points } = take;
    const before = counts.map((count) => this.#current(count, nowMs).used.get(count.name) ?? 0);
    const hadRoom = counts.map(({ limit }, index) => before[index]! + points <= limit);
    const allowed = !hadRoom.includes(false);
    const left = counts.map((count, index) => {
      const used = allowed ? before[index]! + points : before[index]!;
      if (allowed && points > 0) this.#keep(this.#current(count, nowMs).used, count.name, used);
      return leftOf(count, used, hadRoom[index]!, nowMs);
    });
    return { take, allowed, left };
  }

  /** Puts the name last, so that the first of the map is the one that was not counted for longest. */
  #keep(used: Map<string, number>, name: string, points: number): void {
    used.delete(name);
    used.set(name, points);
    if (used.size <= this.#namesMax) return;
    const oldest = used.keys().next();
    if (!oldest.done) used.delete(oldest.value);
  }

  #current({ windowSeconds }: Count, nowMs: number) {
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
