import type { Order } from "../orders/order.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import { purchaseStatus } from "./purchase.steps.ts";

interface Entry {
  readonly status: string;
  readonly at: string;
  detail?: string;
}

/** The life of a purchase as it is told to subscribers. Equal words in a row (a vendor that is asked again and again) are one entry. */
export function timelineView(order: Order, rows: readonly TimelineRow[]): Entry[] {
  const entries: Entry[] = [{ status: "processing", at: order.createdAt.toISOString() }];
  let said: { readonly words: string; readonly entry: Entry; times: number } | undefined;
  for (const row of rows) {
    const status = purchaseStatus(row.status);
    const words = wordsOf(row);
    if (words === undefined && row.status === row.previous_status) continue;
    if (said && words === said.words && said.entry.status === status) {
      said.times += 1;
      said.entry.detail = `${words} (${said.times} times)`;
      continue;
    }
    const entry: Entry = { status, at: row.at.toISOString(), ...(words !== undefined && { detail: words }) };
    entries.push(entry);
    said = words === undefined ? undefined : { words, entry, times: 1 };
  }
  return entries;
}

const ENDED: ReadonlySet<string> = new Set(["successful", "failed", "reversed"]);

function wordsOf({ detail, status, previous_status: previous }: TimelineRow): string | undefined {
  if (status === "token_pending" && previous !== "token_pending") return "delivered; its token has not come yet";
  if (!detail) return undefined;
  const { answer, requery, late_answer: late, proof } = detail;
  // What the vendor told the operator, and who, is for the operator.
  if (typeof proof === "string") return "settled by the operator";
  if (typeof late === "string") return `an earlier attempt was answered late: ${late}`;
  // Of what has ended the vendor's other words are for the operator, who has a case.
  if (typeof requery === "string") return ENDED.has(status) ? undefined : `the vendor was asked: ${requery}`;
  if (typeof answer === "string") return answer;
  return undefined;
}
