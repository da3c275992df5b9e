import { parseKobo } from "../kernel/kobo.ts";
import type { Network } from "../kernel/networks.ts";
import type { AirtimeFacts } from "../ports/airtime-payload.ts";
import { type NoticeWords, nairaForSms } from "../purchases/notice-text.ts";
import { amountOf } from "../purchases/purchase.ts";
import { storedAirtime } from "./stored.ts";

/** Airtime names the network that the vendor found and what was delivered, data its plan. */
export const airtimeNotice: NoticeWords = (order) => {
  const stored = storedAirtime(order);
  if (stored.product === "data") return { text: `You have received this data plan: ${stored.plan.name}.` };
  const { network = stored.network, delivered_amount: delivered } = (order.facts ?? {}) as AirtimeFacts;
  const amount = delivered === undefined ? amountOf(order) : parseKobo(delivered);
  return { text: `You have received ${nairaForSms(amount)} of ${NETWORK_NAMES[network]} airtime.` };
};

const NETWORK_NAMES: Readonly<Record<Network, string>> = {
  mtn: "MTN",
  airtel: "Airtel",
  glo: "Glo",
  "9mobile": "9mobile",
};
