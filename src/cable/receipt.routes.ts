import type { Http } from "../http/edge.ts";
import type { PurchaseModels } from "../purchases/purchase-models.schemas.ts";
import { makeReplyReceipt, type ReceiptRepliesOptions } from "../purchases/receipt.replies.ts";
import { RECEIPT_ERRORS, receiptContent } from "../purchases/receipt.schemas.ts";
import * as descriptions from "./cable.descriptions.ts";
import * as examples from "./cable.examples.ts";
import { PurchaseParams, TAGS } from "./cable.routes.ts";
import { cableAuth, cableReceipt } from "./cable.schemas.ts";
import { CABLE_RECEIPTS } from "./receipt.ts";

export interface CableReceiptRoutesOptions extends ReceiptRepliesOptions {
  readonly models: PurchaseModels;
}

/** `GET /cable/receipt/{purchase_id}` */
export function cableReceiptRoutes(app: Http, options: CableReceiptRoutesOptions): void {
  const replyReceipt = makeReplyReceipt(CABLE_RECEIPTS, options);
  app.get(
    "/cable/receipt/:purchase_id",
    {
      config: { auth: cableAuth("read", "read"), errors: RECEIPT_ERRORS, answerExamples: examples.RECEIPT },
      schema: {
        operationId: "getCableReceipt",
        summary: "The receipt of a purchase of cable TV, as JSON, HTML or PDF",
        description: descriptions.RECEIPT,
        tags: TAGS,
        params: PurchaseParams,
        response: { 200: receiptContent(cableReceipt(options.models)) },
      },
    },
    async (request, reply) => replyReceipt(reply, request.params.purchase_id),
  );
}
