import { DAY_MS, HOUR_MS } from "./duration.ts";

/** West Africa Time: UTC+1 all year. Nigeria has no daylight saving time. Source: IANA time zone Africa/Lagos. */
const OFFSET_MS = HOUR_MS;

/** Promotional messages may leave from the first hour up to, not including, the second: a rule of the NCC. */
const OPENS_AT_HOUR = 8;
const CLOSES_AT_HOUR = 20;

/** Milliseconds since midnight in Lagos. */
const timeOfDayMs = (date: Date): number => (date.getTime() + OFFSET_MS) % DAY_MS;

/** Whether it is between 20:00 and 08:00 in Lagos, when promotional messages must wait. 08:00:00.000 is outside, 20:00:00.000 inside. */
export function withinQuietHours(date: Date): boolean {
  const timeMs = timeOfDayMs(date);
  return timeMs < OPENS_AT_HOUR * HOUR_MS || timeMs >= CLOSES_AT_HOUR * HOUR_MS;
}

/** The first moment from `date` on at which a promotional message may leave: `date` itself, or 08:00 in Lagos. */
export function afterQuietHours(date: Date): Date {
  if (!withinQuietHours(date)) return date;
  const timeMs = timeOfDayMs(date);
  const opensInMs = OPENS_AT_HOUR * HOUR_MS - timeMs;
  return new Date(date.getTime() + (opensInMs > 0 ? opensInMs : opensInMs + DAY_MS));
}

/** A month in Lagos, e.g. `2026-11`: the period of quotas. */
export const lagosMonth = (date: Date): string => new Date(date.getTime() + OFFSET_MS).toISOString().slice(0, 7);

/** A day in Lagos, e.g. `2026-11-27`: the period of spend caps. */
export const lagosDay = (date: Date): string => new Date(date.getTime() + OFFSET_MS).toISOString().slice(0, 10);

/** 00:00 in Lagos at the beginning of `day`. */
export const startOfLagosDay = (day: string): Date => new Date(Date.parse(`${day}T00:00:00.000Z`) - OFFSET_MS);

/** 00:00 in Lagos at the end of `day`. */
export const afterLagosDay = (day: string): Date => new Date(startOfLagosDay(day).getTime() + DAY_MS);

/** 00:00 in Lagos on the first of the month after `month` (`2026-11`). */
export function afterLagosMonth(month: string): Date {
  const [year, number] = month.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, number) - OFFSET_MS);
}

/** The remaining days of a moment's month in Lagos, including its own, and the month's length. */
export function lagosDaysLeft(date: Date): { readonly left: number; readonly of: number } {
  const local = new Date(date.getTime() + OFFSET_MS);
  const of = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
  return { left: of - local.getUTCDate() + 1, of };
}

/** Date and time in Lagos to the minute, digits only: `202610031407`. */
export const lagosMinuteDigits = (date: Date): string =>
  new Date(date.getTime() + OFFSET_MS).toISOString().replaceAll(/[-T:]/g, "").slice(0, 12);
