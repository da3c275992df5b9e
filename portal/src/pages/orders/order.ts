import type { Listed, Order } from "../../api/orders.ts";

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

/** What it brings: a text, a plan, an amount. */
export function whatOf(order: Listed | Order): string {
  if ("message" in order && order.message) return order.message;
  if ("plan" in order && order.plan) return order.plan.name;
  if ("template" in order && order.template) return order.template.name;
  return "";
}

export const isPurchase = ({ id }: Pick<Order, "id">): boolean => id.startsWith("pur_");
