import type { Kobo } from "../kernel/kobo.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { StatementColumn, StatementFormat, StatementStatus } from "../providers/provider.ts";
import { amountReader } from "./statement-amount.ts";
import { type Row, readTable } from "./statement-rows.ts";
import { timeReader } from "./statement-time.ts";

/** One line of a vendor's statement. */
export interface StatementLine {
  /** As an editor counts. */
  readonly line: number;
  readonly reference: string | undefined;
  readonly id: string | undefined;
  readonly amountKobo: Kobo | undefined;
  readonly costKobo: Kobo | undefined;
  /** Undefined: the vendor's word is not one that we know. */
  readonly status: StatementStatus | undefined;
  /** As it stands there. */
  readonly word: string;
  readonly at: Date | undefined;
  /** The end of the day, minute or second that `at` is the beginning of. */
  readonly until: Date | undefined;
  /** All cells: a line is the repeat of another only when all of it is the same. */
  readonly cells: readonly string[];
}

/** Headings that the operator names, where a vendor's export has others than we know. */
export type ColumnNames = Readonly<Partial<Record<StatementColumn, string>>>;

const REQUIRED: readonly StatementColumn[] = ["reference", "status"];
const COLUMNS: readonly StatementColumn[] = ["reference", "id", "amount", "cost", "status", "at"];
const FAULTS_MAX = 10;

/** Reads the whole statement, or tells what of it can't be read: a comparison with half of it would accuse the vendor. */
export function readStatement(
  text: string,
  format: StatementFormat,
  names: ColumnNames = {},
): Result<readonly StatementLine[], readonly string[]> {
  const table = readTable(text, (row) => REQUIRED.every((name) => placesOf(name, row).length > 0));
  if (!table.ok) return refuse([table.error.fault ?? noHeadings(table.error.first)]);
  const { delimiter, heading } = table.value;
  const places = new Map(COLUMNS.map((name) => [name, placesOf(name, heading)]));
  const absent = COLUMNS.filter((name) => names[name] !== undefined && places.get(name)!.length === 0);
  if (absent.length > 0)
    return refuse(absent.map((name) => `no column is called "${names[name]}" (--column ${name}=…)`));
  const twice = COLUMNS.filter((name) => places.get(name)!.length > 1);
  if (twice.length > 0)
    return refuse(
      twice.map((name) => `${places.get(name)!.length} columns are called "${heading.cells[places.get(name)![0]!]}"`),
    );

  const cellOf = ({ cells }: Row, name: StatementColumn): string | undefined =>
    cells[places.get(name)![0] ?? -1] || undefined;
  const isTotal = (row: Row): boolean =>
    cellOf(row, "status") === undefined &&
    cellOf(row, "at") === undefined &&
    ((cellOf(row, "reference") === undefined && cellOf(row, "id") === undefined) || isTotalled(row));
  const rows = table.value.rows.filter((row) => !isTotal(row));
  const written = (...columns: readonly StatementColumn[]): readonly string[] =>
    rows.flatMap((row) => columns.flatMap((name) => cellOf(row, name) ?? []));
  const amountOf = amountReader(written("amount", "cost"), delimiter);
  const spanOf = timeReader(written("at"), format.timeZone);

  const faults: string[] = [];
  const lines = rows.map((row): StatementLine => {
    const { line, cells } = row;
    const told = <T extends object | bigint>(
      name: StatementColumn,
      read: (text: string) => T | { readonly why: string },
    ) => {
      const cell = cellOf(row, name);
      const value = cell === undefined ? undefined : read(cell);
      if (typeof value !== "object" || !("why" in value)) return value;
      faults.push(`line ${line}: ${JSON.stringify(cell!.slice(0, 60))} ${value.why}`);
      return undefined;
    };
    const last = cells.findLastIndex((cell) => cell !== "");
    if (cells.length < heading.cells.length || last >= heading.cells.length)
      faults.push(`line ${line} has ${cells.length} columns, the headings are ${heading.cells.length}`);
    const named = cellOf(row, "reference") ?? cellOf(row, "id");
    if (named !== undefined && SCIENTIFIC.test(named))
      faults.push(`line ${line}: a spreadsheet has rounded ${JSON.stringify(named)}; ${AS_IT_COMES}`);
    const word = cellOf(row, "status") ?? "";
    const known = word.toLowerCase();
    const span = told("at", spanOf);
    return {
      line,
      reference: cellOf(row, "reference"),
      id: cellOf(row, "id"),
      amountKobo: told("amount", amountOf),
      costKobo: told("cost", amountOf),
      status: Object.hasOwn(format.statuses, known) ? format.statuses[known] : undefined,
      word,
      at: span?.from,
      until: span?.until,
      cells,
    };
  });
  if (faults.length > FAULTS_MAX)
    return refuse([...faults.slice(0, FAULTS_MAX), `and ${faults.length - FAULTS_MAX} more`]);
  return faults.length > 0 ? refuse(faults) : ok(lines);

  /** All columns under the first of the headings that is there. */
  function placesOf(name: StatementColumn, { cells }: Row): readonly number[] {
    const wanted = names[name] === undefined ? format.columns[name] : [names[name]];
    const headings = cells.map(plain);
    const there = wanted.map(plain).find((heading) => headings.includes(heading));
    return headings.flatMap((heading, place) => (heading === there ? [place] : []));
  }

  function noHeadings(first: Row | undefined): string {
    const needed = REQUIRED.map((name) => `${name} (${format.columns[name].join(", ")})`).join(" and ");
    const found = first ? `the first line has ${first.cells.map((cell) => `"${cell}"`).join(", ")}` : "it is empty";
    return `no line of headings with ${needed}; ${found}. Name a column with --column reference="Its Heading"`;
  }
}

const plain = (heading: string): string => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** What people and spreadsheets put below a table: its first words say so. */
const TOTAL = /^(?:(?:grand|sub|page|net)[\s-]*)?(?:totals?|sums?|count|summary|(?:opening|closing)\s+balance)\b/i;
const isTotalled = ({ cells }: Row): boolean => TOTAL.test(cells.find((cell) => cell !== "") ?? "");

/** How a spreadsheet shows a long number: with six digits of it. */
const SCIENTIFIC = /^\d(?:[.,]\d+)?E[+-]\d+$/i;
const AS_IT_COMES = "give the statement as the vendor exports it, not as a spreadsheet saved it";
const EXACT_DIGITS = 15;

/** Whether a spreadsheet has rounded a number: `1.74464E+25`, or one of 18 digits and more with zeros from the 16th on. */
export const isRounded = (text: string): boolean =>
  SCIENTIFIC.test(text) || (/^\d{18,}$/.test(text) && /^0+$/.test(text.slice(EXACT_DIGITS)));

export const roundedReferences = (references: readonly string[]): string =>
  `a spreadsheet has rounded ${references.slice(0, 3).join(", ")}${references.length > 3 ? ` and ${references.length - 3} more` : ""}; ${AS_IT_COMES}`;
