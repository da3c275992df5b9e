import type { Uuid } from "../kernel/ids.ts";
import type { Steps } from "../kernel/slices.ts";

/** How values become the columns that the database's functions unnest. */

/** An array of nothing but nulls goes as null: `unnest` fills up with nulls, and nothing is written or parsed. */
export const sparse = <Value>(values: readonly (Value | null)[]): readonly (Value | null)[] | null =>
  values.some((value) => value !== null) ? values : null;

export const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

/** Smallest and largest, so that only the partitions between them are looked at. As text they sort like the database's uuid. */
export function boundsOf(ids: readonly Uuid[]): [Uuid, Uuid] {
  let [low, high] = [ids[0]!, ids[0]!];
  for (const id of ids) {
    if (id < low) low = id;
    if (id > high) high = id;
  }
  return [low, high];
}

type Cell = string | number | bigint | boolean | Date | Buffer | null;

const CELLS_A_STEP = 500;

/**
 * A list as PostgreSQL reads it (documentation, section 8.15.6). The driver writes the same, but blocks the event loop until it
 * is done.
 */
export function* arrayLiteral(cells: readonly Cell[]): Steps<string> {
  const parts: string[] = [];
  // The orders of a bulk have most in common: what is the same as before is not written anew.
  let last: Cell | undefined;
  let text = "";
  for (const [index, cell] of cells.entries()) {
    if (cell !== last) text = cellText(cell);
    last = cell;
    parts.push(text);
    if (index % CELLS_A_STEP === 0) yield;
  }
  return `{${parts.join(",")}}`;
}

function cellText(cell: Cell): string {
  if (cell === null) return "NULL";
  if (typeof cell === "string") return `"${SPECIAL.test(cell) ? cell.replaceAll(EACH_SPECIAL, "\\$&") : cell}"`;
  if (cell instanceof Date) return `"${cell.toISOString()}"`;
  if (cell instanceof Buffer) return `"\\\\x${cell.toString("hex")}"`;
  return String(cell);
}

const SPECIAL = /["\\]/;
const EACH_SPECIAL = /["\\]/g;
