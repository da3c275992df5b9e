/** Keys that are remembered. Past it the one that wrote longest ago is forgotten: Meta would then say 131056 itself. */
const KEYS_MAX = 100_000;

/**
 * So much for each key in the long run, and `burst` at once, borrowed from the future: the generic cell rate algorithm, which
 * keeps one number for each key, the time at which all that was borrowed is paid back.
 */
class Pace {
  readonly #everyMs: number;
  readonly #ahead: number;
  readonly #paidBackAt = new Map<string, number>();
  /** The last time that was given to a waiting message. */
  readonly #promisedAt = new Map<string, number>();

  constructor(everyMs: number, burst: number) {
    this.#everyMs = everyMs;
    this.#ahead = (burst - 1) * everyMs;
  }

  /** In how many milliseconds the next may go. */
  wait(key: string, nowMs: number): number {
    return Math.max(0, Math.ceil((this.#paidBackAt.get(key) ?? nowMs) - nowMs - this.#ahead));
  }

  /**
   * As `wait`, for one who will come back then: those who wait are told one time after another, or all would come back for the
   * same place, again and again.
   */
  promise(key: string, nowMs: number): number {
    const freeAt = nowMs + this.wait(key, nowMs);
    const promisedAt = Math.max(freeAt, (this.#promisedAt.get(key) ?? 0) + this.#everyMs);
    remember(this.#promisedAt, key, promisedAt);
    return Math.ceil(promisedAt - nowMs);
  }

  count(key: string, nowMs: number): void {
    if (this.#everyMs === 0) return;
    remember(this.#paidBackAt, key, Math.max(this.#paidBackAt.get(key) ?? nowMs, nowMs) + this.#everyMs);
  }
}

function remember(times: Map<string, number>, key: string, at: number): void {
  // Set anew, so that the order of the map is that of use.
  times.delete(key);
  times.set(key, at);
  if (times.size <= KEYS_MAX) return;
  const [oldest] = times.keys();
  if (oldest !== undefined) times.delete(oldest);
}

export interface LimitSettings {
  readonly perNumberPerSecond: number;
  readonly pairEveryMs: number;
  readonly pairBurst: number;
}

/**
 * Meta's two limits, kept on our side so that nothing is refused: messages of a number in a second (130429), and messages from
 * a number to one person (131056). Each node keeps its own. A number holds a tenth of a second's worth, so that no second sees
 * more than 110 % of the rate. Source: Meta, “Throughput” and “Pair rate limits”.
 */
export class SendLimits {
  readonly #numbers: Pace;
  readonly #pairs: Pace;
  readonly #nowMs: () => number;

  constructor({ perNumberPerSecond, pairEveryMs, pairBurst }: LimitSettings, nowMs: () => number) {
    this.#numbers = new Pace(1_000 / perNumberPerSecond, Math.max(1, Math.floor(perNumberPerSecond / 10)));
    this.#pairs = new Pace(pairEveryMs, pairBurst);
    this.#nowMs = nowMs;
  }

  /** Counts one message and answers 0, or counts nothing and answers in how many milliseconds its turn is. */
  take(number: string, recipient: string): number {
    const nowMs = this.#nowMs();
    const pair = `${number} ${recipient}`;
    const isNumberFree = this.#numbers.wait(number, nowMs) === 0;
    const isPairFree = this.#pairs.wait(pair, nowMs) === 0;
    if (!isNumberFree || !isPairFree)
      return Math.max(
        isNumberFree ? 0 : this.#numbers.promise(number, nowMs),
        isPairFree ? 0 : this.#pairs.promise(pair, nowMs),
      );
    this.#numbers.count(number, nowMs);
    this.#pairs.count(pair, nowMs);
    return 0;
  }
}
