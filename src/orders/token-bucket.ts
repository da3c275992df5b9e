import type { Clock } from "../kernel/clock.ts";

export interface TokenBucket {
  available(): boolean;
  take(): void;
  /** What was taken and not used. */
  giveBack(): void;
}

/** A rate in requests a second, with a burst of a tenth of it: smooth, and nothing is lost to the timer's grain. */
export function makeTokenBucket(ratePerSecond: number, clock: Clock): TokenBucket {
  const burst = Math.max(1, ratePerSecond / 10);
  let tokens = burst;
  let filledAtMs = clock.monotonicMs();
  const fill = () => {
    const nowMs = clock.monotonicMs();
    tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) / 1000) * ratePerSecond);
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
      tokens = Math.min(burst, tokens + 1);
    },
  };
}
