import type { Delivery } from "./session.ts";
import { ESM_CLASS_UDHI, parseUserData, type UserData, withoutHeader } from "./wire/concat.ts";
import { findTlv, TAG } from "./wire/tlv.ts";

/** The octets of a delivery's text, wherever the SMSC put them; data_sm has only message_payload. */
export function octetsOf(delivery: Delivery): Buffer {
  if (delivery.command === "deliver_sm" && delivery.short_message.length > 0) return delivery.short_message;
  return findTlv(delivery.tlvs, TAG.message_payload) ?? Buffer.alloc(0);
}

/** The same, parted into header and body where esm_class says that there is a header. */
export const userDataOf = (delivery: Delivery): UserData =>
  (delivery.esm_class & ESM_CLASS_UDHI) === 0 ? withoutHeader(octetsOf(delivery)) : parseUserData(octetsOf(delivery));
