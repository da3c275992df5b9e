import { purchaseDefinition } from "../purchases/purchase.definition.ts";
import { storedPurchase } from "../purchases/purchase.ts";

/** Prepaid electricity. Routes are chosen by the disco: no vendor sells for all of them. */
export const ELECTRICITY = purchaseDefinition("electricity", {
  labels(order) {
    const stored = storedPurchase(order);
    return { disco: stored.product === "electricity" ? stored.disco : undefined };
  },
  // A meter number is written as it is stored.
  recipientText: (recipient) => recipient,
});
