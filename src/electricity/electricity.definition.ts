import { DISCOS } from "../kernel/discos.ts";
import type { TokenParcel } from "../ports/purchase-payload.ts";
import { purchaseDefinition } from "../purchases/purchase.definition.ts";
import { readToken } from "../vendor-text/sts.ts";
import { parseMeterNumber } from "./electricity.ts";
import { storedElectricity } from "./stored.ts";

/** Prepaid electricity. Routes are chosen by the disco: no vendor sells for all of them. */
export const ELECTRICITY = purchaseDefinition("electricity", {
  labels: (order) => ({ disco: storedElectricity(order).disco }),
  labelValues: { disco: Object.keys(DISCOS) },
  recipient: { name: "meter", read: parseMeterNumber },
  tokens: {
    kinds: ["credit", "bonus", "kct1", "kct2"] satisfies TokenParcel["kind"][],
    read: readToken,
    form: "a token is 20 digits, at most 73786976294838206463, with or without spaces",
  },
});
