import { formatE164, storedMsisdn } from "../kernel/msisdn.ts";
import { TV_PROVIDERS } from "../ports/cable-payload.ts";
import { readVoucher } from "../ports/voucher.ts";
import { purchaseDefinition } from "../purchases/purchase.definition.ts";
import { ABILITIES, parseSmartcardNumber } from "./cable.ts";
import { storedCable } from "./stored.ts";
import { VOUCHERS } from "./token-form.ts";

/** Cable TV. Routes are chosen by the TV provider. */
export const CABLE = purchaseDefinition("cable", {
  labels: (order) => ({ tv_provider: storedCable(order).tv_provider }),
  labelValues: { tv_provider: TV_PROVIDERS },
  // A bouquet is one vendor's own, under that vendor's code; a renewal is any vendor's.
  boundTo(order) {
    const stored = storedCable(order);
    return stored.kind === "change" ? stored.plan.provider : undefined;
  },
  boughtOf(order) {
    const stored = storedCable(order);
    return {
      provider: stored.tv_provider,
      kind: stored.kind,
      plan: stored.kind === "change" ? stored.plan.name : undefined,
      phone: formatE164(storedMsisdn(stored.phone)),
    };
  },
  recipient: { name: "smartcard", read: parseSmartcardNumber },
  tokens: {
    kinds: VOUCHERS.kinds,
    noun: "voucher",
    read: readVoucher,
    form: "a voucher is 8 to 40 letters and digits, both of them",
    isDue: (order) => ABILITIES[storedCable(order).tv_provider].givesVoucher,
  },
});
