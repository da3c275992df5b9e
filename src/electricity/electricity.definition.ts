import { DISCOS } from "../kernel/discos.ts";
import { formatE164, storedMsisdn } from "../kernel/msisdn.ts";
import type { TokenParcel } from "../ports/purchase-payload.ts";
import { purchaseDefinition } from "../purchases/purchase.definition.ts";
import { readToken } from "../vendor-text/sts.ts";
import { parseMeterNumber } from "./electricity.ts";
import { storedElectricity } from "./stored.ts";

/** Prepaid electricity. Routes are chosen by the disco: no vendor sells for all of them. */
export const ELECTRICITY = purchaseDefinition("electricity", {
  labels: (order) => ({ disco: storedElectricity(order).disco }),
  labelValues: { disco: Object.keys(DISCOS) },
  boughtOf(order) {
    const { disco, meter_type, phone } = storedElectricity(order);
    return { disco, meter_type, phone: formatE164(storedMsisdn(phone)) };
  },
  recipient: { name: "meter", read: parseMeterNumber },
  tokens: {
    kinds: ["credit", "bonus", "kct1", "kct2"] satisfies TokenParcel["kind"][],
    noun: "token",
    read: readToken,
    form: "a token is 20 digits, at most 73786976294838206463, with or without spaces",
  },
});
