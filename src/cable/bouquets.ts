import type { PlanReading } from "../catalogue/index.ts";
import { daysOf, validityHoursIn, validityWord } from "../catalogue/validity.ts";
import { TV_PROVIDERS, type TvProvider } from "../ports/cable-payload.ts";

/** What a bouquet's name says. */
export interface BouquetFacts {
  /** Without the price in it and without marks, in small letters: a new price makes no other bouquet. */
  readonly title: string;
  /** Null when the name does not state it. */
  readonly validityHours: number | null;
}

/** `N4,400`, `₦1900`, `2100 Naira`, and a number of thousands by itself. The list's own price counts, so it is not read. */
const PRICE = /(?:n|₦)\s?\d[\d,]*(?:\.\d+)?|\d[\d,]*(?:\.\d+)? naira|\b\d{1,3}(?:,\d{3})+(?:\.\d+)?/g;

const titleOf = (name: string): string =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(PRICE, " ")
    .replaceAll(/[^\p{L}\p{N}+]+/gu, " ")
    .trim();

export const BOUQUETS: PlanReading<TvProvider, BouquetFacts> = {
  product: "cable",
  noun: "bouquets",
  groups: TV_PROVIDERS,
  read: (name) => ({ title: titleOf(name), validityHours: validityHoursIn(name) }),
  isSame: (before, after) => before.title === after.title && before.validityHours === after.validityHours,
  // By cost.
  compare: () => 0,
  words: ({ validityHours }) => (validityHours === null ? [] : [validityWord(validityHours)]),
};

/** Null when the name does not state it. */
export const validityDays = ({ validityHours }: BouquetFacts): number | null =>
  validityHours === null ? null : daysOf(validityHours);
