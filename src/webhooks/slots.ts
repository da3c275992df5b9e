interface Holder {
  /** Its latest attempts failed, or were slow. */
  readonly mayTakeLong: boolean;
  /** A slot may be free. */
  news(): void;
}

/** Attempts under way on this node at once. */
const SLOTS_MAX = 512;
/** Of them, those at endpoints that may take long: an attempt may last 15 s. */
const SUSPECT_SLOTS_MAX = 128;

/** The attempts that a node has under way at once. Holders that wait get their turn in the order in which they asked. */
export class Slots<Each extends Holder> {
  readonly #waiting = new Set<Each>();
  /** By holder: its slots, and those of them that it took as a suspect. */
  readonly #taken = new Map<Each, { all: number; suspect: number }>();
  #all = 0;
  #suspect = 0;

  /** False: none is free, and the holder gets news when one is. */
  take(holder: Each): boolean {
    const suspect = holder.mayTakeLong ? 1 : 0;
    if (this.#all >= SLOTS_MAX || (suspect && this.#suspect >= SUSPECT_SLOTS_MAX)) {
      this.#waiting.add(holder);
      return false;
    }
    const taken = this.#taken.get(holder) ?? { all: 0, suspect: 0 };
    taken.all += 1;
    taken.suspect += suspect;
    this.#taken.set(holder, taken);
    this.#all += 1;
    this.#suspect += suspect;
    return true;
  }

  give(holder: Each): void {
    const taken = this.#taken.get(holder);
    if (!taken) return;
    const suspect = taken.suspect > 0 ? 1 : 0;
    taken.all -= 1;
    taken.suspect -= suspect;
    this.#all -= 1;
    this.#suspect -= suspect;
    if (taken.all === 0) this.#taken.delete(holder);
    this.#wakeNext();
  }

  /** It asks for no more. */
  forget(holder: Each): void {
    this.#waiting.delete(holder);
  }

  #wakeNext(): void {
    for (const next of this.#waiting) {
      if (next.mayTakeLong && this.#suspect >= SUSPECT_SLOTS_MAX) continue;
      this.#waiting.delete(next);
      next.news();
      return;
    }
  }
}
