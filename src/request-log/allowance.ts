import type { Clock } from "../kernel/clock.ts";
import { SECOND_MS } from "../kernel/duration.ts";

/** Of one account, or of all on one node: a burst, then a number a second. */
export interface AllowanceOptions {
  readonly burst: number;
  readonly perSecond: number;
}

interface Left {
  count: number;
  filledAtMs: number;
}

const ACCOUNTS_MAX = 10_000;

/** What each account (or whatever else is named) may have of something, by a token bucket of its own. */
export function makeAllowance({ burst, perSecond }: AllowanceOptions, clock: Pick<Clock, "monotonicMs">) {
  const accounts = new Map<string, Left>();

  return (account: string): boolean => {
    const now = clock.monotonicMs();
    let left = accounts.get(account);
    if (left === undefined) {
      if (accounts.size >= ACCOUNTS_MAX) accounts.clear(); // each then has a new burst
      left = { count: burst, filledAtMs: now };
      accounts.set(account, left);
    }
    left.count = Math.min(burst, left.count + ((now - left.filledAtMs) / SECOND_MS) * perSecond);
    left.filledAtMs = now;
    if (left.count < 1) return false;
    left.count -= 1;
    return true;
  };
}
