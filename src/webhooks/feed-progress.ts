interface Entry {
  readonly position: bigint;
  isDone: boolean;
}

/**
 * How far an endpoint is in its feed. Messages end in any order; stored is the position up to which all are done, and the later ones
 * that are done, so that a crash repeats only what was not stored.
 */
export class FeedProgress {
  /** Messages that were begun, in their order; without the done ones in front. */
  #entries: Entry[] = [];
  readonly #byPosition = new Map<bigint, Entry>();
  /** Done in an earlier session, and not reached yet in this one. */
  readonly #doneBefore: Set<bigint>;
  #reached: bigint;
  #open = 0;

  constructor(position: bigint, done: readonly bigint[]) {
    this.#reached = position;
    this.#doneBefore = new Set(done);
  }

  /** Where to read on. */
  get reached(): bigint {
    return this.#reached;
  }

  /** Messages that were begun and are not done. */
  get open(): number {
    return this.#open;
  }

  get stored(): { readonly position: bigint; readonly done: readonly bigint[] } {
    const first = this.#entries[0];
    const done = this.#entries.filter(({ isDone }) => isDone).map(({ position }) => position);
    return { position: first ? first.position - 1n : this.#reached, done: [...done, ...this.#doneBefore] };
  }

  /** False: it was done before. */
  begin(position: bigint): boolean {
    const entry = { position, isDone: this.#doneBefore.delete(position) };
    this.#entries.push(entry);
    this.#byPosition.set(position, entry);
    if (!entry.isDone) this.#open += 1;
    return !entry.isDone;
  }

  finish(position: bigint): void {
    this.#byPosition.get(position)!.isDone = true;
    this.#open -= 1;
    this.#trim();
  }

  /** All messages up to here were begun. */
  reach(position: bigint): void {
    this.#reached = position;
    for (const done of this.#doneBefore) if (done <= position) this.#doneBefore.delete(done);
    this.#trim();
  }

  #trim(): void {
    const firstOpen = this.#entries.findIndex(({ isDone }) => !isDone);
    const done = this.#entries.splice(0, firstOpen === -1 ? this.#entries.length : firstOpen);
    for (const { position } of done) this.#byPosition.delete(position);
  }
}
