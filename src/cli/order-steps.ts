import type { Attempt } from "../cases/cases.repo.ts";
import { isAnswerEntry } from "../orders/answer-entry.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import { wordsOf } from "./report.ts";

/** One line of an order's history, for people. */
export interface ShownStep {
  readonly at: Date;
  readonly step: string;
  readonly note: string;
}

type Row = Pick<TimelineRow, "at" | "status" | "previous_status" | "detail">;

/** What a vendor says in a row that has nothing but the route, and the time of a call, by the state that it leaves. */
const WORDLESS: Readonly<Record<string, string>> = {
  token_pending: "delivered; the token has not come",
  failed: "delivered, after its money had gone back",
};
const TAKEN = "taken; no end is told";

/** State by state, as the order went. */
export const stepsOf = (rows: readonly Row[]): readonly ShownStep[] =>
  rows.map(({ at, previous_status: from, status, detail }) => ({
    at,
    step: `${from ? `${from} → ` : ""}${status}`,
    note: detail ? wordsOf(detail) : "",
  }));

/**
 * A purchase stays in its state while its vendor is called and asked, perhaps for days: those rows say what was done, and
 * questions one after another with the same answer are one line.
 */
export function purchaseSteps(rows: readonly Row[], attempts: readonly Attempt[]): readonly ShownStep[] {
  const begun = new Map(attempts.map((attempt) => [attempt.begunAt.getTime(), attempt]));
  // A repeated call has no attempt of its own, and its row has the moment that its answer names.
  const calls = new Set([...begun.keys(), ...rows.flatMap((row) => (callIn(row, begun) ? row.at.getTime() : []))]);
  const shown: ShownStep[] = [];
  let asked: { readonly said: string; readonly first: Date; times: number } | undefined;
  for (const row of rows) {
    const said = row.previous_status === row.status ? saidIn(row) : undefined;
    const isCall = typeof row.detail?.begun_at === "string" && calls.has(Date.parse(row.detail.begun_at));
    if (said === undefined || isCall) {
      asked = undefined;
      shown.push(
        said === undefined ? (callIn(row, begun) ?? stepsOf([row])[0]!) : { at: row.at, step: "answered", note: said },
      );
      continue;
    }
    if (asked?.said === said) {
      asked.times += 1;
      const note = `last at ${row.at.toISOString()}: ${said}`;
      shown[shown.length - 1] = { at: asked.first, step: `asked ${asked.times} times`, note };
      continue;
    }
    asked = { said, first: row.at, times: 1 };
    shown.push({ at: row.at, step: "asked", note: said });
  }
  return shown;
}

/** What the vendor said to the call, or to a question, that left the order where it was. */
function saidIn({ status, detail }: Row): string | undefined {
  if (!detail) return undefined;
  const said = detail.answer ?? detail.requery;
  if (typeof said === "string") return said;
  return isAnswerEntry(detail) ? (WORDLESS[status] ?? TAKEN) : undefined;
}

/** An attempt leaves a row when it is committed, before the vendor is called. One that was never heard goes again as it is. */
function callIn({ at, previous_status: from, status, detail }: Row, begun: ReadonlyMap<number, Attempt>) {
  if (from !== status || detail) return undefined;
  const first = begun.get(at.getTime());
  const attempt = first ?? [...begun.values()].findLast(({ begunAt }) => begunAt < at);
  return attempt && { at, step: `sent ${first ? "" : "again "}to ${attempt.route}`, note: `as ${attempt.reference}` };
}
