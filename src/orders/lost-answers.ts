import type { IBreaker } from "cockatiel";

/**
 * When a vendor counts as gone: no answer in a row for this many recipients. One recipient whose messages are swallowed,
 * however often tried, says nothing about the vendor, and nobody must be able to shut a route for everybody with it.
 */
export class LostAnswers implements IBreaker {
  state: unknown;
  readonly #recipientsMax: number;
  readonly #recipients = new Set<string>();

  constructor(recipientsMax: number) {
    this.#recipientsMax = recipientsMax;
  }

  /** Tell it before the failure: the breaker itself is not told of what. */
  lost(recipient: string): void {
    if (this.#recipients.size < this.#recipientsMax) this.#recipients.add(recipient);
  }

  success(): void {
    this.#recipients.clear();
  }

  failure(): boolean {
    return this.#recipients.size >= this.#recipientsMax;
  }
}
