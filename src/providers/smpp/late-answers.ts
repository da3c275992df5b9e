import { type Deadline, deadline } from "../../kernel/deadline.ts";
import type { AnsweredLate } from "./submit-answer.ts";

/**
 * Who hears the answer to a submit that was given up as lost, by its sequence number: the SMSC may have been slow, and what it says
 * then (the message id above all) is true all the same. Bounded in number and time; the oldest is forgotten first.
 */
export class LateAnswers {
  readonly #max: number;
  readonly #forMs: number;
  readonly #expected = new Map<number, { readonly answeredLate: AnsweredLate; readonly limit: Deadline }>();

  constructor(max: number, forMs: number) {
    this.#max = max;
    this.#forMs = forMs;
  }

  expect(sequence: number, answeredLate: AnsweredLate): void {
    const limit = deadline(this.#forMs, () => this.#expected.delete(sequence));
    this.#expected.set(sequence, { answeredLate, limit });
    const [oldest] = this.#expected.keys();
    if (this.#expected.size > this.#max && oldest !== undefined) this.take(oldest);
  }

  has(sequence: number): boolean {
    return this.#expected.has(sequence);
  }

  /** Undefined if no answer is expected any more; each answer is returned once. */
  take(sequence: number): AnsweredLate | undefined {
    const expected = this.#expected.get(sequence);
    expected?.limit.cancel();
    this.#expected.delete(sequence);
    return expected?.answeredLate;
  }

  clear(): void {
    for (const { limit } of this.#expected.values()) limit.cancel();
    this.#expected.clear();
  }
}
