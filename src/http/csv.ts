import { makeFairRoom } from "../kernel/fair-room.ts";

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

/** Exports take turns page by page: two pages are read at once, one of an account, however many are asked for. */
const TURNS = { capacity: 2, each: 1, waitingMax: 1_000, waitingEach: 300, waitMs: 120_000 } as const;

/** Reads one page of an account's export when it is its turn. */
export type ReadInTurn = <Page>(accountId: string, read: () => Promise<Page>) => Promise<Page>;

export function makeExportTurns(): ReadInTurn {
  const room = makeFairRoom(TURNS);
  return async (accountId, read) => {
    const leave = await room.enter(accountId, 1);
    // The answer has begun, so all that can be done is to break it off: a file that ends early is not taken for a whole one.
    if (!leave) throw new Error("an export waited too long for its next page");
    // The turn ends before the page is handed on: whoever does not read it keeps nobody waiting.
    return read().finally(leave);
  };
}
