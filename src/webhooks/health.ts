import { MINUTE_MS, SECOND_MS } from "../kernel/duration.ts";
import type { Mode } from "../kernel/mode.ts";
import type { DisabledReason } from "./endpoint.ts";
import { GONE, isDelivered, isTaken, type Outcome } from "./outcome.ts";
import { DISABLE_AFTER, retryAfterMs } from "./schedule.ts";

/** What the latest attempts say about an endpoint. */
export interface Health {
  /** Failures in a row. */
  readonly failures: number;
  /** Time of the first of them. */
  readonly failingSince: Date | null;
  /** Rests since the last success; each is twice as long as the one before. */
  readonly rests: number;
  /** Nothing is sent before this time. */
  readonly restUntil: Date | null;
}

export const HEALTHY: Health = { failures: 0, failingSince: null, rests: 0, restUntil: null };

const REST_MS: Readonly<Record<Mode, { readonly first: number; readonly max: number }>> = {
  live: { first: 5 * SECOND_MS, max: 5 * MINUTE_MS },
  test: { first: SECOND_MS, max: 15 * SECOND_MS },
};

/** A receiver under load. */
const THROTTLING: readonly (number | undefined)[] = [429, 502, 503, 504];
/**
 * Failures in a row after which an endpoint rests. Without an answer it is down, and rests after each further one. With one it may refuse
 * single events, and is to get past them to others: it rests after each further hundred.
 */
const REST_AFTER = { unanswered: 5, answered: 20, answeredAgain: 100 } as const;

const isTired = (failures: number, { status }: Outcome): boolean =>
  status === undefined
    ? failures >= REST_AFTER.unanswered
    : THROTTLING.includes(status) || failures === REST_AFTER.answered || failures % REST_AFTER.answeredAgain === 0;

export interface Judged {
  readonly health: Health;
  /** An endpoint that had rested took an event again: what waits for it may go at once. */
  readonly hasRecovered: boolean;
  readonly disabled: DisabledReason | undefined;
}

export interface Judgement {
  readonly mode: Mode;
  readonly outcome: Outcome;
  readonly at: Date;
  /**
   * The order goes on past the event, and its next event is attempted now: that one says whether the endpoint rests. Otherwise an
   * event that fails always would end every turn of the endpoint, and what it no longer holds up would never be sent.
   */
  readonly isPassedOver: boolean;
}

/** What an attempt's outcome makes of the endpoint. */
export function judge(health: Health, { mode, outcome, at, isPassedOver }: Judgement): Judged {
  if (isDelivered(outcome)) return { health: HEALTHY, hasRecovered: health.rests > 0, disabled: undefined };
  const failures = health.failures + 1;
  const failingSince = health.failingSince ?? at;
  const failing = { ...health, failures, failingSince };
  const disabled =
    outcome.status === GONE
      ? "gone"
      : failures >= DISABLE_AFTER.failures && at.getTime() - failingSince.getTime() >= DISABLE_AFTER.ms
        ? "failing"
        : undefined;
  const goesOn = isPassedOver && isTaken(outcome) && outcome.retryAfter === undefined;
  return { health: goesOn ? failing : rested(failing, mode, outcome, at), hasRecovered: false, disabled };
}

function rested(health: Health, mode: Mode, outcome: Outcome, at: Date): Health {
  const asked = retryAfterMs(outcome.retryAfter, at);
  if (asked === undefined && !isTired(health.failures, outcome)) return health;
  const isResting = health.restUntil !== null && health.restUntil > at;
  const { first, max } = REST_MS[mode];
  // Attempts that were under way together end in one rest.
  const own = isResting ? 0 : Math.min(first * 2 ** health.rests, max);
  const until = at.getTime() + Math.max(own, asked ?? 0);
  return {
    ...health,
    rests: isResting ? health.rests : health.rests + 1,
    restUntil: new Date(Math.max(until, health.restUntil?.getTime() ?? 0)),
  };
}
