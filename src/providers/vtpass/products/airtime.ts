import { kobo } from "../../../kernel/kobo.ts";
import type { Network } from "../../../kernel/networks.ts";
import type { AirtimePayload } from "../../../ports/purchase-payload.ts";
import { type Attempt, costIn, forPhone, nairaNumber, national, type Sold } from "./sold.ts";

/** The vendor's `serviceID`s. `etisalat` is 9mobile; “9mobile” is no product there. Source: the vendor's GET services. */
const SERVICES: Readonly<Record<Network, string>> = {
  mtn: "mtn",
  airtel: "airtel",
  glo: "glo",
  "9mobile": "etisalat",
};

export const airtime = ({ recipient, payload }: Attempt<AirtimePayload>): Sold => ({
  ...forPhone(recipient),
  body: {
    serviceID: SERVICES[payload.network],
    amount: nairaNumber(payload.amount_kobo),
    phone: national(recipient),
  },
  amountKobo: kobo(payload.amount_kobo),
  // The vendor delivered what was bought, so the number is on the network that it was bought for.
  delivery: (_text, body) => ({ facts: { network: payload.network, ...costIn(body) } }),
});
