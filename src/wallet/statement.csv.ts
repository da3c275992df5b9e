import type { StatementLine } from "./statement.schemas.ts";

/** RFC 4180, for spreadsheets. */

/** The columns by heading. Money is a number with two decimal places, in `currency`. */
const COLUMNS = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  at: ({ at }) => at,
  amount: ({ amount }) => amount.amount,
  currency: ({ amount }) => amount.currency,
  order_id: ({ order_id }) => order_id,
  bulk_id: ({ bulk_id }) => bulk_id,
  reason: ({ reason }) => reason,
  balance_after: ({ balance_after }) => balance_after.amount,
  held_change: ({ held_change }) => held_change.amount,
  held_after: ({ held_after }) => held_after.amount,
  available_after: ({ available_after }) => available_after.amount,
} satisfies Record<string, (line: StatementLine) => string | undefined>;

export const CSV_COLUMNS = Object.keys(COLUMNS);

export const CSV_HEAD = `${CSV_COLUMNS.join(",")}\r\n`;

export const csvOf = (line: StatementLine): string =>
  `${Object.values(COLUMNS)
    .map((read) => cell(read(line) ?? ""))
    .join(",")}\r\n`;

/** A cell that begins like this is a formula to a spreadsheet (OWASP, CSV injection); the apostrophe makes it a text. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;
/** Numbers are not formulas and must stay summable. */
const NUMBER = /^-?\d+\.\d{2}$/;

function cell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
