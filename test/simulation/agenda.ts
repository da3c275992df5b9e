/** Simulated time: what will happen, in the order in which it will. */
export interface Agenda {
  readonly nowMs: number;
  /** When the next thing happens; undefined when nothing is left. */
  readonly nextMs: number | undefined;
  after(ms: number, act: () => void): void;
  /** Does the next thing. */
  step(): void;
  /** Lets time pass up to a moment before the next thing. */
  passTo(ms: number): void;
}

export function makeAgenda(startMs: number): Agenda {
  const entries: { readonly atMs: number; readonly act: () => void }[] = [];
  let nowMs = startMs;
  return {
    get nowMs() {
      return nowMs;
    },
    get nextMs() {
      return entries[0]?.atMs;
    },
    after(ms, act) {
      const atMs = nowMs + ms;
      let place = entries.length;
      while (place > 0 && entries[place - 1]!.atMs > atMs) place -= 1;
      entries.splice(place, 0, { atMs, act });
    },
    step() {
      const entry = entries.shift()!;
      nowMs = entry.atMs;
      entry.act();
    },
    passTo(ms) {
      nowMs = Math.max(nowMs, ms);
    },
  };
}
