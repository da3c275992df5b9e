import { formatE164, type Msisdn } from "../kernel/msisdn.ts";
import type { ElectricityFacts } from "../ports/electricity-payload.ts";
import type { ProductLine } from "../purchases/product-line.ts";
import { deliveredView } from "./delivered.view.ts";
import { ELECTRICITY } from "./electricity.definition.ts";
import { ELECTRICITY_SCHEMAS } from "./electricity.schemas.ts";
import { electricityNotice } from "./notice.ts";
import { storedElectricity } from "./stored.ts";
import { ELECTRICITY_TOKENS } from "./token-form.ts";

/** Electricity is bought for a meter; the customer's phone is stored with it. */
export const ELECTRICITY_LINE: ProductLine = {
  service: ELECTRICITY.service,
  products: { electricity: "electricity" },
  goods: "electricity",
  subjectOf(purchase) {
    const { phone, disco, customer } = storedElectricity(purchase);
    return {
      to: formatE164(phone as Msisdn),
      meter_number: purchase.recipient,
      disco,
      customer: { ...customer },
    };
  },
  deliveredOf: ({ facts }) => deliveredView((facts ?? {}) as ElectricityFacts),
  tokens: ELECTRICITY_TOKENS,
  notice: electricityNotice,
  schemas: ELECTRICITY_SCHEMAS,
};
