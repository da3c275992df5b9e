import { type Fields, textOf } from "../../kernel/vendor-fields.ts";

const WORDS_MAX = 200;

/** The vendor's own words, short: they are shown to people. */
export const wordsOf = (body: Fields): string =>
  [textOf(body, ["code"]), textOf(body, ["response_description"])].filter(Boolean).join(" ").slice(0, WORDS_MAX);
