import { formatE164, type Msisdn } from "../kernel/msisdn.ts";
import type { ProductLine } from "../purchases/product-line.ts";
import { CABLE } from "./cable.definition.ts";
import { CABLE_SCHEMAS } from "./cable.schemas.ts";
import { ABILITIES } from "./cable.ts";
import { cableNotice } from "./notice.ts";
import { storedCable } from "./stored.ts";
import { VOUCHERS } from "./token-form.ts";

/** Cable TV is bought for a smartcard; the customer's phone is stored with it. Showmax is bought for the phone itself. */
export const CABLE_LINE: ProductLine = {
  service: CABLE.service,
  products: { cable: "TV subscription" },
  goods: "cable TV",
  subjectOf(purchase) {
    const stored = storedCable(purchase);
    const { phone, tv_provider: provider, kind, customer } = stored;
    return {
      to: formatE164(phone as Msisdn),
      ...(ABILITIES[provider].hasCards && { smartcard_number: purchase.recipient }),
      provider,
      kind,
      ...(stored.kind === "change" && { plan: { plan_id: stored.plan.id, name: stored.plan.name } }),
      ...(customer && { customer: { ...customer } }),
    };
  },
  tokens: VOUCHERS,
  notice: cableNotice,
  schemas: CABLE_SCHEMAS,
};
