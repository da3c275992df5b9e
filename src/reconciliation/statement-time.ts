/** The inclusive period that a text of a day, a minute or a second names. */
export interface Span {
  readonly from: Date;
  readonly until: Date;
}

/** Reads a time, or returns the reason to print after the faulty text. */
export type TimeReader = (written: string) => Span | { readonly why: string };

const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+/i;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH = "(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\\.?";
const TIME = "(?:[T,\\s-]+(?:at\\s+)?(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?(?:\\s*([ap])\\.?m\\.?)?)?";
const ZONE = "(?:\\s*(Z|UTC|GMT|WAT|(?:UTC|GMT)?[+-]\\d{2}:?\\d{2})(?:\\s*\\([^)]*\\))?)?";
const form = (date: string): RegExp => new RegExp(`^${date}${TIME}${ZONE}$`, "i");

const YEAR_FIRST = form("(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})");
const DIGITS = form("(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d{2})");
const DAY_AND_NAME = form(`(\\d{1,2})(?:st|nd|rd|th)?([-/\\s])${MONTH},?[-/\\s](\\d{4}|\\d{2})`);
const NAME_AND_DAY = form(`${MONTH}(\\s)(\\d{1,2})(?:st|nd|rd|th)?,?\\s(\\d{4})`);

interface Written {
  /** The date's parts in their written order. */
  readonly parts: readonly [string, string, string];
  readonly order: "year" | "day" | "month" | "either";
  /** Hour, minute, second, fraction, `a` or `p`, zone. */
  readonly rest: readonly (string | undefined)[];
}

const WANTED = "is no time (2026-10-03 14:07, or with a zone)";

/**
 * What reads the times of one statement. A time without a zone is one of the vendor's. A day alone is all of it, and a
 * time to the minute that minute. `03/10/2026` may be two days: another one of the statement has to tell whether days or months come first.
 */
export function timeReader(all: readonly string[], timeZone: string): TimeReader {
  const orders = new Set(
    all.map(split).flatMap((found) => (found && isAllDigits(found.parts) && isOrder(found.order) ? [found.order] : [])),
  );
  const [only] = orders;
  return (written) => {
    const found = split(written);
    if (!found) return { why: WANTED };
    const { parts, order, rest } = found;
    const [first, second] = parts;
    const isEither = order === "either";
    if (orders.size > 1 && order !== "year" && isAllDigits(parts))
      return { why: "is no time that can be told: in this statement days come first and months do, too" };
    if (isEither && only === undefined && Number(first) !== Number(second))
      return { why: `is no time that can be told: it may be ${nameOf(first, second)} or ${nameOf(second, first)}` };
    return spanOf(dateOf(parts, isEither ? (only ?? "day") : order), rest, timeZone) ?? { why: WANTED };
  };
}

const isOrder = (order: Written["order"]): order is "day" | "month" => order === "day" || order === "month";
const isAllDigits = (parts: readonly string[]): boolean => parts.every((part) => /^\d+$/.test(part));

const nameOf = (day: string, month: string): string =>
  `${Number(day)} ${new Date(Date.UTC(2000, Number(month) - 1)).toLocaleString("en", { month: "long", timeZone: "UTC" })}`;

function split(written: string): Written | undefined {
  const text = written.replace(WEEKDAY, "").replaceAll(/[\u00a0\u202f]/g, " ");
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst)
    return { parts: [yearFirst[1]!, yearFirst[3]!, yearFirst[4]!], order: "year", rest: yearFirst.slice(5) };
  const digits = DIGITS.exec(text);
  if (digits) {
    const [, first = "", mark, second = "", year = ""] = digits;
    // Points stand between days and months where days come first.
    const order = Number(first) > 12 || mark === "." ? "day" : Number(second) > 12 ? "month" : "either";
    return { parts: [first, second, year], order, rest: digits.slice(5) };
  }
  const dayAndName = DAY_AND_NAME.exec(text);
  if (dayAndName)
    return { parts: [dayAndName[1]!, dayAndName[3]!, dayAndName[4]!], order: "day", rest: dayAndName.slice(5) };
  const nameAndDay = NAME_AND_DAY.exec(text);
  if (nameAndDay)
    return { parts: [nameAndDay[1]!, nameAndDay[3]!, nameAndDay[4]!], order: "month", rest: nameAndDay.slice(5) };
  return undefined;
}

function dateOf([first, second, third]: Written["parts"], order: "year" | "day" | "month") {
  const [year, month, day] =
    order === "year" ? [first, second, third] : order === "day" ? [third, second, first] : [third, first, second];
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return { year: Number(year.length === 2 ? `20${year}` : year), month: named || Number(month), day: Number(day) };
}

function spanOf(
  date: { readonly year: number; readonly month: number; readonly day: number },
  [hours, minutes, seconds, fraction, half, zone]: Written["rest"],
  timeZone: string,
): Span | undefined {
  try {
    const hour = hours === undefined ? 0 : hourOf(Number(hours), half);
    if (hour === undefined) return undefined;
    const start = Temporal.PlainDateTime.from(
      {
        ...date,
        hour,
        minute: Number(minutes ?? 0),
        second: Number(seconds ?? 0),
        millisecond: Number((fraction ?? "").padEnd(3, "0").slice(0, 3)),
      },
      { overflow: "reject" },
    );
    const end =
      hours === undefined
        ? start.add({ days: 1 })
        : seconds === undefined
          ? start.add({ minutes: 1 })
          : fraction === undefined
            ? start.add({ seconds: 1 })
            : start.add({ milliseconds: 1 });
    const where = zone === undefined ? timeZone : zoneOf(zone);
    const at = (time: Temporal.PlainDateTime, disambiguation: "earlier" | "later"): number =>
      time.toZonedDateTime(where, { disambiguation }).epochMilliseconds;
    // When clocks go back an hour comes twice: the text may name either.
    return { from: new Date(at(start, "earlier")), until: new Date(at(end, "later") - 1) };
  } catch {
    return undefined;
  }
}

/** Converts a 12-hour time with `a` or `p`. */
function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
}

function zoneOf(text: string): string {
  const zone = text.toUpperCase();
  if (zone === "WAT") return "Africa/Lagos";
  const [, offset] = /([+-]\d{2}:?\d{2})$/.exec(zone) ?? [];
  return offset === undefined ? "UTC" : offset.replace(/^(...):?/, "$1:");
}
