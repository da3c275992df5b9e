import type { Models } from "../../api/client.ts";
import { moneyText } from "../../pieces/Money.tsx";

/** What each service is, in a sentence. */
export const ABOUT: Readonly<Record<string, string>> = {
  sms: "Codes, alerts and bulk messages to every Nigerian network, with a report for each.",
  chat: "Write to customers over WhatsApp, answer within their 24 hours, or begin with a template.",
  airtime: "Top up any phone, or give it a data bundle, on MTN, Airtel, Glo and 9mobile.",
  electricity: "Verify a meter, buy for it, and pass the token on.",
  cable: "Renew or change DStv, GOtv and StarTimes; buy Showmax vouchers.",
};

type Prices = Models["PlanInFull"]["prices"];

/** The price of one message or purchase. */
export function priceOfOne(prices: Prices): string {
  if (prices.per === "segment") return `${moneyText(prices.transactional.default)} a segment`;
  if (prices.per === "message") return `from ${moneyText(prices.service)} a message`;
  if (prices.per === "purchase") return `${moneyText(prices.fee)} a purchase`;
  return `${prices.discount_basis_points.default / 100} % off airtime`;
}

const percent = (basisPoints: number): string => `${basisPoints / 100} %`;

/** Every price of a plan, with its name. */
export function pricesOf(prices: Prices): readonly (readonly [name: string, text: string])[] {
  if (prices.per === "segment")
    return [
      ["Transactional segment", moneyText(prices.transactional.default)],
      ["Promotional segment", moneyText(prices.promotional.default)],
    ];
  if (prices.per === "message")
    return [
      ["Text in an open window", moneyText(prices.service)],
      ["Utility template", moneyText(prices.utility)],
      ["Authentication template", moneyText(prices.authentication)],
      ["Marketing template", moneyText(prices.marketing)],
    ];
  if (prices.per === "purchase") return [["Fee of a purchase", moneyText(prices.fee)]];
  const { default: usual, ...byNetwork } = prices.discount_basis_points;
  const others = Object.entries(byNetwork).map(([network, points]) => `${network} ${percent(points)}`);
  return [
    ["Discount on airtime", [percent(usual), ...others].join(", ")],
    ["On top of data’s cost", percent(prices.data_margin_basis_points)],
  ];
}

export const feeOf = ({ free, fee }: Models["PlanInFull"]): string =>
  free ? "no monthly fee" : `${moneyText(fee)} a month`;

export const quotaOf = ({ quota }: Models["PlanInFull"], service: string): string => {
  const unit = service === "sms" || service === "chat" ? "messages" : "purchases";
  return quota === null ? `any number of ${unit}` : `${quota.toLocaleString("en-NG")} ${unit} a month`;
};
