import type { Order } from "../orders/order.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import { sayRepeats } from "../orders/throttled.ts";
import { acceptedState, SMS } from "./sms.definition.ts";

/** How the life of a message is told to subscribers. */

interface Entry {
  readonly status: string;
  readonly at: string;
  detail?: string;
}

/**
 * Every state in order. A message that was not marked before its call gets its `sending` from the record of the answer. What
 * changed nothing is told as a note, with the state that the message was in, and its repeats are counted there.
 */
export function timelineView(order: Order, rows: readonly TimelineRow[]): Entry[] {
  const entries: Entry[] = [{ status: acceptedState(order), at: order.createdAt.toISOString() }];
  const seen = new Map<string, { readonly entry: Entry; readonly detail: string; repeats: number }>();
  const parts = new PartWords(order);
  for (const row of rows) {
    const begunAt = row.detail?.begun_at;
    // Nor has one that was begun once more after it was throttled a row of that.
    const isUntold = row.previous_status === "sending" && entries.at(-1)?.status !== "sending";
    if (typeof begunAt === "string" && (row.previous_status === "queued" || isUntold))
      entries.push({ status: "sending", at: begunAt });

    const isWord = row.detail !== null && ("report" in row.detail || "late_answer" in row.detail);
    const movesPart = parts.learn(row.detail);
    const isNote = isWord && row.status === row.previous_status && !movesPart;
    const said = saidOnce(row.detail);
    const earlier = isNote ? seen.get(said) : undefined;
    if (earlier) {
      earlier.repeats += 1;
      earlier.entry.detail = `${earlier.detail}; repeated ${earlier.repeats === 1 ? "once" : `${earlier.repeats} times`}`;
      continue;
    }
    const words = sayDetail(row.detail, parts.several);
    if (isNote) words.push("nothing changed");
    const detail = words.length > 0 ? words.join("; ") : whyEnded(order, row);
    const entry: Entry = { status: row.status, at: row.at.toISOString(), ...(detail !== undefined && { detail }) };
    entries.push(entry);
    if (isWord) seen.set(said, { entry, detail: detail ?? "", repeats: 0 });
  }
  return entries;
}

/** An end that no vendor spoke of (the validity ran out, the account was suspended) is told by its failure. */
const whyEnded = (order: Order, row: TimelineRow): string | undefined =>
  order.endedAt !== null && row.status === order.state && row.previous_status !== order.state
    ? (order.facts?.failure as { detail: string } | undefined)?.detail
    : undefined;

/** What a vendor said, without when: equal for repeats. */
const saidOnce = (detail: TimelineRow["detail"]): string =>
  JSON.stringify([detail?.piece, detail?.report, detail?.answer, detail?.late_answer, detail?.attempt]);

/** The last word on each part of a long message, which may change while the message's own state stays. */
class PartWords {
  readonly several: boolean;
  readonly #words = new Map<number, string>();

  constructor(order: Order) {
    this.several = (order.pieces?.length ?? 1) > 1;
  }

  /** Whether this is news about a part: the first word beyond its having been sent, and the last after a final one. */
  learn(detail: TimelineRow["detail"]): boolean {
    if (!this.several || typeof detail?.piece !== "number" || typeof detail.report !== "string") return false;
    const known = this.#words.get(detail.piece) ?? "sent";
    if (known === detail.report || SMS.reports.final.has(known)) return false;
    this.#words.set(detail.piece, detail.report);
    return true;
  }
}

function sayDetail(detail: TimelineRow["detail"], several: boolean): string[] {
  if (!detail) return [];
  const words: string[] = [];
  const { report, piece, answer, late, until, late_answer: lateAnswer, lost_answers: lostAnswers, resolved } = detail;
  if (typeof piece === "number" && several) words.push(`part ${piece + 1}`);
  if (typeof report === "string") words.push(`${late ? "late report" : "report"}: ${report}`);
  if (typeof answer === "string") words.push(answer);
  const repeats = sayRepeats(detail);
  if (repeats !== undefined) words.push(repeats);
  if (typeof lateAnswer === "string") words.push(`an earlier try was answered late: ${lateAnswer}`);
  if (typeof lostAnswers === "number") words.push(`trying again (${lostAnswers} lost)`);
  // The proof is between the operator and the vendor.
  if (typeof resolved === "string") words.push("settled by the operator");
  if (typeof until === "string") words.push(`waits until ${until}`);
  return words;
}
