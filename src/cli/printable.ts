/**
 * Texts of subscribers and vendors are shown to an operator, whose terminal obeys control characters: what could move the
 * cursor, start a new row or turn text around is shown by its code. C0 and C1 controls, DEL, line and paragraph separators,
 * and the bidirectional formatting characters of Unicode (UAX #9).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const byCode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A whole text: its line breaks are ours and stay. In JSON the codes are escapes, so nothing else changes. */
export const printable = (text: string): string => text.replace(OBEYED, byCode);

/** One cell of a table: a line break in it would look like another row. */
export const printableCell = (text: string): string => printable(text).replaceAll("\n", "\\n");
