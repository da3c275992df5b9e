import type { Uuid } from "../kernel/ids.ts";

interface Chained {
  readonly message: { readonly subjectId: Uuid };
}

/** Messages in memory: those of one subject one after the other, subjects in turn. */
export class Chains<Item extends Chained> {
  readonly #chains = new Map<Uuid, Item[]>();
  /** Subjects whose first message is not under way. */
  readonly #ready: Uuid[] = [];

  get hasReady(): boolean {
    return this.#ready.length > 0;
  }

  add(item: Item): void {
    const { subjectId } = item.message;
    const chain = this.#chains.get(subjectId);
    if (chain) chain.push(item);
    else {
      this.#chains.set(subjectId, [item]);
      this.#ready.push(subjectId);
    }
  }

  /** The first message of the next subject; `pass` or `cut` says how it ended. */
  take(): Item {
    return this.#chains.get(this.#ready.shift()!)![0]!;
  }

  isFollowed({ message }: Item): boolean {
    return this.#chains.get(message.subjectId)!.length > 1;
  }

  /** Its subject goes on. */
  pass({ message: { subjectId } }: Item): void {
    const chain = this.#chains.get(subjectId)!;
    chain.shift();
    if (chain.length > 0) this.#ready.push(subjectId);
    else this.#chains.delete(subjectId);
  }

  /** Its subject stops here: what was behind it. */
  cut({ message: { subjectId } }: Item): readonly Item[] {
    const chain = this.#chains.get(subjectId)!;
    this.#chains.delete(subjectId);
    return chain.slice(1);
  }
}
