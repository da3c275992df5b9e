import { encodeId } from "../kernel/ids.ts";
import { type Kobo, koboToNaira } from "../kernel/kobo.ts";
import { formatE164, storedMsisdn } from "../kernel/msisdn.ts";
import type { NewOrder } from "../orders/accept.repo.ts";
import type { Order, Piece } from "../orders/order.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import { acceptedState, storedSms } from "./sms.definition.ts";

/** How messages look to subscribers. */

const naira = (value: Kobo) => ({ amount: koboToNaira(value), currency: "NGN" as const });

export const priceView = (order: Pick<Order, "priceKobo" | "taxKobo">) => ({
  ...naira(order.priceKobo),
  tax: koboToNaira(order.taxKobo),
});

/** A sender that is a full number shows as E.164; sender IDs and short codes as they are. */
const senderView = (from: string): string => (/^\d{9,}$/.test(from) ? `+${from}` : from);

const isStored = (order: Order | NewOrder): order is Order => "updatedAt" in order;

export function messageView(order: Order | NewOrder) {
  const stored = storedSms(order);
  const facts = isStored(order) ? order.facts : null;
  const groupId = isStored(order) ? order.groupId : null;
  return {
    id: encodeId("msg", order.id),
    object: "sms" as const,
    mode: order.mode,
    status: order.state,
    to: formatE164(storedMsisdn(order.recipient)),
    from: senderView(stored.from),
    message: stored.text,
    encoding: stored.encoding,
    segments: stored.segments,
    network_guess: stored.network_guess as "mtn" | null,
    ...(typeof facts?.network === "string" && { network: facts.network }),
    price: priceView(order),
    ...(order.reference !== null && { reference: order.reference }),
    ...(order.metadata !== null && { metadata: { ...order.metadata } }),
    ...(groupId !== null && { bulk_id: encodeId("blk", groupId) }),
    ...(order.sendAt !== null && { send_at: order.sendAt.toISOString() }),
    created_at: order.createdAt.toISOString(),
    updated_at: (isStored(order) ? order.updatedAt : order.createdAt).toISOString(),
  };
}

/** The message as it was when its acceptance was answered: what a repeated request gets. */
export const acceptedView = (order: Order | NewOrder) => ({
  ...messageView(order),
  status: acceptedState(order),
  updated_at: order.createdAt.toISOString(),
});

export function messageInFull(order: Order, timeline: readonly TimelineRow[], now: Date) {
  const failure = order.facts?.failure as { code: string; detail: string } | undefined;
  const overdue = order.state === "sent" && order.expiresAt !== null && order.expiresAt < now;
  return {
    ...messageView(order),
    ...(overdue && { report_overdue: true }),
    ...(failure && { failure }),
    ...(order.pieces !== null && order.pieces.length > 1 && { parts: order.pieces.map(partView(order)) }),
    timeline: timelineView(order, timeline),
  };
}

/** Pieces before the vendor's word, in the words of the message's own states. */
const PART_STATUS: Readonly<Record<string, string>> = {
  open: "queued",
  unanswered: "unknown",
  taken: "sent",
  refused: "rejected",
};

/** A part that never left shares the end of its message. */
const partView =
  (order: Order) =>
  ({ status }: Piece, index: number) => ({
    index: index + 1,
    status: status === "open" && order.endedAt !== null ? order.state : (PART_STATUS[status] ?? status),
  });

/** Every state in order. A message that was not marked before its call gets its `sending` from the record of the answer. */
function timelineView(order: Order, rows: readonly TimelineRow[]) {
  const entries: { status: string; at: string; detail?: string }[] = [
    { status: acceptedState(order), at: order.createdAt.toISOString() },
  ];
  for (const row of rows) {
    const begunAt = row.detail?.begun_at;
    if (typeof begunAt === "string" && row.previous_status === "queued")
      entries.push({ status: "sending", at: begunAt });
    const detail = sayDetail(row.detail);
    entries.push({ status: row.status, at: row.at.toISOString(), ...(detail && { detail }) });
  }
  return entries;
}

function sayDetail(detail: TimelineRow["detail"]): string | undefined {
  if (!detail) return undefined;
  const words: string[] = [];
  const { report, piece, answer, late, until, late_answer: lateAnswer, lost_answers: lostAnswers } = detail;
  if (typeof piece === "number" && piece > 0) words.push(`part ${piece + 1}`);
  if (typeof report === "string") words.push(`${late ? "late report" : "report"}: ${report}`);
  if (typeof answer === "string") words.push(answer);
  if (typeof lateAnswer === "string") words.push(`an earlier try was answered late: ${lateAnswer}`);
  if (typeof lostAnswers === "number") words.push(`trying again (${lostAnswers} lost)`);
  if (typeof until === "string") words.push(`waits until ${until}`);
  return words.length > 0 ? words.join("; ") : undefined;
}
