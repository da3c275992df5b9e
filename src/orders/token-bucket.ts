import type { Clock } from "../kernel/clock.ts";

export interface TokenBucket {
  available(): boolean;
  take(): void;
  /** What was taken and not used. */
  giveBack(): void;
}

/**
 * A rate in requests a second, with a burst of a tenth of it: smooth, and nothing is lost to the timer's grain. `share`: what of the
 * rate may be used just now.
 */
export function makeTokenBucket(ratePerSecond: number, clock: Clock, share: () => number = () => 1): TokenBucket {
  const burstOf = (rate: number) => Math.max(1, rate / 10);
  let tokens = burstOf(ratePerSecond);
  let filledAtMs = clock.monotonicMs();
  const fill = () => {
    const nowMs = clock.monotonicMs();
    const rate = ratePerSecond * share();
    tokens = Math.min(burstOf(rate), tokens + ((nowMs - filledAtMs) / 1000) * rate);
    filledAtMs = nowMs;
  };
  return {
    available() {
      fill();
      return tokens >= 1;
    },
    take() {
      tokens -= 1;
    },
    giveBack() {
      tokens = Math.min(burstOf(ratePerSecond), tokens + 1);
    },
  };
}
