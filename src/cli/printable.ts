/**
 * Control characters in texts from subscribers and vendors could move the cursor of the operator's terminal, start a new row or
 * reverse text, so they are printed as codes: C0 and C1 controls, DEL, line and paragraph separators, and the bidirectional
 * formatting characters of Unicode (UAX #9).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const byCode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Escapes a whole report, keeping its own line breaks. The codes are valid JSON escapes. */
export const printable = (text: string): string => text.replace(OBEYED, byCode);

/** Escapes one table cell; a line break in it would look like a new row. */
export const printableCell = (text: string): string => printable(text).replaceAll("\n", "\\n");
