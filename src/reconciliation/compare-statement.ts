import type { Database } from "../db/database.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { findAttempts, findAttemptsBetween } from "./attempts.repo.ts";
import { compare, wordsOf } from "./compare.ts";
import { type RecordedFinding, recordComparison, type Source } from "./record.ts";
import type { StatementLine } from "./statement.ts";

export interface StatementOptions extends Source {
  readonly lines: readonly StatementLine[];
  /** What the statement covers; by its lines' times unless told. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

export interface Compared {
  readonly findings: readonly RecordedFinding[];
  /** Orders that are asked about now, as the vendor knows more. */
  readonly askedAgain: number;
  readonly references: number;
  /** Lines with neither our reference nor the vendor's number. */
  readonly unnamed: number;
  /** What of ours the vendor was to know; undefined when neither lines nor operator say what the statement covers. */
  readonly period: { readonly from: Date; readonly to: Date; readonly attempts: number } | undefined;
}

/** So many references of which none is ours are another account's statement, or another column. */
const STRANGE_MIN = 10;

/**
 * Compares our attempts at a vendor with its statement. Run again it finds the same, and makes nothing twice. Refuses a statement
 * that is not of this account: every line of it would become a case.
 */
export async function compareStatement(db: Database, options: StatementOptions): Promise<Result<Compared, string>> {
  const { provider, lines } = options;
  const times = lines.flatMap(({ at }) => at?.getTime() ?? []);
  const from = options.from ?? earliest(times);
  const to = options.to ?? latest(times);
  const isCovered = (at: Date | undefined): boolean =>
    at === undefined || ((!options.from || at >= options.from) && (!options.to || at <= options.to));
  const words = wordsOf(lines.filter(({ at }) => isCovered(at)));
  const ours = await findAttempts(
    db,
    provider,
    words.map(({ reference }) => reference),
  );
  if (ours.size === 0 && words.length >= STRANGE_MIN)
    return refuse(
      `none of its ${words.length} references is an attempt of ours at ${provider}: is it that account's, and is the reference in this column?`,
    );
  const expected = from && to ? await findAttemptsBetween(db, provider, from, to) : [];
  const comparison = compare(ours, words, expected);
  return ok({
    findings: await recordComparison(db, comparison, options),
    askedAgain: comparison.askAgain.length,
    references: words.length,
    unnamed: lines.filter(({ reference, id }) => reference === undefined && id === undefined).length,
    period: from && to ? { from, to, attempts: expected.length } : undefined,
  });
}

const earliest = (times: readonly number[]): Date | undefined =>
  times.length === 0 ? undefined : new Date(times.reduce((a, b) => Math.min(a, b)));
const latest = (times: readonly number[]): Date | undefined =>
  times.length === 0 ? undefined : new Date(times.reduce((a, b) => Math.max(a, b)));
