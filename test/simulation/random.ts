/** Chance from a seed: the same seed plays the same history, on every machine. */
export interface Random {
  /** At least `min`, below `max`. */
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  hex(digits: number): string;
}

/** Mulberry32: 32 bits of state are enough for histories of a few hundred draws. */
export function makeRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min));
  return {
    between,
    chance: (probability) => next() < probability,
    pick: (items) => items[between(0, items.length)]!,
    hex: (digits) => Array.from({ length: digits }, () => between(0, 16).toString(16)).join(""),
  };
}

/** What may go wrong in a history. Every history has a few of these, each with a probability of its own, and a budget. */
export const FAULTS = [
  "answer lost",
  "request lost",
  "throttled",
  "refused here",
  "refused everywhere",
  "part refused",
  "not found yet",
  "vendor forgets",
  "vendor can't be asked",
  "vendor names no reference",
  "vended after it was called failed",
  "reversed",
  "report missing",
  "report twice",
  "report late",
  "report without correlation",
  "crash",
  "freeze",
  "freeze before it is written",
  "clock jump",
  "database answer lost",
  "begin not answered",
  "lease not renewed",
  "cancelled",
  "swept while overdue",
] as const;

export type Fault = (typeof FAULTS)[number];

export interface Faults {
  /** Whether it goes wrong this time. Once the budget is used up the world is quiet, so that every history must end. */
  happens(fault: Fault): boolean;
  readonly happened: ReadonlySet<Fault>;
}

/** A history has only some of the faults: with all of them at once, few would get far enough to be interesting. */
export function makeFaults(random: Random, budget: number): Faults {
  const share = random.pick([0.1, 0.25, 0.5, 0.9]);
  const probability = new Map(
    FAULTS.map((fault) => [fault, random.chance(share) ? random.pick([0.05, 0.2, 0.5]) : 0] as const),
  );
  const happened = new Set<Fault>();
  let used = 0;
  return {
    happens(fault) {
      // Drawn in any case: a smaller budget then plays the same history up to its last fault.
      const wanted = random.chance(probability.get(fault)!);
      if (!wanted || used >= budget) return false;
      used += 1;
      happened.add(fault);
      return true;
    },
    happened,
  };
}
