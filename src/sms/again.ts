import { MINUTE_MS } from "../kernel/duration.ts";
import { encodeId } from "../kernel/ids.ts";
import { PURGED_PHONE } from "../kernel/purged.ts";
import type { Order } from "../orders/order.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import { storedSms } from "./sms.definition.ts";
import type { SmsOptions } from "./terms.ts";

/** The reference of the message that is sent in place of another one: each is sent again once, whoever asks, and however often. */
export const againReference = ({ id }: Pick<Order, "id">): string => `again:${encodeId("msg", id)}`;

/** What was asked for of the first message holds for the one in its place, too: above all whether it may arrive twice, and how long it is wanted. */
export function termsAgain(order: Order): SmsOptions {
  const { from, route, quiet_hours } = storedSms(order);
  const { ambiguity, createdAt, sendAt, expiresAt, metadata } = order;
  return {
    from,
    route,
    quiet_hours,
    on_ambiguous: ambiguity === "retry" ? "retry" : "fail",
    ...(expiresAt && { validity_minutes: (expiresAt.getTime() - (sendAt ?? createdAt).getTime()) / MINUTE_MS }),
    ...(metadata && { metadata }),
  };
}

/** Ends without the text on the phone, and what is told of all others. */
const REASONS: Readonly<Record<string, string>> = {
  scheduled: "It waits for its time. Cancel it first, if another one is to leave now.",
  queued: "It has not left yet.",
  sending: "It is being handed to the network.",
  unknown: "Its answer was lost, so it may have arrived. Wait until that is certain: the phone would get it twice.",
  sent: "The network has it and may still deliver it: the phone would get it twice.",
  delivered: "The phone has it.",
  rejected: "The network refused it, and would refuse the same again. Change the sender or the text and send it anew.",
  cancelled: "You cancelled it. Send it anew if it is wanted after all.",
};

/** Why a message is not sent again; undefined when the phone certainly does not have it. */
export function whyNotAgain(order: Order, timeline: readonly TimelineRow[]): string | undefined {
  const reason = REASONS[order.state];
  if (reason !== undefined) return reason;
  // It ended, but on the way an answer was lost, or its network had it after all.
  if (timeline.some(({ status }) => status === "unknown")) return MAYBE;
  const ended = timeline.findIndex(({ status }) => status === order.state);
  if (timeline.slice(ended + 1).some(({ detail }) => detail !== null)) return LATER_WORD;
  const { text, sealed_text: sealed } = storedSms(order);
  if (sealed !== undefined)
    return "Its text is a secret that is not kept here. The purchase it belongs to sends it again.";
  if (text === "" || order.recipient === PURGED_PHONE) return "Its text or its number is no longer kept.";
  return undefined;
}

const MAYBE = "On its way an answer was lost, so it may have arrived. The phone would get it twice.";
const LATER_WORD = "After it had ended, its network said something else of it, so it may have arrived.";
