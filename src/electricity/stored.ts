import type { Order } from "../orders/order.ts";
import type { ElectricityPayload } from "../ports/electricity-payload.ts";
import type { StoredPurchase } from "../purchases/purchase.ts";

/** What is stored of a purchase of electricity. */
export const storedElectricity = (order: Pick<Order, "payload">) =>
  order.payload as StoredPurchase & ElectricityPayload;
