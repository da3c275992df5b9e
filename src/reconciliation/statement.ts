import { parse } from "csv-parse/sync";
import type { Kobo } from "../kernel/kobo.ts";
import { kobo } from "../kernel/kobo.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { readVendorNaira } from "../kernel/vendor-naira.ts";
import type { StatementColumn, StatementFormat, StatementStatus } from "../providers/provider.ts";

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
}

/** Headings that the operator names, where a vendor's export has others than we know. */
export type ColumnNames = Readonly<Partial<Record<StatementColumn, string>>>;

const REQUIRED: readonly StatementColumn[] = ["reference", "status"];
/** A title or two may stand above the headings. */
const HEADING_LINES = 10;
const FAULTS_MAX = 10;

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reads the whole statement, or tells what of it can't be read: a comparison with half of it would accuse the vendor. */
export function readStatement(
  text: string,
  format: StatementFormat,
  names: ColumnNames = {},
): Result<readonly StatementLine[], readonly string[]> {
  const parsed = parseRows(text);
  if (!parsed.ok) return parsed;
  const rows = parsed.value;
  const start = rows.slice(0, HEADING_LINES).findIndex((row) => REQUIRED.every((name) => placeOf(name, row) >= 0));
  const heading = rows[start];
  if (!heading) return refuse([noHeadings(rows[0])]);
  const places = new Map(COLUMNS.map((name) => [name, placeOf(name, heading)]));
  const absent = COLUMNS.filter((name) => names[name] !== undefined && places.get(name)! < 0);
  if (absent.length > 0)
    return refuse(absent.map((name) => `no column is called "${names[name]}" (--column ${name}=…)`));

  const faults: string[] = [];
  const lines = rows.slice(start + 1).map(({ line, cells }): StatementLine => {
    const cell = (name: StatementColumn): string | undefined => cells[places.get(name)!]?.trim() || undefined;
    const told = <T>(name: StatementColumn, read: (text: string) => T | undefined, what: string): T | undefined => {
      const written = cell(name);
      const value = written === undefined ? undefined : read(written);
      if (written !== undefined && value === undefined)
        faults.push(`line ${line}: ${JSON.stringify(written.slice(0, 60))} is no ${what}`);
      return value;
    };
    if (cells.length !== heading.cells.length)
      faults.push(`line ${line} has ${cells.length} columns, the headings are ${heading.cells.length}`);
    const word = cell("status") ?? "";
    const known = word.toLowerCase();
    return {
      line,
      reference: cell("reference"),
      id: cell("id"),
      amountKobo: told("amount", readAmount, "amount"),
      costKobo: told("cost", readAmount, "amount"),
      status: Object.hasOwn(format.statuses, known) ? format.statuses[known] : undefined,
      word,
      at: told("at", (written) => readTime(written, format.timeZone), "time (2026-10-03 14:07, or with a zone)"),
    };
  });
  if (faults.length > FAULTS_MAX)
    return refuse([...faults.slice(0, FAULTS_MAX), `and ${faults.length - FAULTS_MAX} more`]);
  return faults.length > 0 ? refuse(faults) : ok(lines);

  function placeOf(name: StatementColumn, { cells }: Row): number {
    const wanted = names[name] === undefined ? format.columns[name] : [names[name]];
    const headings = cells.map(plain);
    for (const heading of wanted) {
      const place = headings.indexOf(plain(heading));
      if (place >= 0) return place;
    }
    return -1;
  }

  function noHeadings(first: Row | undefined): string {
    const needed = REQUIRED.map((name) => `${name} (${format.columns[name].join(", ")})`).join(" and ");
    const found = first ? `the first line has ${first.cells.map((cell) => `"${cell}"`).join(", ")}` : "it is empty";
    return `no line of headings with ${needed}; ${found}. Name a column with --column reference="Its Heading"`;
  }
}

const COLUMNS: readonly StatementColumn[] = ["reference", "id", "amount", "cost", "status", "at"];

const plain = (heading: string): string => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

function parseRows(text: string): Result<readonly Row[], readonly string[]> {
  try {
    const rows = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as readonly { readonly record: readonly string[]; readonly info: { readonly lines: number } }[];
    return ok(rows.map(({ record, info }) => ({ line: info.lines, cells: record })));
  } catch (error) {
    return refuse([`it is no CSV: ${(error as Error).message}`]);
  }
}

/** Some exports put the currency before an amount, and a minus before what was taken. */
function readAmount(written: string): Kobo | undefined {
  const amount = readVendorNaira(written.replace(/^(-?)\s*(?:NGN|₦|N)\s*/i, "$1"));
  return amount === undefined ? undefined : kobo(amount < 0n ? -amount : amount);
}

const ZONED = /(?:Z|[+-]\d{2}:?\d{2})$/;
const LOCAL = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?$/;

function readTime(written: string, timeZone: string): Date | undefined {
  try {
    if (ZONED.test(written) && /^\d{4}-/.test(written))
      return new Date(Temporal.Instant.from(written.replace(" ", "T")).epochMilliseconds);
    const [, day, time = "00:00"] = LOCAL.exec(written) ?? [];
    if (day === undefined) return undefined;
    return new Date(Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(timeZone).epochMilliseconds);
  } catch {
    return undefined;
  }
}
