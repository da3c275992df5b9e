import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../kernel/duration.ts";
import type { Mode } from "../kernel/mode.ts";

/**
 * Waits between the ten attempts at an event: those of Standard Webhooks for live endpoints (75.6 hours in all), and short ones in
 * test mode, like all waits there.
 */
const WAITS_MS: Readonly<Record<Mode, readonly number[]>> = {
  live: [
    5 * SECOND_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    24 * HOUR_MS,
  ],
  test: [1, 2, 4, 8, 15, 30, 60, 120, 300].map((seconds) => seconds * SECOND_MS),
};

/** Endpoints that came back together are not called together again. */
const JITTER = 0.2;

/** An event that holds up later events of its order is tried again after this time at most. */
export const HOLD_UP_MS = MINUTE_MS;
/** After this time of failures the order goes on past the event. */
export const PASS_OVER_MS = 30 * MINUTE_MS;

/** Every attempt must have failed for this long, and so many of them, before an endpoint is disabled. */
export const DISABLE_AFTER = { ms: 5 * DAY_MS, failures: 20 } as const;

/** The wait after the failed attempt of this step (0 is the first attempt); undefined after the last. `chance`: 0 to 1. */
export function waitMs(mode: Mode, step: number, chance: number): number | undefined {
  const wait = WAITS_MS[mode][step];
  return wait === undefined ? undefined : Math.round(wait * (1 - JITTER + 2 * JITTER * chance));
}

/** What a receiver may ask for: a date that is far off, or milliseconds taken for seconds, would silence its endpoint. */
const RETRY_AFTER_MS = { min: SECOND_MS, max: HOUR_MS };

/** `Retry-After` in milliseconds: whole seconds or an HTTP date (RFC 9110 section 10.2.3). Undefined: neither. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  // A date has a name of a day or month: `Date.parse` would take "-1" and "1.5" for dates, too.
  const ms = /^\d+$/.test(text)
    ? Number(text) * SECOND_MS
    : /^[A-Za-z]/.test(text)
      ? Date.parse(text) - now.getTime()
      : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, RETRY_AFTER_MS.min), RETRY_AFTER_MS.max);
}
