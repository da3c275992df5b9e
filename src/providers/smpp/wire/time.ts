import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kernel/duration.ts";

/**
 * The 16 characters of SMPP time. Absolute: `YYMMDDhhmmsstnnp` (t tenths of a second, nn quarter hours from UTC, p the sign).
 * Relative: `YYMMDDhhmmss000R`.
 * Source: SMPP 3.4, section 7.1.1.
 */

/** Written with days only, because SMSCs do not agree on how long a relative month is; two digits of days is the limit. */
const LONGEST_RELATIVE_MS = 31 * DAY_MS;

const two = (value: number): string => String(value).padStart(2, "0");

/** In UTC (`00+`), to the tenth of a second. */
export function formatAbsoluteTime(at: Date): string {
  return (
    two(at.getUTCFullYear() % 100) +
    two(at.getUTCMonth() + 1) +
    two(at.getUTCDate()) +
    two(at.getUTCHours()) +
    two(at.getUTCMinutes()) +
    two(at.getUTCSeconds()) +
    String(Math.floor(at.getUTCMilliseconds() / 100)) +
    "00+"
  );
}

/** Whole seconds, rounded down and clamped to the range from one second to 31 days. */
export function formatRelativeTime(durationMs: number): string {
  const bounded = Math.min(Math.max(durationMs, SECOND_MS), LONGEST_RELATIVE_MS);
  const days = Math.floor(bounded / DAY_MS);
  const hours = Math.floor((bounded % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((bounded % HOUR_MS) / MINUTE_MS);
  const seconds = Math.floor((bounded % MINUTE_MS) / SECOND_MS);
  return `0000${two(days)}${two(hours)}${two(minutes)}${two(seconds)}000R`;
}

const LAYOUT = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d)(\d\d)([+\-R])$/;

/**
 * Either form as a point in time; a relative one counts from `now`. Years are of this century; a relative year is 365 days and
 * a relative month 30. Undefined when the text is not an SMPP time (the empty string, which means "default", included).
 */
export function parseTime(text: string, now: Date): Date | undefined {
  const match = LAYOUT.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second, tenths, quarters] = match.slice(1, 9).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const timeOfDayMs = hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS;
  if (match[9] === "R") {
    return new Date(now.getTime() + (year * 365 + month * 30 + day) * DAY_MS + timeOfDayMs);
  }
  const midnight = new Date(Date.UTC(2000 + year, month - 1, day));
  // Date.UTC takes month 13 and 31 February; the calendar does not.
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || quarters > 48) return undefined;
  const offsetMs = quarters * 15 * MINUTE_MS * (match[9] === "-" ? -1 : 1);
  return new Date(midnight.getTime() + timeOfDayMs + tenths * 100 - offsetMs);
}
