import type { Consumed, Counters } from "../counters/memory-counters.ts";

/** The counter's decision about one request: the only source of the headers and the 429 body. */
export interface LimitDecision {
  /** A stable word, e.g. `sms-send`: the name in the headers. */
  readonly policy: string;
  /** Points in one window. */
  readonly limit: number;
  readonly points: number;
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds, at least 1, until the window has ended and a retry passes. */
  readonly resetSeconds: number;
  /** The consumption, for giving it back. */
  readonly consumed: Consumed;
}

/**
 * Counters of requests in fixed windows of 60 s on the UTC minute.
 * Counters shared by several nodes return a promise; those in this process return at once.
 */
export interface Limits {
  /** Counts `points` for a subject (account and mode, e.g. `<account id>:test`), all or none. 0 points only looks. */
  take(subject: string, policy: string, limit: number, points: number): LimitDecision | Promise<LimitDecision>;
  /** Undoes a `take` whose request failed by our own fault, unless its window has ended. */
  giveBack(decision: LimitDecision): void | Promise<void>;
}

export const WINDOW_SECONDS = 60;

export function makeLimits(counters: Counters): Limits {
  return {
    take(subject, policy, limit, points) {
      const limits = [{ name: `${subject} ${policy}`, limit, windowSeconds: WINDOW_SECONDS }];
      const consumed = counters.consume([{ limits, points }]);
      return consumed instanceof Promise
        ? consumed.then((all) => decisionOf(policy, all))
        : decisionOf(policy, consumed);
    },
    giveBack: ({ consumed }) => counters.giveBack([consumed]),
  };
}

function decisionOf(policy: string, all: readonly Consumed[]): LimitDecision {
  const consumed = all[0]!;
  const { limit, remaining, resetSeconds } = consumed.remaining[0]!;
  return {
    policy,
    limit,
    points: consumed.consumption.points,
    allowed: consumed.allowed,
    remaining,
    resetSeconds,
    consumed,
  };
}
