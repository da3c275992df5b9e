import type { Order } from "../orders/order.ts";
import type { CablePayload } from "../ports/cable-payload.ts";
import type { StoredPurchase } from "../purchases/purchase.ts";

/** What is stored of a purchase of cable TV. */
export const storedCable = (order: Pick<Order, "payload">) => order.payload as StoredPurchase & CablePayload;
