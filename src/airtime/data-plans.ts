import type { PlanReading } from "../catalogue/index.ts";
import { validityWord } from "../catalogue/validity.ts";
import { NETWORKS, type Network } from "../kernel/networks.ts";
import { type PlanFacts, parsePlan } from "./parse-plan.ts";

/** Data plans, by network. */
export const DATA_PLANS: PlanReading<Network, PlanFacts> = {
  product: "data",
  noun: "data plans",
  groups: NETWORKS,
  read: parsePlan,
  /** What a plan promises is its size and validity; a name that says neither promises nothing that could be compared. */
  isSame: (was, is) =>
    (was.sizeMb !== null || was.validityHours !== null) &&
    was.sizeMb === is.sizeMb &&
    was.validityHours === is.validityHours,
  /** The smallest first; those whose size is not known come last. */
  compare: (one, other) => sizeOf(one) - sizeOf(other),
  words: ({ sizeMb, validityHours }) => [
    ...(sizeMb === null ? [] : [sizeWord(sizeMb)]),
    ...(validityHours === null ? [] : [validityWord(validityHours)]),
  ],
};

const sizeOf = ({ sizeMb }: PlanFacts): number => sizeMb ?? Number.MAX_SAFE_INTEGER;

const inWords = (value: number): string => String(value).replace(".", "p");
const sizeWord = (mb: number): string =>
  mb >= 1_024 ? `${inWords(Math.round((mb / 1_024) * 100) / 100)}gb` : `${mb}mb`;
