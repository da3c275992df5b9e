import type { Steps } from "../kernel/slices.ts";

/**
 * Lists as PostgreSQL reads them (documentation, section 8.15.6). The driver writes the same at several times the cost, which was a
 * fifth of all that an SMS allocated, and blocks the event loop until a long one is done.
 */
export type Cell = string | number | bigint | boolean | Date | Buffer | null;

const PLAIN = new Set(["string", "number", "bigint", "boolean"]);

export const isCell = (value: unknown): value is Cell =>
  value === null || PLAIN.has(typeof value) || value instanceof Date || value instanceof Buffer;

export function arrayLiteral(cells: readonly Cell[]): string {
  const write = makeCellWriter();
  return `{${cells.map(write).join(",")}}`;
}

const CELLS_A_STEP = 500;

export function* arrayLiteralInSteps(cells: readonly Cell[]): Steps<string> {
  const write = makeCellWriter();
  const parts: string[] = [];
  for (const [index, cell] of cells.entries()) {
    parts.push(write(cell));
    if (index % CELLS_A_STEP === 0) yield;
  }
  return `{${parts.join(",")}}`;
}

/** The rows of a batch have most in common: what is the same as before is not written anew. */
function makeCellWriter(): (cell: Cell) => string {
  let last: Cell | undefined;
  let text = "";
  return (cell) => {
    if (cell !== last) text = cellText(cell);
    last = cell;
    return text;
  };
}

function cellText(cell: Cell): string {
  if (cell === null) return "NULL";
  if (typeof cell === "string") return `"${SPECIAL.test(cell) ? cell.replaceAll(EACH_SPECIAL, "\\$&") : cell}"`;
  // An invalid time is left to the server, whose refusal is of this one row.
  if (cell instanceof Date) return `"${Number.isNaN(cell.getTime()) ? "invalid" : cell.toISOString()}"`;
  if (cell instanceof Buffer) return `"\\\\x${cell.toString("hex")}"`;
  return String(cell);
}

const SPECIAL = /["\\]/;
const EACH_SPECIAL = /["\\]/g;
