import type { Database } from "../db/database.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { findAttempts, findAttemptsBetween } from "./attempts.repo.ts";
import { compare, nameOf, wordsOf } from "./compare.ts";
import { type RecordedFinding, recordComparison, type Source } from "./record.ts";
import { isRounded, roundedReferences, type StatementLine } from "./statement.ts";

export interface StatementOptions extends Source {
  readonly lines: readonly StatementLine[];
  /** The period of the statement; default: from its lines' times. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

export interface Compared {
  readonly findings: readonly RecordedFinding[];
  /** Orders to query now, as the vendor has news of them. */
  readonly askedAgain: number;
  readonly references: number;
  /** Line numbers (from 1) of lines without our reference or the vendor's number, and of totals with one. */
  readonly unnamed: readonly number[];
  /** Our attempts in the period. */
  readonly period: { readonly from: Date; readonly to: Date; readonly attempts: number };
}

/** This many references, none of them ours, indicate another account's statement or a wrong column. */
const STRANGE_MIN = 10;

/**
 * Compares our attempts at a vendor with its statement. Run again it finds the same, and makes nothing twice. Refuses a statement
 * that is not of this account, because every line of it would become a case; and one that leaves nothing to compare, or does not say
 * what it covers, because that is no agreement.
 */
export async function compareStatement(db: Database, options: StatementOptions): Promise<Result<Compared, string>> {
  const { provider, lines } = options;
  if (lines.length === 0) return refuse("it has headings and no line below them, so there is nothing to compare");
  const first = earliest(lines.flatMap(({ at }) => at?.getTime() ?? []));
  const last = latest(lines.flatMap(({ until }) => until?.getTime() ?? []));
  const from = options.from ?? first;
  const to = options.to ?? last;
  // All lines about a reference of which one is in the period: a second delivery before it is one, too.
  const isCovered = ({ at, until }: StatementLine): boolean =>
    at === undefined || until === undefined || ((!from || until >= from) && (!to || at <= to));
  const covered = new Set(lines.filter(isCovered).flatMap((line) => nameOf(line) ?? []));
  const words = wordsOf(lines.filter((line) => covered.has(nameOf(line) ?? "")));
  const ours = await findAttempts(
    db,
    provider,
    words.map(({ reference }) => reference),
  );
  const rounded = words.map(({ reference }) => reference).filter((name) => !ours.has(name) && isRounded(name));
  if (rounded.length > 0) return refuse(roundedReferences(rounded));
  if (ours.size === 0 && words.length >= STRANGE_MIN)
    return refuse(
      `none of its ${words.length} references is an attempt of ours at ${provider}: is it that account's, and is the reference in this column?`,
    );
  if (!from || !to)
    return refuse(
      "none of its lines has a time, so what it covers, and what is missing in it, can't be told: give --from and --to",
    );
  if (words.length === 0) return refuse(nothingIn(options, first, last));
  const expected = await findAttemptsBetween(db, provider, from, to);
  const comparison = compare(ours, words, expected);
  return ok({
    findings: await recordComparison(db, comparison, options),
    askedAgain: comparison.askAgain.length,
    references: words.length,
    unnamed: lines.filter((line) => isCovered(line) && nameOf(line) === undefined).map(({ line }) => line),
    period: { from, to, attempts: expected.length },
  });
}

const earliest = (times: readonly number[]): Date | undefined =>
  times.length === 0 ? undefined : new Date(times.reduce((a, b) => Math.min(a, b)));
const latest = (times: readonly number[]): Date | undefined =>
  times.length === 0 ? undefined : new Date(times.reduce((a, b) => Math.max(a, b)));

function nothingIn({ lines, from, to }: StatementOptions, first: Date | undefined, last: Date | undefined): string {
  if (lines.every((line) => nameOf(line) === undefined))
    return "none of its lines has our reference or the vendor's number, so there is nothing to compare";
  const period = [from && `from ${from.toISOString()} on`, to && `until ${to.toISOString()}`].filter(Boolean).join(" ");
  const own = first && last ? `: they are from ${first.toISOString()} to ${last.toISOString()}` : "";
  return `none of its lines is ${period}${own}. There is nothing to compare`;
}
