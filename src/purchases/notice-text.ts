import { DISCOS, parseDisco } from "../kernel/discos.ts";
import { type Kobo, koboForPeople, parseKobo } from "../kernel/kobo.ts";
import type { Network } from "../kernel/networks.ts";
import type { Order } from "../orders/order.ts";
import type { PurchaseFacts, TokenParcel } from "../ports/purchase-payload.ts";
import { amountOf, storedPurchase } from "./purchase.ts";
import { inGroups, masked } from "./tokens.ts";

/** What a customer is told of a purchase. */
export interface NoticeText {
  readonly text: string;
  /** The same with its tokens masked, where it has any: what is stored and shown of it. */
  readonly shownAs?: string;
}

/** To be typed into the meter in this order, so they are numbered when there are several. */
export function noticeText(
  order: Pick<Order, "payload" | "recipient" | "facts">,
  tokens: readonly TokenParcel[],
): NoticeText {
  const stored = storedPurchase(order);
  const { network, units_kwh: units, delivered_amount: delivered } = (order.facts ?? {}) as PurchaseFacts;
  const paid = naira(amountOf(order));
  switch (stored.product) {
    case "airtime":
      return {
        text: `You have received ${delivered === undefined ? paid : naira(parseKobo(delivered))} of ${NETWORK_NAMES[network ?? stored.network]} airtime.`,
      };
    case "data":
      return { text: `You have received this data plan: ${stored.plan.name}.` };
    case "electricity": {
      const meter = `${discoName(stored.disco)}, meter ${order.recipient}`;
      const told = (write: (token: string) => string) =>
        `${meter}. ${tokensIn(tokens, write)}${unitsIn(units)}Paid: ${paid}.`;
      const text = told(inGroups);
      return tokens.length === 0 ? { text } : { text, shownAs: told(masked) };
    }
  }
}

const NETWORK_NAMES: Readonly<Record<Network, string>> = {
  mtn: "MTN",
  airtel: "Airtel",
  glo: "Glo",
  "9mobile": "9mobile",
};

/** The naira sign is not among the letters of an SMS: one of it would make the message twice as dear. */
const naira = (amount: Kobo): string => koboForPeople(amount).replace("₦", "NGN ");

function discoName(code: string): string {
  const disco = parseDisco(code);
  return disco ? DISCOS[disco].name : code;
}

function tokensIn(tokens: readonly TokenParcel[], write: (token: string) => string): string {
  const [only, ...others] = tokens;
  if (!only) return "Your meter was credited without a token. ";
  if (others.length === 0) return `Token: ${write(only.value)}. `;
  const numbered = tokens.map(({ value }, index) => `${index + 1}) ${write(value)}`);
  return `Enter these tokens in this order: ${numbered.join(" ")}. `;
}

const unitsIn = (units: string | undefined): string => (units === undefined ? "" : `Units: ${units} kWh. `);
