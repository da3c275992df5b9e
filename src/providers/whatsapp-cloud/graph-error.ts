import { type Fields, fieldsOf, readFields } from "../../vendor-text/fields.ts";
import { shortWords } from "../../vendor-text/words.ts";

/** Its number, as digits; empty when there is none. */
export function codeOf(error: Fields): string {
  const { code } = error;
  return typeof code === "number" || typeof code === "string" ? shortWords(String(code), 20) : "";
}

/** The code of a whole answer that is an error. */
export const codeIn = (text: string): string => codeOf(fieldsOf(readFields(text)?.error));

/** What Meta says of an error object, short: it is shown to people. Titles are going away, `details` stay. */
export function wordsOf(error: Fields): string {
  const { details } = fieldsOf(error.error_data);
  const said = [details, error.message, error.title].find((text) => typeof text === "string" && text.trim() !== "");
  // Messages repeat the code in front.
  const text = typeof said === "string" ? said.replace(/^\(#\d+\)\s*/, "") : "";
  return shortWords(`#${codeOf(error)} ${text}`.trim());
}
