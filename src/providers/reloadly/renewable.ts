import type { Clock } from "../../kernel/clock.ts";

export type Fetched<Value, Failure> =
  | { readonly ok: true; readonly value: Value; readonly goodForMs: number }
  | { readonly ok: false; readonly failure: Failure; readonly againAfterMs: number };

/** The part of its life after which a value is renewed while it is still good. */
const EARLY = 0.8;

/**
 * Something fetched that is good for a while: renewed before it ends, in the background; one fetch at a time, whoever asks; and
 * after a fetch that failed none for a moment, so that a vendor that is down, or refuses us, is not hammered.
 */
export class Renewable<Value, Failure> {
  readonly #fetch: () => Promise<Fetched<Value, Failure>>;
  readonly #clock: Clock;
  #held: { readonly value: Value; readonly renewAtMs: number; readonly untilMs: number } | undefined;
  #failed: { readonly failure: Failure; readonly untilMs: number } | undefined;
  #renewal: Promise<Value | undefined> | undefined;

  constructor(fetch: () => Promise<Fetched<Value, Failure>>, clock: Clock) {
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /** Undefined: there is none, and `failure` says why. */
  async get(): Promise<Value | undefined> {
    const nowMs = this.#clock.monotonicMs();
    const held = this.#held;
    if (held && nowMs < held.untilMs) {
      if (nowMs >= held.renewAtMs && !this.failure) void this.renew();
      return held.value;
    }
    return this.failure === undefined ? this.renew() : undefined;
  }

  /** Fetches anew, or waits for the fetch under way. The value held stays when it fails. */
  renew(): Promise<Value | undefined> {
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  /** The value turned out not to be good. One that has been renewed meanwhile stays. */
  drop(value: Value): void {
    if (this.#held?.value === value) this.#held = undefined;
  }

  /** Why the last fetch failed, as long as none is tried again. */
  get failure(): Failure | undefined {
    return this.#failed && this.#clock.monotonicMs() < this.#failed.untilMs ? this.#failed.failure : undefined;
  }

  async #renew(): Promise<Value | undefined> {
    // It is good from when it was made, which was not before it was asked for.
    const askedAtMs = this.#clock.monotonicMs();
    const fetched = await this.#fetch();
    if (!fetched.ok) {
      this.#failed = { failure: fetched.failure, untilMs: this.#clock.monotonicMs() + fetched.againAfterMs };
      return undefined;
    }
    const { value, goodForMs } = fetched;
    this.#failed = undefined;
    this.#held = { value, renewAtMs: askedAtMs + goodForMs * EARLY, untilMs: askedAtMs + goodForMs };
    return value;
  }
}
