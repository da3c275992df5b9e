import type { Delivery } from "./session.ts";
import { ESM_CLASS_UDHI, hasHiddenHeader, parseUserData, type UserData, withoutHeader } from "./wire/concat.ts";
import { findTlv, TAG } from "./wire/tlv.ts";

/**
 * The octets of a delivery's text, wherever the SMSC put them; data_sm has only message_payload. Beside a payload, a short_message
 * of NULs or white space is what an SMSC writes that may not leave it empty.
 */
export function octetsOf(delivery: Delivery): Buffer {
  const payload = findTlv(delivery.tlvs, TAG.message_payload);
  const short = delivery.command === "deliver_sm" ? delivery.short_message : NOTHING;
  return payload === undefined || payload.length === 0 || !isBlank(short) ? short : payload;
}

/** In ASCII and in UTF-16: NUL, the white space of controls, space. */
const isBlank = (octets: Buffer): boolean =>
  octets.every((octet) => octet === 0 || (octet >= 0x09 && octet <= 0x0d) || octet === 0x20);

const NOTHING = Buffer.alloc(0);

/** The same, parted into header and body where esm_class says that there is a header. */
export const userDataOf = (delivery: Delivery): UserData =>
  (delivery.esm_class & ESM_CLASS_UDHI) === 0 ? withoutHeader(octetsOf(delivery)) : parseUserData(octetsOf(delivery));

/** The same of a receipt: some SMSCs copy the header of the message that it is about, and not its bit. */
export const receiptDataOf = (delivery: Delivery): UserData => {
  const octets = octetsOf(delivery);
  return hasHiddenHeader(octets) ? parseUserData(octets) : userDataOf(delivery);
};
