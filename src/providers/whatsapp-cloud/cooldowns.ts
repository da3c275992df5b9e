/** What the vendor takes nothing from for a while: the whole account, or one of its numbers. */
const ACCOUNT = "";

const AWAY_FIRST_MS = 1_000;
const AWAY_MAX_MS = 60_000;
/** Cooldowns in a row that last as long as is asked for; then each lasts twice as long as the one before, up to a minute. */
const PATIENT_TIMES = 3;
const GROWN_MAX_MS = 60_000;

interface Closure {
  readonly untilMs: number;
  readonly why: string;
}

/**
 * Remembers “not now” where it was said of more than one message, so that the others are not offered to be refused as well: Meta
 * counts that against a number. Each node learns for itself.
 */
export class Cooldowns {
  readonly #closed = new Map<string, Closure>();
  /** Cooldowns since something was last taken. */
  readonly #times = new Map<string, number>();
  readonly #nowMs: () => number;
  #awayTimes = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Nobody was reached: closed for longer each time in a row, from a second to a minute. Returns for how long. */
  away(why: string): number {
    const forMs = Math.min(AWAY_MAX_MS, AWAY_FIRST_MS * 2 ** this.#awayTimes);
    this.#awayTimes += 1;
    this.#set(ACCOUNT, forMs, why);
    return forMs;
  }

  /** Somebody answered. */
  reached(): void {
    this.#awayTimes = 0;
  }

  /** A message of the number was taken. */
  taken(number: string): void {
    this.#times.delete(ACCOUNT);
    this.#times.delete(number);
  }

  close(whose: "account" | "number", number: string, forMs: number, why: string): void {
    const key = whose === "account" ? ACCOUNT : number;
    // What had left before it was closed says nothing new, but for how long.
    if (!this.#find(key)) this.#times.set(key, (this.#times.get(key) ?? 0) + 1);
    const doubled = forMs * 2 ** Math.max(0, (this.#times.get(key) ?? 1) - PATIENT_TIMES);
    this.#set(key, Math.max(forMs, Math.min(GROWN_MAX_MS, doubled)), why);
  }

  #set(key: string, forMs: number, why: string): void {
    const untilMs = this.#nowMs() + forMs;
    const earlier = this.#find(key);
    if (!earlier || earlier.untilMs < untilMs) this.#closed.set(key, { untilMs, why });
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
