import type { Models } from "../../api/client.ts";

export type Listed = Models["AnyListedOrder"];
export type Order = Models["AnyOrder"];

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

export const SERVICES = [
  { value: "", label: "All services" },
  { value: "sms", label: "SMS" },
  { value: "chat", label: "Chat" },
  { value: "airtime", label: "Airtime and data" },
  { value: "electricity", label: "Electricity" },
  { value: "cable", label: "Cable TV" },
];
