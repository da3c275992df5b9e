import { type Fields, fieldsOf, textOf } from "../../vendor-text/fields.ts";
import { shortWords } from "../../vendor-text/words.ts";

/** The vendor's own words, short: they are shown to people. */
export const wordsOf = (body: Fields): string =>
  shortWords([textOf(body, ["code"]), textOf(body, ["response_description"])].filter(Boolean).join(" "));

export const transactionOf = (body: Fields): Fields => fieldsOf(fieldsOf(body.content).transactions);
