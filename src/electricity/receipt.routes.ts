import { actorOf } from "../accounts/actor.ts";
import { withSpendCap } from "../accounts/key-record.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { fingerprintOf, idempotencyKeyOf, requestUuid } from "../http/idempotency.ts";
import { sendRefusal } from "../http/refuse.ts";
import { encodeId } from "../kernel/ids.ts";
import { pricedAt } from "../kernel/money.ts";
import { formatE164, storedMsisdn } from "../kernel/msisdn.ts";
import { noPurchase } from "../purchases/purchase.replies.ts";
import type { PurchaseModels } from "../purchases/purchase-models.schemas.ts";
import { makeReplyReceipt, type ReceiptRepliesOptions } from "../purchases/receipt.replies.ts";
import { RECEIPT_ERRORS, receiptContent } from "../purchases/receipt.schemas.ts";
import * as descriptions from "./electricity.descriptions.ts";
import * as examples from "./electricity.examples.ts";
import { PurchaseParams, TAGS } from "./electricity.routes.ts";
import { electricityAuth, electricityReceipt, RESEND_ERRORS, ResendBody, Resent } from "./electricity.schemas.ts";
import { ELECTRICITY_LINE } from "./product-line.ts";
import { ELECTRICITY_RECEIPTS } from "./receipt.ts";
import type { Resends } from "./resend.service.ts";

export interface ReceiptRoutesOptions extends ReceiptRepliesOptions {
  readonly resends: Resends;
  readonly models: PurchaseModels;
}

/** What a successful purchase leaves to its customer: the receipt, and the token once more. */
export function receiptRoutes(app: Http, options: ReceiptRoutesOptions): void {
  const { replies, resends, models } = options;
  const replyReceipt = makeReplyReceipt(ELECTRICITY_RECEIPTS, options);
  app.get(
    "/electricity/receipt/:purchase_id",
    {
      config: {
        auth: electricityAuth("read", "read"),
        errors: RECEIPT_ERRORS,
        answerExamples: examples.RECEIPT,
      },
      schema: {
        operationId: "getElectricityReceipt",
        summary: "The receipt of a purchase, as JSON, HTML or PDF",
        description: descriptions.RECEIPT,
        tags: TAGS,
        params: PurchaseParams,
        response: { 200: receiptContent(electricityReceipt(models)) },
      },
    },
    async (request, reply) => replyReceipt(reply, request.params.purchase_id),
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
        summary: "Resend a purchase's token",
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
      if (!order) return sendRefusal(reply, noPurchase(ELECTRICITY_LINE));
      const { channel, to } = request.body;
      const id = encodeId("pur", order.id);
      const sent = await resends.resend({
        order,
        actor: actorOf(key),
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
