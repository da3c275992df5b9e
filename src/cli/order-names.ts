import { SERVICES } from "../app/services.ts";
import { formatChatAddress } from "../kernel/chat-address.ts";
import { decodeId, encodeId, type Uuid } from "../kernel/ids.ts";
import type { Order } from "../orders/order.ts";

/** IDs, recipients and vendor references as people write them. */

const PREFIXES = [...new Set(SERVICES.map(({ idPrefix }) => idPrefix))];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The format of an order ID, for refusals. */
export const ORDER_IDS = `${PREFIXES.map((prefix) => `${prefix}_…`).join(", ")} or a UUID`;

/** `msg_01k…` as subscribers quote it, or the UUID from the logs. */
export function readOrderId(text: string): Uuid | undefined {
  if (UUID.test(text)) return text as Uuid;
  return PREFIXES.map((prefix) => decodeId(prefix, text)).find((id) => id !== undefined);
}

const definitionOf = (service: string) => SERVICES.find((known) => known.service === service);

/** The ID that the subscriber sees. */
export function shownId({ service, id }: Pick<Order, "service" | "id">): string {
  const definition = definitionOf(service);
  return definition ? encodeId(definition.idPrefix, id) : id;
}

/** The recipient as its service writes it. Phone numbers are stored without `+`, as the networks write them. */
export const recipientText = ({ service, recipient }: Pick<Order, "service" | "recipient">): string =>
  definitionOf(service)?.recipient ? recipient : formatChatAddress(recipient);

/**
 * The forms in which a vendor's message ID may be stored: as text or as a number. SMSCs write the same ID in upper and lower case,
 * with leading zeros, and in hexadecimal in one place and decimal in another.
 */
export function referenceForms(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const [, hex] = /^(?:0x)?([0-9a-f]{1,32})$/.exec(lower) ?? [];
  const number = /^\d{1,39}$/.test(lower) ? [BigInt(lower).toString()] : [];
  return [
    ...new Set([
      text,
      lower,
      lower.replace(/^0+(?=.)/, ""),
      ...number,
      ...(hex ? [BigInt(`0x${hex}`).toString()] : []),
    ]),
  ];
}
