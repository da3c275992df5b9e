import type { Refusal } from "../kernel/refusal.ts";
import { printableCell } from "./printable.ts";

/** A command's result: text, JSON and exit code. */
export interface Report {
  readonly text: string;
  /** Printed with `--json`. Amounts are decimal strings in naira, times RFC 3339. */
  readonly json: unknown;
  /** False: a problem was found, or the subject does not exist. Exit code 1. */
  readonly ok: boolean;
}

/** The command could not run or was called incorrectly: exit code 2, the message without a stack. */
export class CannotRun extends Error {}

/** Refused by a rule of the gateway: exit code 1, nothing was changed. */
export const refusedReport = ({ code, detail, errors }: Refusal): Report => ({
  ok: false,
  json: { ok: false, code, detail, ...(errors && { errors }) },
  text: detail,
});

/** Columns as wide as their widest cell; the last one has no limit. */
export function tableText(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows].map((row) => row.map(printableCell));
  const widths = heads.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? "")].length)));
  return all
    .map((row) => row.map((cell, column) => cell + " ".repeat(widths[column]! - [...cell].length)).join("  "))
    .map((line) => line.trimEnd())
    .join("\n");
}

/** A terminal's default width. */
const LINE_WIDTH = 80;
const NOTE_INDENT = "    ";

/** A table with long or rare facts below each row, so that its columns fit a terminal. */
export function tableWithNotes(
  heads: readonly string[],
  rows: readonly { readonly cells: readonly string[]; readonly notes: readonly string[] }[],
): string {
  const [head, ...lines] = tableText(
    heads,
    rows.map(({ cells }) => cells),
  ).split("\n");
  const withNotes = rows.flatMap(({ notes }, row) => [
    lines[row],
    ...notes.filter((note) => note !== "").flatMap(noteLines),
  ]);
  return [head, ...withNotes].join("\n");
}

function noteLines(note: string): readonly string[] {
  const lines: string[] = [];
  for (const word of printableCell(note).split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && NOTE_INDENT.length + [...longer].length <= LINE_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => NOTE_INDENT + line);
}

/** A JSON object in words: `network mtn; scopes read send`. */
export const wordsOf = (details: object): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${wordOf(value)}`)
    .join("; ");

const wordOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(wordOf).join(" ")
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

/** A time to the second: `2026-11-27T09:05:00Z`. */
export const timeText = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;
