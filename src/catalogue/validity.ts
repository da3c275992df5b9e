/** How long a plan is valid, as vendors say it: nowhere but in the free text of its name. */

const DAY_HOURS = 24;
const HOURS_IN: readonly (readonly [unit: RegExp, hours: number])[] = [
  [/^h/, 1],
  [/^d/, DAY_HOURS],
  [/^w/, 7 * DAY_HOURS],
  [/^m/, 30 * DAY_HOURS],
  [/^y/, 365 * DAY_HOURS],
];
const hoursIn = (unit: string): number => HOURS_IN.find(([form]) => form.test(unit))?.[1] ?? 0;

const VALIDITY = /(?<![\d.,])(\d{1,4})[\s-]?(hours?|hrs?|days?|weeks?|wks?|months?|mths?|mnths?|years?|yrs?)(?![a-z])/g;
/** Said without a number. */
const VALIDITY_WORDS: readonly (readonly [word: RegExp, hours: number])[] = [
  [/\bdaily\b/, DAY_HOURS],
  [/\bweekly\b/, 7 * DAY_HOURS],
  [/\bmonthly\b/, 30 * DAY_HOURS],
  [/\bquarterly\b/, 90 * DAY_HOURS],
  [/\b(?:yearly|annual)\b/, 365 * DAY_HOURS],
];

/** Null when the name does not state it, or states two. Numbers come before words: "Daily Plan 1GB (1 day)", "Weekly 7 days". */
export function validityHoursIn(name: string): number | null {
  const text = plainText(name);
  const numbers = [...text.matchAll(VALIDITY)].map(([, count, unit = ""]) => Number(count) * hoursIn(unit));
  if (numbers.length > 0) return only(numbers);
  return only(VALIDITY_WORDS.flatMap(([word, hours]) => (word.test(text) ? [hours] : [])));
}

/** A name as it is read: vendors write it in any case and width. */
export const plainText = (name: string): string => name.normalize("NFKC").toLowerCase();

/** The one value that is named, however often; null for none and for two. */
export const only = (values: readonly number[]): number | null => {
  const [first, ...others] = new Set(values.filter((value) => value > 0));
  return first !== undefined && others.length === 0 ? first : null;
};

const DAY_PLACES = 100;

/** In days with two places at most: 2 hours are 0.08. */
export const daysOf = (hours: number): number => Math.round((hours / DAY_HOURS) * DAY_PLACES) / DAY_PLACES;

/** As an id has it: `30d`, `2h`. */
export const validityWord = (hours: number): string =>
  hours % DAY_HOURS === 0 ? `${hours / DAY_HOURS}d` : `${hours}h`;
