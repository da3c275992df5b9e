import type { IBreaker } from "cockatiel";

/**
 * When a vendor counts as gone: the answers for this many different recipients in a row were lost. One recipient whose answers are
 * lost, however often, says nothing about the vendor: otherwise a single recipient could close a route for everybody.
 */
export class LostAnswers implements IBreaker {
  state: unknown;
  readonly #recipientsMax: number;
  readonly #recipients = new Set<string>();

  constructor(recipientsMax: number) {
    this.#recipientsMax = recipientsMax;
  }

  /** Called before the breaker counts the failure: the breaker does not know the recipient. */
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
