import { formatE164, type Msisdn } from "../kernel/msisdn.ts";
import type { ProductLine } from "../purchases/product-line.ts";
import { ELECTRICITY } from "./electricity.definition.ts";
import { electricityNotice } from "./notice.ts";
import { storedElectricity } from "./stored.ts";

/** Electricity is bought for a meter; the customer's phone is stored with it. */
export const ELECTRICITY_LINE: ProductLine = {
  service: ELECTRICITY.service,
  goods: "electricity",
  phoneOf: (purchase) => storedElectricity(purchase).phone,
  subjectOf(purchase) {
    const { phone, disco, customer } = storedElectricity(purchase);
    return {
      to: formatE164(phone as Msisdn),
      meter_number: purchase.recipient,
      disco,
      customer: { ...customer },
    };
  },
  notice: electricityNotice,
};
