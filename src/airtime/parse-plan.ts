/** What a data plan's name says. Vendors have size, validity and kind nowhere but in this free text. */
export interface PlanFacts {
  /** MB; a GB is 1,024. */
  readonly sizeMb: number | null;
  readonly validityHours: number | null;
  readonly kind: PlanKind | null;
}

export const PLAN_KINDS = ["standard", "sme", "corporate", "gifting", "night", "weekend", "social"] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

/** Whether everything was found: only then nothing of it is `null`. */
export const isParsed = (facts: PlanFacts): boolean => facts.sizeMb !== null && facts.validityHours !== null;

/**
 * Reads a plan's name: `"MTN N1000 1.5GB - 30 days"`. What is not said, or said twice with different values ("2GB + 1GB night",
 * "1GB, 7 days or 30 days"), is null: a subscriber sells by these figures, so a wrong one is worse than none.
 */
export function parsePlan(name: string): PlanFacts {
  const text = name.normalize("NFKC").toLowerCase();
  const validityHours = validityOf(text);
  const sizeMb = isDailyShare(text, validityHours) ? null : only(sizesIn(text));
  const named = PLAN_KINDS.filter((kind) => WORDS[kind]?.test(text));
  // Without size and validity it may be anything: a talk bundle, a router.
  const unnamed = sizeMb === null || validityHours === null ? null : "standard";
  return { sizeMb, validityHours, kind: kindOf(named, unnamed) };
}

const MB_IN: Readonly<Record<string, number>> = { mb: 1, gb: 1_024, tb: 1_024 * 1_024 };
/** A comma in front of the digits may be a decimal one, so that "1,5GB" has no size that is certain. */
const SIZE = /(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d{1,7})(\.\d{1,3})?\s?(mb|gb|tb)s?(?![a-z])/g;

const sizesIn = (text: string): number[] =>
  [...text.matchAll(SIZE)].map(([, whole = "", places = "", unit = ""]) =>
    Math.round(Number(whole.replaceAll(",", "") + places) * (MB_IN[unit] ?? 0)),
  );

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
  [/\b(?:yearly|annual)\b/, 365 * DAY_HOURS],
];

/** Numbers come before words: "Daily Plan 1GB (1 day)", "Weekly 7 days". */
function validityOf(text: string): number | null {
  const numbers = [...text.matchAll(VALIDITY)].map(([, count, unit = ""]) => Number(count) * hoursIn(unit));
  if (numbers.length > 0) return only(numbers);
  return only(VALIDITY_WORDS.flatMap(([word, hours]) => (word.test(text) ? [hours] : [])));
}

/** "100MB daily for 30 days": the size is a day's share, and nobody says what it makes in all. */
const isDailyShare = (text: string, validityHours: number | null): boolean =>
  /(?:\/|\bper|\bevery|\beach)\s?day\b|\beveryday\b/.test(text) ||
  (/\bdaily\b/.test(text) && validityHours !== null && validityHours > DAY_HOURS);

const only = (values: readonly number[]): number | null => {
  const [first, ...others] = new Set(values.filter((value) => value > 0));
  return first !== undefined && others.length === 0 ? first : null;
};

const WORDS: Readonly<Partial<Record<PlanKind, RegExp>>> = {
  sme: /\bsme\b/,
  corporate: /\bcorporate\b|\bcg\b/,
  gifting: /\bgift(?:ing)?\b/,
  night: /\bnight\b|\bmidnight\b/,
  weekend: /\bweekend\b/,
  social: /\bsocial\b|\bwhatsapp\b|\bfacebook\b|\binstagram\b|\byoutube\b|\btiktok\b/,
};

function kindOf(named: readonly PlanKind[], unnamed: PlanKind | null): PlanKind | null {
  // "Corporate gifting" is one thing: what companies give away.
  const [first, ...others] = named.includes("corporate") ? named.filter((kind) => kind !== "gifting") : named;
  if (first === undefined) return unnamed;
  return others.length === 0 ? first : null;
}

const DAY_PLACES = 100;

/** In days with two places at most: 2 hours are 0.08. */
export const daysOf = (hours: number): number => Math.round((hours / DAY_HOURS) * DAY_PLACES) / DAY_PLACES;
