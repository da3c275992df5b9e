import { isTokenValue, MAYBE_TOKEN } from "./sts.ts";

const MONTH = "(?:0?[1-9]|1[0-2])";
const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
const DATE = String.raw`(?:\d{4}([-/.])${MONTH}\1${DAY}|${DAY}([-/.])${MONTH}\2\d{4})`;
const MINUTES = String.raw`(?:[01]?\d|2[0-3]):[0-5]\d`;
const SECONDS = String.raw`:[0-5]\d(?:[.,]\d+)?`;
const ZONE = String.raw`(?:Z|[+-]\d{2}:?\d{2})?(?!\d)`;
/** With the microseconds that PHP writes a time has twenty digits. */
const TIMES = new RegExp(
  String.raw`(?<!\d)(?:${DATE}(?:[T ]{1,2}${MINUTES}(?:${SECONDS})?${ZONE})?(?!\d)|${MINUTES}${SECONDS}${ZONE}(?!:))`,
  "g",
);
export const withoutTimes = (text: string): string => text.replaceAll(TIMES, "a time");

/** As vendors make numbers of their own: year, month, day, hour, minute and second, and six digits more. */
export const TIMED_NUMBER = /^20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d\d{6}$/;

/** In groups a token is written by fours, by fives, by ones; numbers from ten digits on are phones, meters, accounts, but under its name. */
export const GROUP_DIGITS_MAX = 9;
export const TOKEN_DIGITS = 20;

export interface SpelledToken {
  readonly digits: string;
  readonly start: number;
  readonly end: number;
}

interface Group {
  readonly digits: string;
  readonly start: number;
}

/** Each token that a text spells, one behind the other. `isNamed`: it stands where tokens stand, so that any grouping counts. */
export function spelledTokens(text: string, isNamed: boolean): readonly SpelledToken[] {
  const found: SpelledToken[] = [];
  for (const { 0: run, index } of text.matchAll(MAYBE_TOKEN)) {
    const groups = [...run.matchAll(/\p{Nd}+/gu)].map(({ 0: digits, index: at }) => ({ digits, start: index + at }));
    // “KCT1: …”: a digit of the word before.
    if ((groups[0]?.digits.length ?? 0) <= 2 && /\p{L}$/u.test(text.slice(0, index))) groups.shift();
    for (let at = 0; at < groups.length; ) {
      const own = groupsOfToken(groups, at, isNamed);
      const digits = own.map((group) => group.digits).join("");
      const last = own.at(-1);
      if (last && isTokenValue(digits) && (isNamed || !TIMED_NUMBER.test(digits)))
        found.push({ digits, start: own[0]!.start, end: last.start + last.digits.length });
      at += Math.max(own.length, 1);
    }
  }
  return found;
}

/** The groups from this one on that are twenty digits together; none when they are not. */
function groupsOfToken(groups: readonly Group[], at: number, isNamed: boolean): readonly Group[] {
  let digits = 0;
  for (let end = at; end < groups.length && digits < TOKEN_DIGITS; end++) {
    const { length } = groups[end]!.digits;
    if (length > GROUP_DIGITS_MAX && length !== TOKEN_DIGITS && !isNamed) return [];
    digits += length;
    if (digits !== TOKEN_DIGITS) continue;
    const own = groups.slice(at, end + 1);
    return isNamed || isEven(own) ? own : [];
  }
  return [];
}

/** Elsewhere amounts and phones stand in a row too; the groups of a token are of one length. */
const isEven = (groups: readonly Group[]): boolean =>
  groups.every(({ digits }, at) => digits.length === groups[0]!.digits.length || at === groups.length - 1);
