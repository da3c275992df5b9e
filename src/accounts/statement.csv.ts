/** RFC 4180, for spreadsheets. */

const HEADS = [
  "id",
  "kind",
  "at",
  "amount",
  "currency",
  "order_id",
  "bulk_id",
  "reason",
  "balance_after",
  "held_after",
  "available_after",
] as const;

export type CsvLine = Readonly<Partial<Record<(typeof HEADS)[number], string>>>;

export const CSV_HEAD = `${HEADS.join(",")}\r\n`;

export const csvOf = (line: CsvLine): string => `${HEADS.map((head) => cell(line[head] ?? "")).join(",")}\r\n`;

/** A cell that begins like this is a formula to a spreadsheet (OWASP, CSV injection); the apostrophe makes it a text. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
