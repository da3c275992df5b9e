import { DAY_MS, HOUR_MS } from "../kernel/duration.ts";
import { type Kobo, parseKobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { PriceView } from "../kernel/money.ts";
import { fellBackAt } from "../orders/fallback.ts";
import type { Order } from "../orders/order.ts";
import type { Routed } from "../orders/service-definition.ts";
import type { Answer } from "../orders/steps.ts";
import type { ChatPayload, ChatTemplate } from "../ports/chat-payload.ts";
import type { RoutedSms } from "../ports/sms-fallback.ts";

/** What is sent instead of a message whose window is closed, or that fails before its delivery. One order, both ways. */

export type StoredFallback = {
  /** The window was closed when it was accepted: this is sent at once, and nothing else. */
  readonly at_once?: true;
  readonly price: PriceView;
  /** Of the message that it stands in for; what is held is the dearer of the two. */
  readonly message_price: PriceView;
} & (
  | {
      readonly via: "sms";
      readonly sms: RoutedSms;
      /** Counted by the database (migration 0019) when it is what is sent. */
      readonly quota?: { readonly limit: number; readonly period: string };
    }
  | {
      readonly via: "chat";
      readonly content: ChatTemplate;
      /** Absent from orders of the version before. */
      readonly category?: ChatCategory;
      readonly media_id?: string;
      readonly media_url?: string;
    }
);

/** Meta's categories of price; whatever is no template is `service`. */
export type ChatCategory = "marketing" | "utility" | "authentication" | "service";

type Payload = ChatPayload & { readonly category?: ChatCategory; readonly fallback?: StoredFallback };

const payloadOf = ({ payload }: Routed) => payload as Payload;

/** The fallback, if the order goes by it now. */
export function activeFallback(order: Routed): StoredFallback | undefined {
  const { fallback } = payloadOf(order);
  return fallback?.at_once || fellBackAt(order) ? fallback : undefined;
}

/** Which network the order's present attempts go over. */
export const viaOf = (order: Routed): "chat" | "sms" => activeFallback(order)?.via ?? "chat";

/** Whether the order is now marketing by chat: its recipient may have opted out meanwhile. */
export function isMarketingByChat(order: Routed): boolean {
  const fallback = activeFallback(order);
  const category = fallback ? fallback.via === "chat" && fallback.category : payloadOf(order).category;
  return category === "marketing";
}

/** How long a message waits to be sent before its fallback is sent instead. */
export const FALLBACK_AFTER_MS = { live: 600_000, test: 10_000 } as const satisfies Record<Mode, number>;

const PROVEN: ReadonlySet<Answer> = new Set(["rejected", "exhausted", "expired", "report:failed"]);

/**
 * A message may wait a day for its vendor, and its outcome may be unknown for another; what fails after that (Meta gives up after
 * 30 days) is no news to anybody any more.
 */
const FALLS_BACK_WITHIN_MS = 2 * DAY_MS + HOUR_MS;

/** Only what is certain not to be delivered is sent another way, unless the subscriber would rather have it twice than never. */
export function fallsBack(order: Order, answer: Answer, at: Date): boolean {
  if (payloadOf(order).fallback === undefined || activeFallback(order)) return false;
  if (at.getTime() - order.createdAt.getTime() > FALLS_BACK_WITHIN_MS) return false;
  const mayRepeat = answer === "timed_out" && order.state === "unknown" && order.ambiguity === "retry";
  return PROVEN.has(answer) || mayRepeat;
}

/** What is charged once it is delivered: the price of what was. */
export function chargedFor(order: Order): Kobo {
  const { fallback } = payloadOf(order);
  if (!fallback) return order.priceKobo;
  return parseKobo((activeFallback(order) ? fallback.price : fallback.message_price).amount);
}

/** The order as whoever delivers it knows it: with a payload of that kind. */
export function asSent<Sent extends Routed & Pick<Order, "service">>(order: Sent): Sent {
  const fallback = activeFallback(order);
  if (!fallback) return order;
  if (fallback.via === "sms") return { ...order, service: "sms", payload: fallback.sms };
  const payload: ChatPayload = { from: payloadOf(order).from, content: fallback.content };
  return { ...order, payload };
}
