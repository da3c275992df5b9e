import { only, plainText, validityHoursIn } from "../catalogue/validity.ts";

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
  const text = plainText(name);
  const validityHours = validityHoursIn(name);
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

/** "100MB daily for 30 days": the size is a day's share, and nobody says what it makes in all. */
const isDailyShare = (text: string, validityHours: number | null): boolean =>
  /(?:\/|\bper|\bevery|\beach)\s?day\b|\beveryday\b/.test(text) ||
  (/\bdaily\b/.test(text) && validityHours !== null && validityHours > 24);

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
