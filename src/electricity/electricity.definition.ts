import { DISCOS } from "../kernel/discos.ts";
import { purchaseDefinition } from "../purchases/purchase.definition.ts";
import { storedElectricity } from "./stored.ts";

/** Prepaid electricity. Routes are chosen by the disco: no vendor sells for all of them. */
export const ELECTRICITY = purchaseDefinition("electricity", {
  labels: (order) => ({ disco: storedElectricity(order).disco }),
  labelValues: { disco: Object.keys(DISCOS) },
  // A meter number is written as it is stored.
  recipientText: (recipient) => recipient,
});
