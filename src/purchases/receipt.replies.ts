import type { FastifyReply } from "fastify";
import { preferredType } from "../http/accept.ts";
import { callerOf } from "../http/authenticate.ts";
import { sendRefusal } from "../http/refuse.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import type { Order } from "../orders/order.ts";
import type { ProductLine } from "./product-line.ts";
import { noPurchase, type PurchaseReplies } from "./purchase.replies.ts";
import { mayVend } from "./purchase.schemas.ts";
import { purchaseStatus } from "./purchase.steps.ts";
import { RECEIPT_POLICY, receiptPage } from "./receipt.html.ts";
import { type Receipt, receiptDocument, receiptOf, type ServiceLines } from "./receipt.ts";
import type { ReceiptPrinter } from "./receipt-printer.ts";
import type { Seller } from "./seller.ts";
import type { TokenSeal } from "./tokens.ts";

export interface ReceiptRepliesOptions {
  readonly replies: Pick<PurchaseReplies, "find">;
  readonly seal: TokenSeal;
  readonly printer: ReceiptPrinter;
  /** Undefined: the operator has set none, and receipts name none. */
  readonly seller: Seller | undefined;
}

export interface ReceiptView {
  readonly seal: TokenSeal;
  /** Whether the key may see tokens in full. */
  readonly mayVend: boolean;
}

/** What a service's receipts have of their own. */
export interface ServiceReceipts<Own extends object> {
  readonly line: ProductLine;
  own(order: Order, view: ReceiptView): Own;
  lines(receipt: Receipt & Own): ServiceLines;
}

/** Answers with the receipt of the purchase with this id as text, as JSON, HTML or PDF. */
export type ReplyReceipt = <Reply extends FastifyReply>(reply: Reply, id: string) => Promise<Reply>;

const FORMS = ["application/json", "text/html", "application/pdf"] as const;

export function makeReplyReceipt<Own extends object>(
  { line, own, lines }: ServiceReceipts<Own>,
  { replies, seal, printer, seller }: ReceiptRepliesOptions,
): ReplyReceipt {
  return async (reply, id) => {
    const key = callerOf(reply.request);
    const form = preferredType(reply.request.headers.accept, FORMS);
    if (!form) return sendRefusal(reply, NO_SUCH_FORM);
    reply.header("vary", "accept");
    const order = await replies.find(key, id);
    if (!order) return sendRefusal(reply, noPurchase(line));
    if (order.state !== "successful") return sendRefusal(reply, notSuccessful(purchaseStatus(order.state)));
    const receipt = receiptOf(order, own(order, { seal, mayVend: mayVend(key) }), seller);
    if (form === "application/json") {
      reply.send(receipt);
      return reply;
    }
    const document = receiptDocument(receipt, lines(receipt), seller);
    if (form === "text/html") {
      reply
        .header("content-security-policy", RECEIPT_POLICY)
        .type("text/html; charset=utf-8")
        .send(receiptPage(document));
      return reply;
    }
    const pdf = await printer.print(document);
    if (!pdf.ok) return sendRefusal(reply, pdf.error);
    reply
      .header("content-disposition", `inline; filename="receipt-${receipt.receipt_number}.pdf"`)
      .type(form)
      .send(pdf.value);
    return reply;
  };
}

const NO_SUCH_FORM = refusal(
  "not_acceptable",
  `A receipt comes as ${FORMS.join(", ")}: ask for one of them in Accept.`,
);

const notSuccessful = (status: string): Refusal =>
  refusal("invalid_state", `The purchase is ${status}: only a successful one has a receipt.`, {
    members: { order_status: status },
  });
