/**
 * Token bucket for submits. An SMSC counts per second and answers RTHROTTLED, or hangs up, above what was agreed; it holds a
 * tenth of a second's worth, so that no second sees more than 110 % of the rate. A bucket of a whole second would allow 200 %.
 */
export class RateLimit {
  readonly #perMs: number;
  readonly #capacity: number;
  readonly #nowMs: () => number;
  #tokens: number;
  #filledAtMs: number;

  constructor(perSecond: number, nowMs: () => number) {
    this.#perMs = perSecond / 1_000;
    this.#capacity = Math.max(1, perSecond / 10);
    this.#nowMs = nowMs;
    this.#tokens = this.#capacity;
    this.#filledAtMs = nowMs();
  }

  /** Counts one submit and returns 0, or returns the milliseconds until the next try. */
  take(): number {
    const nowMs = this.#nowMs();
    this.#tokens = Math.min(this.#capacity, this.#tokens + (nowMs - this.#filledAtMs) * this.#perMs);
    this.#filledAtMs = nowMs;
    if (this.#tokens < 1) return Math.ceil((1 - this.#tokens) / this.#perMs);
    this.#tokens -= 1;
    return 0;
  }
}
