import type { Order } from "../orders/order.ts";
import type { AirtimePayload, DataPayload } from "../ports/purchase-payload.ts";
import type { StoredPurchase } from "../purchases/purchase.ts";

/** What is stored of a purchase of airtime or data. */
export const storedAirtime = (order: Pick<Order, "payload">) =>
  order.payload as StoredPurchase & (AirtimePayload | DataPayload);
