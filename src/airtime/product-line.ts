import { formatE164, type Msisdn } from "../kernel/msisdn.ts";
import type { ProductLine } from "../purchases/product-line.ts";
import { AIRTIME } from "./airtime.definition.ts";
import { airtimeNotice } from "./notice.ts";
import { storedAirtime } from "./stored.ts";

/** Airtime and data are bought for the phone itself. */
export const AIRTIME_LINE: ProductLine = {
  service: AIRTIME.service,
  goods: "airtime or data",
  phoneOf: ({ recipient }) => recipient,
  subjectOf(purchase, learned) {
    const stored = storedAirtime(purchase);
    return {
      to: formatE164(purchase.recipient as Msisdn),
      ...(learned ? { network: learned } : stored.network_guessed ? {} : { network: stored.network }),
      ...(stored.network_guessed && { network_guess: stored.network }),
      ...(stored.product === "data" && { plan: { plan_id: stored.plan.id, name: stored.plan.name } }),
    };
  },
  notice: airtimeNotice,
};
