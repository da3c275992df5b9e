import { formatE164, type Msisdn } from "../kernel/msisdn.ts";
import type { AirtimeFacts } from "../ports/airtime-payload.ts";
import type { ProductLine } from "../purchases/product-line.ts";
import { AIRTIME } from "./airtime.definition.ts";
import { AIRTIME_SUBJECT } from "./airtime.schemas.ts";
import { airtimeNotice } from "./notice.ts";
import { isNetworkGuessed, storedAirtime } from "./stored.ts";

/** Airtime and data are bought for the phone itself. */
export const AIRTIME_LINE: ProductLine = {
  service: AIRTIME.service,
  products: { airtime: "airtime", data: "data" },
  goods: "airtime or data",
  subjectOf(purchase) {
    const stored = storedAirtime(purchase);
    const { network: learned } = (purchase.facts ?? {}) as AirtimeFacts;
    const isGuessed = isNetworkGuessed(stored);
    return {
      to: formatE164(purchase.recipient as Msisdn),
      ...(learned ? { network: learned } : isGuessed ? {} : { network: stored.network }),
      ...(isGuessed && { network_guess: stored.network }),
      ...(stored.product === "data" && { plan: { plan_id: stored.plan.id, name: stored.plan.name } }),
    };
  },
  notice: airtimeNotice,
  schemas: { subject: AIRTIME_SUBJECT },
};
