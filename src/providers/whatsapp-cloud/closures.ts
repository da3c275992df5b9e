/** What the vendor takes nothing from for a while: the whole account, or one of its numbers. */
const ACCOUNT = "";

interface Closure {
  readonly untilMs: number;
  readonly why: string;
}

/**
 * Remembers “not now” where it was said of more than one message, so that the others are not offered to be refused as well: Meta
 * counts that against a number. Each node learns for itself.
 */
export class Closures {
  readonly #closed = new Map<string, Closure>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  close(whose: "account" | "number", number: string, forMs: number, why: string): void {
    this.#closed.set(whose === "account" ? ACCOUNT : number, { untilMs: this.#nowMs() + forMs, why });
  }

  /** Undefined while the account is open. */
  get account(): Closure | undefined {
    return this.#find(ACCOUNT);
  }

  /** For how long nothing may leave from the number; 0: it may. */
  leftMs(number: string): number {
    const untilMs = Math.max(this.#find(ACCOUNT)?.untilMs ?? 0, this.#find(number)?.untilMs ?? 0);
    return Math.ceil(Math.max(0, untilMs - this.#nowMs()));
  }

  #find(key: string): Closure | undefined {
    const closure = this.#closed.get(key);
    if (closure && closure.untilMs <= this.#nowMs()) this.#closed.delete(key);
    return this.#closed.has(key) ? closure : undefined;
  }
}
