import { purchaseDefinition } from "../purchases/purchase.definition.ts";
import { productOf, storedPurchase } from "../purchases/purchase.ts";

/** Airtime and data: one subscription, one queue; events are named after the product (`airtime.successful`, `data.failed`). */
export const AIRTIME = purchaseDefinition("airtime", {
  labels(order) {
    const stored = storedPurchase(order);
    return { product: stored.product, network: stored.product === "electricity" ? undefined : stored.network };
  },
  // A bundle is one vendor's own, under that vendor's code.
  boundTo(order) {
    const stored = storedPurchase(order);
    return stored.product === "data" ? stored.plan.provider : undefined;
  },
  subjectOf: productOf,
});
