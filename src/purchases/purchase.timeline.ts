import { koboForPeople, parseKobo } from "../kernel/kobo.ts";
import { isAnswerEntry } from "../orders/answer-entry.ts";
import type { Order } from "../orders/order.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import { sayRepeats } from "../orders/throttled.ts";
import type { PurchaseFacts } from "../ports/purchase.ts";
import { purchaseStatus } from "./purchase.steps.ts";
import { amountOf } from "./purchase.ts";

interface Entry {
  readonly status: string;
  readonly at: string;
  detail?: string;
}

/** The life of a purchase as it is told to subscribers. Equal words in a row (a vendor that is asked again and again) are one entry. */
export function timelineView(order: Order, rows: readonly TimelineRow[]): Entry[] {
  const entries: Entry[] = [{ status: "processing", at: order.createdAt.toISOString() }];
  let said: { readonly words: string; readonly entry: Entry; times: number } | undefined;
  let isDeliveredLate = false;
  for (const row of rows) {
    const status = purchaseStatus(row.status);
    const late = lateDelivery(row);
    // Its vendor is asked once more, and may say the same again.
    if (late === "delivered" && isDeliveredLate) continue;
    const words =
      late === "delivered"
        ? DELIVERED_LATE
        : late && isDeliveredLate
          ? TAKEN_BACK
          : (wordsOf(row) ?? (isSuccess(row) ? shortWordsOf(order) : undefined));
    if (late) isDeliveredLate = late === "delivered";
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

const isSuccess = ({ status, previous_status: previous }: TimelineRow): boolean =>
  status === "successful" && previous !== "successful";

/** What is said of a success with less than was bought. */
function shortWordsOf(order: Order): string | undefined {
  const { delivered_amount: delivered } = (order.facts ?? {}) as PurchaseFacts;
  if (delivered === undefined) return undefined;
  return `the vendor delivered ${koboForPeople(parseKobo(delivered))} of ${koboForPeople(amountOf(order))}`;
}

const DELIVERED_LATE = "the vendor delivered it after its money had gone back";
const TAKEN_BACK = "the vendor took back what it had delivered late";

/**
 * What a row says of a delivery after the money had gone back. Of what has failed a vendor's word to a call stands in no other
 * rows: without a text it is a delivery, with one it was taken back, or was never there.
 */
function lateDelivery({ status, previous_status: previous, detail }: TimelineRow) {
  if (status !== "failed" || previous !== "failed" || !isAnswerEntry(detail)) return undefined;
  return detail?.answer === undefined ? "delivered" : "taken back";
}

const ENDED: ReadonlySet<string> = new Set(["successful", "failed", "reversed"]);

function wordsOf({ detail, status, previous_status: previous }: TimelineRow): string | undefined {
  if (status === "token_pending" && previous !== "token_pending") return "delivered; its token has not come yet";
  if (!detail) return undefined;
  const { answer, requery, late_answer: late, proof } = detail;
  // What the vendor told the operator, and who, is for the operator.
  if (typeof proof === "string") return "settled by the operator";
  if (typeof late === "string") return `a call was answered late: ${late}`;
  // Of what has ended the vendor's other words are for the operator, who has a case.
  if (typeof requery === "string") return ENDED.has(status) ? undefined : `the vendor was asked: ${requery}`;
  if (typeof answer !== "string") return undefined;
  const repeats = sayRepeats(detail);
  return repeats === undefined ? answer : `${answer}; ${repeats}`;
}
