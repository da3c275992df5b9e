import type { Listed, OrderFilters } from "../../api/orders.ts";
import { today } from "../../pieces/time.ts";

const SERVICE_OF: Readonly<Record<string, string>> = { data: "airtime" };
const PREFIX_OF: Readonly<Record<string, string>> = { messages: "msg_", purchases: "pur_" };

/** Whether a new order belongs into the list. What is searched for, only the gateway knows to find. */
export function isIn(order: Listed, { find, kind, service, status, to }: OrderFilters): boolean {
  if (!/^(?:msg|pur)_/.test(order.id ?? "") || !("price" in order) || find) return false;
  if (kind && !order.id.startsWith(PREFIX_OF[kind] ?? "")) return false;
  if (service && (SERVICE_OF[order.object] ?? order.object) !== service) return false;
  return (!status || order.status === status) && (!to || to >= today());
}
