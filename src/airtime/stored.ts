import type { Order } from "../orders/order.ts";
import type { AirtimePayload, DataPayload } from "../ports/airtime-payload.ts";
import type { StoredPurchase } from "../purchases/purchase.ts";

/** What is stored of a purchase of airtime or data. */
export const storedAirtime = (order: Pick<Order, "payload">) =>
  order.payload as StoredPurchase & (AirtimePayload | DataPayload);

/** The network that was bought for is that of the number's first digits, as none was given. */
export const isNetworkGuessed = (stored: AirtimePayload | DataPayload): boolean =>
  stored.product === "airtime" && stored.network_guessed === true;
