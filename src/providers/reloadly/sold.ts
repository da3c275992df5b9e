import type { AirtimePayload, DataPayload, PurchasePayload } from "../../ports/purchase-payload.ts";

/** What is bought at Reloadly's airtime API: for a phone, an amount in naira at an operator. */
export type Sold = AirtimePayload | DataPayload;

export const isSold = (payload: PurchasePayload): payload is Sold =>
  payload.product === "airtime" || payload.product === "data";
