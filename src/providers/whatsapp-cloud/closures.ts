/** What the vendor takes nothing from for a while: the whole account, or one of its numbers. */
const ACCOUNT = "";

const AWAY_FIRST_MS = 1_000;
const AWAY_MAX_MS = 60_000;

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
  #awayTimes = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Nobody was reached: closed for longer each time in a row, from a second to a minute. Returns for how long. */
  away(why: string): number {
    const forMs = Math.min(AWAY_MAX_MS, AWAY_FIRST_MS * 2 ** this.#awayTimes);
    this.#awayTimes += 1;
    this.close("account", ACCOUNT, forMs, why);
    return forMs;
  }

  /** Somebody answered. */
  reached(): void {
    this.#awayTimes = 0;
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
