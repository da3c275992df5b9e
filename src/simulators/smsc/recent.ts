/** The newest items of a stream, each with a place that never changes. At least `count` of them are kept, at most twice that. */
export class Recent<T> {
  readonly #count: number;
  #items: T[] = [];
  /** Place of the first one that is kept. */
  #first = 0;

  constructor(count: number) {
    this.#count = count;
  }

  add(item: T): void {
    this.#items.push(item);
    if (this.#items.length < 2 * this.#count) return;
    this.#items = this.#items.slice(this.#count);
    this.#first += this.#count;
  }

  /** At most `limit` items from `place` on (or the oldest kept), and the place after them. */
  from(place: number, limit: number): { readonly items: readonly T[]; readonly next: number } {
    const start = Math.max(0, place - this.#first);
    const items = this.#items.slice(start, start + limit);
    return { items, next: this.#first + Math.min(start, this.#items.length) + items.length };
  }

  findLast(matches: (item: T) => boolean): T | undefined {
    return this.#items.findLast(matches);
  }
}
