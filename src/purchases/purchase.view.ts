import type { Charge } from "../kernel/charge.ts";
import { encodeId } from "../kernel/ids.ts";
import { type Kobo, kobo, parseKobo, ZERO_KOBO } from "../kernel/kobo.ts";
import { moneyOf, pricedAt } from "../kernel/money.ts";
import type { Order } from "../orders/order.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import type { PurchaseFacts } from "../ports/purchase.ts";
import type { Notice } from "./notices.repo.ts";
import type { ProductLine } from "./product-line.ts";
import type { PurchaseStatus } from "./purchase.schemas.ts";
import { purchaseStatus } from "./purchase.steps.ts";
import { timelineView } from "./purchase.timeline.ts";
import { amountOf, type Quote, storedPurchase, taxByBreakdown, taxOf } from "./purchase.ts";
import { type TokenSeal, tokensView } from "./tokens.ts";

/** How purchases look to subscribers. */

export interface PurchaseViewOptions {
  readonly line: Pick<ProductLine, "subjectOf" | "deliveredOf" | "tokens">;
  readonly seal: TokenSeal;
  /** Whether the key may see tokens in full. */
  readonly mayVend: boolean;
  readonly timeline?: readonly TimelineRow[];
  readonly notice?: Notice | undefined;
}

export function purchaseView(order: Order, { line, seal, mayVend, timeline, notice }: PurchaseViewOptions) {
  const stored = storedPurchase(order);
  const facts = (order.facts ?? {}) as PurchaseFacts & { failure?: { code: string; detail: string } };
  const status = purchaseStatus(order.state) as PurchaseStatus;
  const amount = amountOf(order);
  // What was delivered though its money has gone back is a case for a person, and no gift.
  const isPaid = CHARGES[status] === "held" || CHARGES[status] === "charged";
  const tokens = isPaid && line.tokens ? tokensView(seal.open(order), line.tokens, mayVend) : [];
  const tax = status === "failed" ? order.taxKobo : taxByBreakdown(order, facts.breakdown);
  const reference = order.pieces?.[0]?.reference;
  // While a call is under way, when it is looked after at the latest.
  const nextCheckAt = order.endedAt === null ? order.dueAt : null;
  return {
    id: encodeId("pur", order.id),
    object: stored.product,
    mode: order.mode,
    status,
    ...line.subjectOf(order),
    amount: moneyOf(amount),
    ...(status === "successful" &&
      facts.delivered_amount !== undefined && { delivered_amount: moneyOf(parseKobo(facts.delivered_amount)) }),
    price: pricedAt(order.priceKobo, tax),
    charge: CHARGES[status],
    ...discountAndFee(amount, order.priceKobo),
    ...(order.state === "token_pending" && { token_pending: true }),
    ...(tokens.length > 0 && { tokens }),
    ...(isPaid && line.deliveredOf?.(order)),
    ...(facts.receipt_number !== undefined && { vendor_receipt_number: facts.receipt_number }),
    ...(facts.failure && status !== "processing" && { failure: { ...facts.failure } }),
    ...(reference !== undefined && { provider_reference: reference }),
    ...(stored.notify && { notify: notice ?? { channel: stored.notify.channel, status: waitsFor(order) } }),
    ...(order.reference !== null && { reference: order.reference }),
    ...(order.metadata !== null && { metadata: { ...order.metadata } }),
    ...(timeline && { timeline: timelineView(order, timeline) }),
    ...(nextCheckAt && { next_check_at: nextCheckAt.toISOString() }),
    created_at: order.createdAt.toISOString(),
    ...(order.endedAt !== null && { completed_at: order.endedAt.toISOString() }),
  };
}

export type PurchaseView = ReturnType<typeof purchaseView>;

/** The customer hears of a success only. */
const waitsFor = (order: Order): "pending" | "none" =>
  order.endedAt === null || order.state === "successful" ? "pending" : "none";

/** What would be bought, and what it would cost. */
export function quoteView(line: Pick<ProductLine, "subjectOf">, quote: Quote, vatBasisPoints: number) {
  const { payload, recipient, amountKobo, priceKobo } = quote;
  return {
    object: "purchase_check" as const,
    product: payload.product,
    valid: true as const,
    ...line.subjectOf({ recipient, payload }),
    amount: moneyOf(amountKobo),
    price: pricedAt(priceKobo, taxOf(quote, vatBasisPoints)),
    ...discountAndFee(amountKobo, priceKobo),
  };
}

/** What `price` is less than `amount`, or more. */
const discountAndFee = (amountKobo: Kobo, priceKobo: Kobo) => ({
  discount: moneyOf(amountKobo > priceKobo ? kobo(amountKobo - priceKobo) : ZERO_KOBO),
  ...(priceKobo > amountKobo && { fee: moneyOf(kobo(priceKobo - amountKobo)) }),
});

/** What became of the price in the wallet, by the purchase's status. */
export const CHARGES = {
  processing: "held",
  successful: "charged",
  failed: "returned",
  reversed: "refunded",
} as const satisfies Record<PurchaseStatus, Charge>;
