import type { Uuid } from "../kernel/ids.ts";

interface Chained {
  readonly message: { readonly subjectId: Uuid };
  readonly tries: { readonly attempts: number };
}

/**
 * Messages in memory: those of one subject one after the other, subjects in turn. Those with the fewest attempts come first: an
 * endpoint that rests after each failure would never get past one that fails always.
 */
export class Chains<Item extends Chained> {
  readonly #chains = new Map<Uuid, Item[]>();
  /** Subjects whose first message is not under way, and was not attempted before; and those where it was. */
  readonly #untried: Uuid[] = [];
  readonly #tried: Uuid[] = [];

  get hasReady(): boolean {
    return this.#untried.length + this.#tried.length > 0;
  }

  add(item: Item): void {
    const { subjectId } = item.message;
    const chain = this.#chains.get(subjectId);
    if (chain) chain.push(item);
    else {
      this.#chains.set(subjectId, [item]);
      this.#makeReady(item);
    }
  }

  #makeReady({ message: { subjectId }, tries: { attempts } }: Item): void {
    (attempts === 0 ? this.#untried : this.#tried).push(subjectId);
  }

  /** The first message of the next subject; `pass` or `cut` says how it ended. */
  take(): Item {
    return this.#first(this.#untried.shift() ?? this.#leastTried());
  }

  #leastTried(): Uuid {
    const attemptsAt = (subjectId: Uuid): number => this.#first(subjectId).tries.attempts;
    const least = Math.min(...this.#tried.map(attemptsAt));
    const index = this.#tried.findIndex((subjectId) => attemptsAt(subjectId) === least);
    return this.#tried.splice(index, 1)[0]!;
  }

  #first(subjectId: Uuid): Item {
    return this.#chains.get(subjectId)![0]!;
  }

  isFollowed({ message }: Item): boolean {
    return this.#chains.get(message.subjectId)!.length > 1;
  }

  /** Its subject goes on. */
  pass({ message: { subjectId } }: Item): void {
    const chain = this.#chains.get(subjectId)!;
    chain.shift();
    if (chain.length > 0) this.#makeReady(chain[0]!);
    else this.#chains.delete(subjectId);
  }

  /** Its subject stops here: what was behind it. */
  cut({ message: { subjectId } }: Item): readonly Item[] {
    const chain = this.#chains.get(subjectId)!;
    this.#chains.delete(subjectId);
    return chain.slice(1);
  }
}
