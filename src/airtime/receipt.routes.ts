import Type from "typebox";
import type { Http } from "../http/edge.ts";
import { IdParameter } from "../http/schemas.ts";
import type { PurchaseModels } from "../purchases/purchase-models.schemas.ts";
import { makeReplyReceipt, type ReceiptRepliesOptions } from "../purchases/receipt.replies.ts";
import { RECEIPT_ERRORS, receiptContent } from "../purchases/receipt.schemas.ts";
import * as descriptions from "./airtime.descriptions.ts";
import * as examples from "./airtime.examples.ts";
import { airtimeAuth, airtimeReceipt } from "./airtime.schemas.ts";
import { AIRTIME_RECEIPTS } from "./receipt.ts";

export interface AirtimeReceiptOptions extends ReceiptRepliesOptions {
  readonly models: PurchaseModels;
}

/** `GET /airtime/receipt/{purchase_id}`, of airtime and of data. */
export function airtimeReceiptRoutes(app: Http, options: AirtimeReceiptOptions): void {
  const replyReceipt = makeReplyReceipt(AIRTIME_RECEIPTS, options);
  app.get(
    "/airtime/receipt/:purchase_id",
    {
      config: { auth: airtimeAuth("read", "read"), errors: RECEIPT_ERRORS, answerExamples: examples.RECEIPT },
      schema: {
        operationId: "getAirtimeReceipt",
        summary: "The receipt of airtime or data, as JSON, HTML or PDF",
        description: descriptions.RECEIPT,
        tags: ["Airtime and data"],
        params: Type.Object({ purchase_id: IdParameter("pur", "`id` of the purchase.") }),
        response: { 200: receiptContent(airtimeReceipt(options.models)) },
      },
    },
    async (request, reply) => replyReceipt(reply, request.params.purchase_id),
  );
}
