/**
 * What in an answer shows that its vendor has our reference, whatever it decides. It only ever holds a purchase, so texts may be read
 * for it, which decide nothing else.
 */

/** A sentence; no more of a vendor's text is looked at. */
const WORDS_MAX = 300;

/** `CUSTOM_IDENTIFIER`, `orderId` and `request-id` as words. */
const inWords = (text: string): string =>
  text
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .toLowerCase();

const REFERENCE = "(?:id|identifier|ref|reference)";
const USED_AFTER = new RegExp(
  `\\b(?:${REFERENCE}|request|order|transaction)\\b.*(?<!\\bnot )\\balready (?:been )?(?:used|exists?|existed|received|processed|submitted|taken|in use)\\b`,
  "s",
);
const USED_BEFORE = new RegExp(
  `\\b(?:duplicated?|reused|repeated)(?: (?:request|order|transaction|custom|client|unique))? ${REFERENCE}\\b`,
);

/** Whether a vendor says in words that the reference was used before: “Request ID already exists”. Not of a purchase like another. */
export function saysUsed(text: string): boolean {
  const words = inWords(text.slice(0, WORDS_MAX));
  return USED_AFTER.test(words) || USED_BEFORE.test(words);
}

/** Whether an answer that can't be read (a torn one) still has our reference and a number of the vendor's, under this name, beside it. */
export const showsNumber = (text: string, reference: string, name: string): boolean =>
  text.includes(JSON.stringify(reference)) &&
  new RegExp(`"${name}"\\s*:\\s*"?(?=[A-Za-z]*\\d)[A-Za-z0-9-]{3}`).test(text);
