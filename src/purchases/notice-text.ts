import { type Kobo, koboForPeople } from "../kernel/kobo.ts";
import type { Order } from "../orders/order.ts";
import type { TokenParcel } from "../ports/purchase.ts";

/** What a customer is told of a purchase. */
export interface NoticeText {
  readonly text: string;
  /** The same with its tokens masked, where it has any: what is stored and shown of it. */
  readonly shownAs?: string;
}

/** A service's words for its successful purchase. `tokens` are opened. */
export type NoticeWords = (
  order: Pick<Order, "payload" | "recipient" | "facts">,
  tokens: readonly TokenParcel[],
) => NoticeText;

/** The naira sign is not among the letters of an SMS: one of it would make the message twice as dear. */
export const nairaForSms = (amount: Kobo): string => koboForPeople(amount).replace("₦", "NGN ");
