import { withSpendCap } from "../accounts/key-record.ts";
import { preferredType } from "../http/accept.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { fingerprintOf, idempotencyKeyOf, requestUuid } from "../http/idempotency.ts";
import { sendRefusal } from "../http/refuse.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { pricedAt } from "../kernel/money.ts";
import { formatE164, storedMsisdn } from "../kernel/msisdn.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { noPurchase, type PurchaseReplies } from "../purchases/purchase.replies.ts";
import { mayVend } from "../purchases/purchase.schemas.ts";
import { purchaseStatus } from "../purchases/purchase.steps.ts";
import type { TokenSeal } from "../purchases/tokens.ts";
import * as descriptions from "./electricity.descriptions.ts";
import * as examples from "./electricity.examples.ts";
import { PurchaseParams, TAGS } from "./electricity.routes.ts";
import {
  electricityAuth,
  RESEND_ERRORS,
  ReceiptAnswer,
  ReceiptPage,
  ReceiptPdf,
  ResendBody,
  Resent,
} from "./electricity.schemas.ts";
import { RECEIPT_POLICY, receiptPage } from "./receipt.html.ts";
import { receiptOf } from "./receipt.ts";
import type { ReceiptPrinter } from "./receipt-printer.ts";
import type { Resends } from "./resend.service.ts";

export interface ReceiptRoutesOptions {
  readonly replies: Pick<PurchaseReplies, "find">;
  readonly seal: TokenSeal;
  readonly printer: ReceiptPrinter;
  readonly resends: Resends;
}

const FORMS = ["application/json", "text/html", "application/pdf"] as const;

/** What a successful purchase leaves to its customer: the receipt, and the token once more. */
export function receiptRoutes(app: Http, { replies, seal, printer, resends }: ReceiptRoutesOptions): void {
  app.get(
    "/electricity/receipt/:purchase_id",
    {
      config: {
        auth: electricityAuth("read", "read"),
        errors: ["not_found", "not_acceptable", "invalid_state", "overloaded"],
        answerExamples: examples.RECEIPT,
      },
      schema: {
        operationId: "getElectricityReceipt",
        summary: "The receipt of a purchase, as JSON, HTML or PDF",
        description: descriptions.RECEIPT,
        tags: TAGS,
        params: PurchaseParams,
        response: {
          200: {
            content: {
              "application/json": { schema: ReceiptAnswer },
              "text/html": { schema: ReceiptPage },
              "application/pdf": { schema: ReceiptPdf },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const form = preferredType(request.headers.accept, FORMS);
      if (!form) return sendRefusal(reply, NO_SUCH_FORM);
      reply.header("vary", "accept");
      const order = await replies.find(key, request.params.purchase_id);
      if (!order) return sendRefusal(reply, noPurchase("electricity"));
      if (order.state !== "successful") return sendRefusal(reply, notSuccessful(purchaseStatus(order.state)));
      const receipt = receiptOf(order, { seal, mayVend: mayVend(key) });
      if (form === "application/json") return reply.send(receipt);
      if (form === "text/html")
        return reply
          .header("content-security-policy", RECEIPT_POLICY)
          .type("text/html; charset=utf-8")
          .send(receiptPage(receipt));
      const pdf = await printer.print(receipt);
      if (!pdf.ok) return sendRefusal(reply, pdf.error);
      return reply
        .header("content-disposition", `inline; filename="receipt-${receipt.receipt_number}.pdf"`)
        .type(form)
        .send(pdf.value);
    },
  );

  app.post(
    "/electricity/resend/:purchase_id",
    {
      config: {
        auth: electricityAuth("vend", "electricity-vend"),
        errors: RESEND_ERRORS,
        idempotency: "optional",
        requestExamples: examples.RESEND,
        answerExamples: examples.RESENT,
      },
      schema: {
        operationId: "resendElectricityToken",
        summary: "Send a purchase's token once more",
        description: descriptions.RESEND,
        tags: TAGS,
        params: PurchaseParams,
        body: ResendBody,
        response: { 202: Resent },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const idempotencyKey = idempotencyKeyOf(request);
      if (!idempotencyKey.ok) return sendRefusal(reply, idempotencyKey.error);
      const order = await replies.find(key, request.params.purchase_id);
      if (!order) return sendRefusal(reply, noPurchase("electricity"));
      const { channel, to } = request.body;
      const id = encodeId("pur", order.id);
      const sent = await resends.resend({
        order,
        keyId: key.keyId as Uuid,
        ...withSpendCap(key),
        channel,
        to,
        keys: {
          idempotencyKey: idempotencyKey.value,
          fingerprint: fingerprintOf("POST", `/electricity/resend/${id}`, request.body),
          requestId: requestUuid(request),
        },
      });
      if (!sent.ok) return sendRefusal(reply, sent.error);
      const { value: message } = sent;
      if (message.replayed) reply.header("idempotent-replayed", "true");
      request.orderId = encodeId("msg", message.id);
      return reply.code(202).send({
        object: "token_resend",
        purchase_id: id,
        message_id: encodeId("msg", message.id),
        channel,
        to: formatE164(storedMsisdn(message.to)),
        status: message.status,
        price: pricedAt(message.priceKobo, message.taxKobo),
      });
    },
  );
}

const NO_SUCH_FORM = refusal(
  "not_acceptable",
  `A receipt comes as ${FORMS.join(", ")}: ask for one of them in Accept.`,
);

const notSuccessful = (status: string): Refusal =>
  refusal("invalid_state", `The purchase is ${status}: only a successful one has a receipt.`, {
    members: { order_status: status },
  });
