import type { Kobo } from "../kernel/kobo.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { StatementColumn, StatementFormat, StatementStatus } from "../ports/provider.ts";
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
  /** Undefined: an unknown status word of the vendor's. */
  readonly status: StatementStatus | undefined;
  /** As it stands there. */
  readonly word: string;
  readonly at: Date | undefined;
  /** The end of the day, minute or second that starts at `at`. */
  readonly until: Date | undefined;
  /** All cells: only identical lines are repeats. */
  readonly cells: readonly string[];
}

/** The operator's headings, for an export with unknown ones. */
export type ColumnNames = Readonly<Partial<Record<StatementColumn, string>>>;

const REQUIRED: readonly StatementColumn[] = ["reference", "status"];
const COLUMNS: readonly StatementColumn[] = ["reference", "id", "amount", "cost", "status", "at"];
const FAULTS_MAX = 10;

/** Reads the whole statement, or returns its faults: comparing half of it would accuse the vendor wrongly. */
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
  const cellsOf = ({ cells }: Row): TotalCells => {
    const label = cells.findIndex((cell) => cell !== "");
    // Where the label stands its column says nothing.
    const told = (name: StatementColumn) => {
      const place = places.get(name)![0] ?? -1;
      return (place === label && TOTAL.test(cells[label] ?? "") ? undefined : cells[place]) || undefined;
    };
    return {
      label: cells[label] ?? "",
      reference: told("reference"),
      id: told("id"),
      status: told("status"),
      at: told("at"),
    };
  };
  const kinds = new Map(table.value.rows.map((row) => [row, rowKind(cellsOf(row))]));
  const kept = table.value.rows.filter((row) => kinds.get(row) !== "total");
  const rows = kept.filter((row) => kinds.get(row) === "line");
  const written = (...columns: readonly StatementColumn[]): readonly string[] =>
    rows.flatMap((row) => columns.flatMap((name) => cellOf(row, name) ?? []));
  const amountOf = amountReader(written("amount", "cost"), delimiter);
  const spanOf = timeReader(written("at"), format.timeZone);

  const faults: string[] = [];
  const lines = kept.map((row): StatementLine => {
    const { line, cells } = row;
    if (kinds.get(row) === "unclear") return { ...NOTHING_TOLD, line, word: cellOf(row, "status") ?? "", cells };
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
/** How many lines it counts. */
const COUNT = /^\d{1,6}(?:\s*\p{L}+)?$/u;

interface TotalCells extends Readonly<Partial<Record<"reference" | "id" | "status" | "at", string | undefined>>> {
  /** The first cell that is filled. */
  readonly label: string;
}

/**
 * `unclear`: it is called a total, and has a number that purchases have. It is not compared, and not left out in silence either. A
 * line of a customer who is called so is a line: it has our reference and a status.
 */
function rowKind({ label, reference, id, status, at }: TotalCells): "line" | "total" | "unclear" {
  if (!TOTAL.test(label)) return [reference, id, status, at].some((cell) => cell !== undefined) ? "line" : "total";
  if (reference !== undefined && !COUNT.test(reference)) return status === undefined ? "unclear" : "line";
  if (id !== undefined) return "unclear";
  return status !== undefined && /\d/.test(label) ? "unclear" : "total";
}

const NOTHING_TOLD = {
  reference: undefined,
  id: undefined,
  amountKobo: undefined,
  costKobo: undefined,
  status: undefined,
  at: undefined,
  until: undefined,
} as const;

/** How a spreadsheet shows a long number: with six digits of it. Without decimals and sign it may be a reference: `2026E10`. */
const SCIENTIFIC = /^(?:\d{1,3}[.,]\d+E[+-]?\d+|\d{1,3}E[+-]\d+)$/i;
const AS_IT_COMES = "give the statement as the vendor exports it, not as a spreadsheet saved it";
const EXACT_DIGITS = 15;

/** Whether a spreadsheet has rounded a number: `1.74464E+25`, or one of 18 digits and more with zeros from the 16th on. */
export const isRounded = (text: string): boolean =>
  SCIENTIFIC.test(text) || (/^\d{18,}$/.test(text) && /^0+$/.test(text.slice(EXACT_DIGITS)));

export const roundedReferences = (references: readonly string[]): string =>
  `a spreadsheet has rounded ${references.slice(0, 3).join(", ")}${references.length > 3 ? ` and ${references.length - 3} more` : ""}; ${AS_IT_COMES}`;
