import type { Models } from "../../api/client.ts";
import type { Listed, Order } from "../../api/orders.ts";
import { moneyText } from "../../pieces/Money.tsx";

type Purchase = Models["Purchase"];

/** What an order is of, in a word. */
const KINDS: Readonly<Record<string, string>> = {
  sms: "SMS",
  chat: "Chat",
  airtime: "Airtime",
  data: "Data",
  electricity: "Electricity",
  cable: "Cable TV",
};

export const kindOf = ({ object }: Listed | Order): string => KINDS[object] ?? object;

/** To whom or what it goes. */
export const targetOf = (order: Listed | Order): string =>
  ("meter_number" in order ? order.meter_number : undefined) ??
  ("smartcard_number" in order ? order.smartcard_number : undefined) ??
  order.to;

/** What it brings: a text, a template, a plan, an amount and whose it is. */
export function whatOf(order: Listed | Order): string {
  if ("message" in order && order.message) return order.message;
  if ("template" in order && order.template) return order.template.name;
  return isPurchase(order) ? boughtOf(order) : "";
}

/** `₦500 airtime, MTN`; `₦5,000, Ikeja Electric`; `DStv Compact, renew`. */
function boughtOf(order: Purchase): string {
  const amount = moneyText(order.amount).replace(/\.00$/, "");
  if (order.object === "airtime") {
    const network = "network" in order ? order.network : order.network_guess;
    return `${amount} airtime${network ? `, ${nameOf(network)}` : ""}`;
  }
  if ("disco" in order && order.disco) return `${amount}, ${nameOf(order.disco)}`;
  const plan = "plan" in order ? order.plan?.name : undefined;
  if ("provider" in order && order.provider) {
    const what = plan ?? `${amount}, ${nameOf(order.provider)}`;
    return order.kind && order.smartcard_number ? `${what}, ${order.kind}` : what;
  }
  return plan ?? amount;
}

/** Codes of networks, discos and TV providers that are written otherwise than with a capital. */
const NAMES: Readonly<Record<string, string>> = { mtn: "MTN", dstv: "DStv", gotv: "GOtv", startimes: "StarTimes" };

/** Of a code of the API: `ikeja-electric` → `Ikeja Electric`. */
export const nameOf = (code: string): string =>
  code
    .split("-")
    .map((word) => NAMES[word] ?? (/^\d/.test(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(" ");

export const isPurchase = (order: Listed | Order): order is Purchase => order.id.startsWith("pur_");
