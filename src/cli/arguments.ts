import { InvalidArgumentError, Option } from "commander";
import { decodeId, type IdPrefix, type Uuid } from "../kernel/ids.ts";
import { type Kobo, parseKobo } from "../kernel/kobo.ts";
import { afterLagosDay, lagosDay, startOfLagosDay } from "../kernel/lagos.ts";
import type { Mode } from "../kernel/mode.ts";
import { isDay, readTime } from "../kernel/rfc3339.ts";

/** Parsers of arguments and options for commander: each returns the value, or throws with the expected format. */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An ID as subscribers see it, or the UUID from the logs. */
const idOf =
  (prefix: IdPrefix, what: string) =>
  (text: string): Uuid => {
    const id = UUID.test(text) ? (text as Uuid) : decodeId(prefix, text);
    if (id === undefined) throw new InvalidArgumentError(`"${text}" is not ${what}'s id (${prefix}_…).`);
    return id;
  };

export const accountId = idOf("acc", "an account");

/** In lower case, as addresses of people are kept. */
export function emailAddress(text: string): string {
  if (!/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(text) || text.length > 254)
    throw new InvalidArgumentError("Give an email address, such as ada@example.ng.");
  return text.toLowerCase();
}

/** Naira with at most two decimal places, e.g. `200.00`. */
export function naira(text: string): Kobo {
  try {
    return parseKobo(text);
  } catch {
    throw new InvalidArgumentError("Give naira with at most two decimal places and no separators, e.g. 5000.00.");
  }
}

/** RFC 3339, or a day in Lagos, meaning its start. */
export function time(text: string): Date {
  const at = isDay(text) ? startOfLagosDay(text) : readTime(text);
  if (!at)
    throw new InvalidArgumentError(
      "Give a day in Lagos (2027-01-31), or a time with its time zone (2027-01-31T23:00:00Z).",
    );
  return at;
}

const ofDay = (day: string, end: "from" | "to"): Date =>
  end === "from" ? startOfLagosDay(day) : new Date(afterLagosDay(day).getTime() - 1);

/** Days ago, by word. */
const DAYS_AGO: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };

/** A moment relative to the current time. */
export type Moment = (now: Date) => Date;

/**
 * Parses an age (`24h`, `7d`), a time, or a day in Lagos (`2026-11-28`, `today`, `yesterday`): its start (`from`) or its last
 * millisecond (`to`).
 */
export const momentOr =
  (end: "from" | "to") =>
  (text: string): Moment => {
    const daysAgo = DAYS_AGO[text.toLowerCase()];
    if (daysAgo !== undefined)
      return (now) => ofDay(lagosDay(new Date(now.getTime() - daysAgo * SECONDS.d! * 1_000)), end);
    if (/^\d{1,6}[smhd]?$/.test(text)) {
      const seconds = duration(text);
      return (now) => new Date(now.getTime() - seconds * 1_000);
    }
    const at = isDay(text) ? ofDay(text, end) : readTime(text);
    if (!at)
      throw new InvalidArgumentError(
        "Give an age (24h, 7d), a day in Lagos (2026-11-28, today, yesterday), or a time with its time zone (2026-11-28T09:00:00Z).",
      );
    return () => at;
  };

const COUNT_MAX = 10_000;

/** The maximum number of list items. */
export function count(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > COUNT_MAX)
    throw new InvalidArgumentError(`Give a number from 1 to ${COUNT_MAX}.`);
  return Number(text);
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `0`, `90s`, `30m`, `24h` or `7d`, in seconds. */
export function duration(text: string): number {
  const [, count, unit = "s"] = /^(\d{1,6})([smhd])?$/.exec(text) ?? [];
  if (count === undefined || (count !== "0" && !/[smhd]$/.test(text)))
    throw new InvalidArgumentError("Give a number with its unit: 90s, 30m, 24h or 7d.");
  return Number(count) * SECONDS[unit]!;
}

/** The required `--account <id>`. */
export const accountOption = () =>
  new Option("--account <id>", "the account (acc_…)").argParser(accountId).makeOptionMandatory();

/** The required `--mode <mode>`: live and test have separate keys and wallets. */
export const modeOption = () =>
  new Option("--mode <mode>", "live or test").choices(["live", "test"] satisfies Mode[]).makeOptionMandatory();
