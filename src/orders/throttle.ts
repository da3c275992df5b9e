import { randomInt } from "node:crypto";
import type { Outcome } from "../ports/provider.ts";

/** Recipients in a row that must be throttled before the route counts as throttled, not the recipients. */
const RECIPIENTS = 3;
const REST_MS_MAX = 60_000;
/** The part of the rate that is left after each throttling, and the time from none back to all of it. */
const DECREASE = 0.5;
const RECOVERY_MS = 20_000;
const SHARE_MIN = 1 / 256;

/**
 * How a route gives way to a vendor that is too busy, or that we are too fast for: nothing leaves for a while, each time in a row for
 * twice as long; then one order at a time is tried, and once one is taken the rate comes back step by step from half of what it was
 * (additive increase, multiplicative decrease). Each node learns for itself. One recipient who is throttled, however often, slows
 * nobody else down: that order waits alone.
 */
export class Throttle {
  readonly #nowMs: () => number;
  readonly #chance: () => number;
  readonly #recipients = new Set<string>();
  #restUntilMs = Number.NEGATIVE_INFINITY;
  /** Rests since the vendor last took something. */
  #rests = 0;
  #shareThen = 1;

  /** `chance`: in [0, 1). */
  constructor(nowMs: () => number, chance: () => number = () => randomInt(2 ** 32) / 2 ** 32) {
    this.#nowMs = nowMs;
    this.#chance = chance;
  }

  /** Nothing may leave for the moment. */
  get rests(): boolean {
    return this.#nowMs() < this.#restUntilMs;
  }

  /** After a rest nothing has been taken yet: one order at a time. */
  get probes(): boolean {
    return this.#rests > 0;
  }

  /** What of the configured rate may be used, from 0 to 1. */
  get share(): number {
    const sinceMs = Math.max(0, this.#nowMs() - this.#restUntilMs);
    return Math.min(1, this.#shareThen + sinceMs / RECOVERY_MS);
  }

  /** What was answered to a recipient's order that left at `sentAtMs`. Returns for how long the route rests now, if it is to. */
  heard(recipient: string, outcomes: readonly (Outcome | undefined)[], sentAtMs: number): number | undefined {
    const waits = outcomes.flatMap((outcome) =>
      outcome?.kind === "throttled" && outcome.ofRoute ? [outcome.retryAfterMs] : [],
    );
    // An answer to an order sent before the rest says nothing new.
    if (sentAtMs < this.#restUntilMs) return undefined;
    if (waits.length === 0) {
      if (outcomes.some(isTaken)) this.#taken();
      return undefined;
    }
    if (this.#recipients.size < RECIPIENTS) this.#recipients.add(recipient);
    if (this.#recipients.size < RECIPIENTS && this.#rests === 0) return undefined;
    return this.#rest(Math.max(...waits));
  }

  #taken(): void {
    this.#recipients.clear();
    this.#rests = 0;
  }

  #rest(retryAfterMs: number): number {
    this.#shareThen = Math.max(SHARE_MIN, this.share * DECREASE);
    const range = Math.min(REST_MS_MAX, Math.max(retryAfterMs, 1) * 2 ** Math.min(this.#rests, 30));
    // Never earlier than the vendor says.
    const restMs = Math.max(retryAfterMs, Math.round(range * (0.5 + this.#chance() / 2)));
    this.#rests += 1;
    this.#restUntilMs = this.#nowMs() + restMs;
    return restMs;
  }
}

/** The vendor was at work on it; a refusal is its work too. */
const isTaken = (outcome: Outcome | undefined): boolean =>
  outcome?.kind === "accepted" || outcome?.kind === "done" || outcome?.kind === "rejected";
