import { hideTokens } from "./sts.ts";

/**
 * A vendor's own words, short, as people and logs may have them. Tokens are hidden before the cut: what is left of one that was cut
 * in two is no token any more, and the rest of it soon guessed.
 */
export const shortWords = (text: string, charactersMax = 200): string => hideTokens(text).slice(0, charactersMax);

/**
 * A single value of a vendor's as a text. Of an object or a list nothing but what it is: its own `toString` may be anything that the
 * vendor wrote, and no function.
 */
export const wordOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? (Array.isArray(value) ? "a list" : "an object") : String(value);

/** One word of a vendor's between quotation marks, as in “the status "…" is not listed”. */
export const quoted = (word: string): string => JSON.stringify(shortWords(word, 60));
