/** RFC 4180, for spreadsheets. */

/** A cell that begins like this is a formula to a spreadsheet (OWASP, CSV injection); the apostrophe makes it a text. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;
/** Numbers are not formulas and must stay summable. */
const NUMBER = /^-?\d+\.\d{2}$/;
/**
 * A text that a spreadsheet would take for a number or a date: it drops zeros in front, writes more than 11 digits as 2.34E+12, and
 * reads 1-2 as a day.
 */
const LIKE_A_NUMBER = /^\d[\d\s.,:/-]*(?:[eE][\d+-]+)?$/;

/** A number with two decimal places, or a text. */
export const cell = (text: string): string => quoted(FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

/** A text that stays one, also where it looks like a number: a phone, a meter, a reference. */
export const textCell = (text: string): string =>
  quoted(FORMULA.test(text) || LIKE_A_NUMBER.test(text) ? `'${text}` : text);

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const csvLine = (cells: readonly string[]): string => `${cells.join(",")}\r\n`;

/** Without it, Excel takes UTF-8 for the code page of its machine, and ₦ for three other letters. */
export const UTF8_MARK = "\ufeff";
