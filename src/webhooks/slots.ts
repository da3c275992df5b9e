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

/**
 * Of the slots that are free, an endpoint may have as many as this part of them, and one in any case: those that answer at once until
 * they have many attempts under way, and then hang, leave some for others.
 */
const SHARE = 1 / 4;

/** The attempts that a node has under way at once. Holders that wait get their turn in the order in which they asked. */
export class Slots<Each extends Holder> {
  readonly #waiting = new Set<Each>();
  /** By holder: its slots, and those of them that it took as a suspect. */
  readonly #taken = new Map<Each, { all: number; suspect: number }>();
  #all = 0;
  #suspect = 0;

  /** False: none is free for it, and it gets news when one is. */
  take(holder: Each): boolean {
    if (!this.#mayTake(holder)) {
      this.#waiting.add(holder);
      return false;
    }
    const suspect = holder.mayTakeLong ? 1 : 0;
    const taken = this.#taken.get(holder) ?? { all: 0, suspect: 0 };
    taken.all += 1;
    taken.suspect += suspect;
    this.#taken.set(holder, taken);
    this.#all += 1;
    this.#suspect += suspect;
    return true;
  }

  #mayTake(holder: Each): boolean {
    const { all, suspect } = this.#taken.get(holder) ?? { all: 0, suspect: 0 };
    if (!hasRoom(all, SLOTS_MAX - this.#all)) return false;
    return !holder.mayTakeLong || hasRoom(suspect, SUSPECT_SLOTS_MAX - this.#suspect);
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
      if (!this.#mayTake(next)) continue;
      this.#waiting.delete(next);
      next.news();
      return;
    }
  }
}

const hasRoom = (taken: number, free: number): boolean => free > 0 && taken < Math.max(1, Math.floor(free * SHARE));
