import { encodeId } from "../kernel/ids.ts";
import { pricedAt } from "../kernel/money.ts";
import { formatE164, storedMsisdn } from "../kernel/msisdn.ts";
import type { NewOrder } from "../orders/accept.repo.ts";
import type { Order, Piece } from "../orders/order.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import { senderView } from "../ports/sms-payload.ts";
import { chargeOf, type Holds, NO_HOLDS } from "./charge.ts";
import { acceptedState, leavesAt, storedSms } from "./sms.definition.ts";
import { timelineView } from "./sms.timeline.ts";

/** How messages look to subscribers. */

const isStored = (order: Order | NewOrder): order is Order => "updatedAt" in order;

/** `holds` of those messages whose state alone does not tell what became of their money: `holdsFor`. */
export function messageView(order: Order | NewOrder, holds: Holds) {
  const stored = storedSms(order);
  const facts = isStored(order) ? order.facts : null;
  const groupId = isStored(order) ? order.groupId : null;
  const updatedAt = isStored(order) ? order.updatedAt : order.createdAt;
  return {
    id: encodeId("msg", order.id),
    object: "sms" as const,
    direction: "outbound" as const,
    mode: order.mode,
    status: order.state,
    to: formatE164(storedMsisdn(order.recipient)),
    from: senderView(stored.from),
    message: stored.text,
    encoding: stored.encoding,
    segments: stored.segments,
    network_guess: stored.network_guess as "mtn" | null,
    ...(typeof facts?.network === "string" && { network: facts.network }),
    price: pricedAt(order.priceKobo, order.taxKobo),
    charge: chargeOf(order, holds),
    ...(order.reference !== null && { reference: order.reference }),
    ...(order.metadata !== null && { metadata: { ...order.metadata } }),
    ...(groupId !== null && { bulk_id: encodeId("blk", groupId) }),
    ...(order.sendAt !== null && { send_at: order.sendAt.toISOString() }),
    ...(order.state === "scheduled" && { leaves_at: leavesAt(order, updatedAt).toISOString() }),
    created_at: order.createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

/** The message as it was when its acceptance was answered: what a repeated request gets. */
export const acceptedView = (order: Order | NewOrder) =>
  messageView(
    {
      ...order,
      state: acceptedState(order),
      ...(isStored(order) && { updatedAt: order.createdAt, facts: null }),
    },
    NO_HOLDS,
  );

/** Why it did not end well, if that is so. */
export function failureOf({ facts }: Order): { readonly failure?: { readonly code: string; readonly detail: string } } {
  const failure = facts?.failure as { code: string; detail: string } | undefined;
  return failure ? { failure } : {};
}

export function messageInFull(order: Order, holds: Holds, timeline: readonly TimelineRow[], now: Date) {
  const overdue = order.state === "sent" && order.expiresAt !== null && order.expiresAt < now;
  return {
    ...messageView(order, holds),
    ...(overdue && { report_overdue: true }),
    ...failureOf(order),
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
