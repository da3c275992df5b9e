import { parse } from "csv-parse/sync";
import { ok, type Result, refuse } from "../kernel/result.ts";

/** A line of a CSV file. */
export interface Row {
  /** As an editor counts; of a line with a quoted line break, the last. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface Table {
  readonly delimiter: string;
  readonly heading: Row;
  /** What stands below the headings, without empty lines and further headings: exports are put together. */
  readonly rows: readonly Row[];
}

/** With a decimal comma, spreadsheets separate columns by semicolons. */
const DELIMITERS = [",", ";", "\t", "|"] as const;
/** There may be title lines above the headings. */
const HEADING_LINES = 10;

/**
 * Reads a table by whichever delimiter gives it headings. Refuses with the first line as it stands, for the caller to say what is
 * missing, or with a fault of the CSV.
 */
export function readTable(
  text: string,
  isHeading: (row: Row) => boolean,
): Result<Table, { readonly fault?: string; readonly first?: Row }> {
  const delimiter = DELIMITERS.find((candidate) => {
    const start = parseRows(text, candidate, HEADING_LINES);
    return start.ok && start.value.some(isHeading);
  });
  const parsed = parseRows(text, delimiter ?? ",");
  if (!parsed.ok) return refuse({ fault: `it is no CSV: ${parsed.error}` });
  const rows = parsed.value;
  const start = rows.slice(0, HEADING_LINES).findIndex(isHeading);
  const heading = rows[start];
  if (delimiter === undefined || !heading) return refuse(rows[0] ? { first: rows[0] } : {});
  const isAgain = ({ cells }: Row): boolean => cells.every((cell, place) => cell === (heading.cells[place] ?? ""));
  return ok({ delimiter, heading, rows: rows.slice(start + 1).filter((row) => !isAgain(row)) });
}

function parseRows(text: string, delimiter: string, rows?: number): Result<readonly Row[], string> {
  try {
    const parsed = parse(text, {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      // Of `="0123"` the quotes stand in the middle.
      relax_quotes: true,
      skip_empty_lines: true,
      trim: delimiter !== "\t",
      ...(rows !== undefined && { to: rows }),
    }) as unknown as readonly { readonly record: readonly string[]; readonly info: { readonly lines: number } }[];
    const all = parsed.map(({ record, info }) => ({ line: info.lines, cells: record.map(cellOf) }));
    return ok(all.filter(({ cells }) => cells.some((cell) => cell !== "")));
  } catch (error) {
    return refuse((error as Error).message);
  }
}

/** White space that no eye sees: of the byte order mark that a file put behind another brings along, too. */
const UNSEEN = /^[\s\u00a0\u200b-\u200f\u2060\ufeff]+|[\s\u00a0\u200b-\u200f\u2060\ufeff]+$/g;

/** A cell without its text marker for spreadsheets: `="0123"`, `'0123`. */
function cellOf(written: string): string {
  const text = written.replaceAll(UNSEEN, "");
  const [, formula] = /^="((?:[^"]|"")*)"$/.exec(text) ?? [];
  if (formula !== undefined) return formula.replaceAll('""', '"').replaceAll(UNSEEN, "");
  return /^'[^']/.test(text) ? text.replace(/^'|'$/g, "").replaceAll(UNSEEN, "") : text;
}
