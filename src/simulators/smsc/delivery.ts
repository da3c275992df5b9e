import { encodeGsm7Unpacked, isGsm7 } from "../../kernel/gsm7.ts";
import { SEGMENT_CAPACITY, splitText } from "../../kernel/segments.ts";
import { concatHeader, ESM_CLASS_UDHI } from "../../providers/smpp/wire/concat.ts";
import { encodePdu, type PduDraft } from "../../providers/smpp/wire/pdu.ts";
import { formatReceiptText } from "../../providers/smpp/wire/receipt.ts";
import { TAG, type Tlv, tlvCString, tlvOctets, tlvU8, tlvU16 } from "../../providers/smpp/wire/tlv.ts";
import type { SmscFaults } from "./faults.ts";
import type { MoLine, ReceiptStat, SubmitLine } from "./log.ts";

/** A deliver_sm that is repeated until the ESME acknowledges it. */
export interface Delivery {
  /** Octets of the PDU; made for each sending, because the sequence number is the session's. */
  encode(sequence: number): Buffer;
  /** Called once, when the ESME has answered with status 0. */
  acknowledged(): void;
  /** The number of unacknowledged sends. */
  failures: number;
}

/** `message_state` of a receipt. SMPP 3.4, section 5.2.28. */
export const MESSAGE_STATE: Readonly<Record<ReceiptStat, number>> = { ENROUTE: 1, DELIVRD: 2, EXPIRED: 3, UNDELIV: 5 };

/** esm_class of a delivery receipt. SMPP 3.4, section 5.2.12. */
const ESM_CLASS_RECEIPT = 0x04;
const INTERNATIONAL = 1;
const ISDN = 1;
/** Network type of `network_error_code`: GSM. SMPP 3.4, section 5.3.2.31. */
const NETWORK_GSM = 3;

/** The message id as the wire shows it. */
export const wireId = (messageId: string, base: "decimal" | "hex"): string =>
  base === "decimal" ? messageId : Number(messageId).toString(16);

type ReceiptStyle = Pick<SmscFaults, "receiptForm" | "receiptIds">;

/** A delivery receipt. `doneAt`: the time of the final state. */
export function receiptPdu(
  line: SubmitLine & { readonly messageId: string },
  stat: ReceiptStat,
  doneAt: Date,
  style: ReceiptStyle,
): PduDraft<"deliver_sm"> {
  const id = wireId(line.messageId, style.receiptIds);
  const error = stat === "DELIVRD" || stat === "ENROUTE" ? 0 : (line.networkError ?? 0);
  const tlvs: Tlv[] = [];
  if (style.receiptForm !== "text_only") {
    tlvs.push(tlvCString(TAG.receipted_message_id, id), tlvU8(TAG.message_state, MESSAGE_STATE[stat]));
    if (error !== 0) tlvs.push(tlvOctets(TAG.network_error_code, Buffer.from([NETWORK_GSM, error >> 8, error & 0xff])));
    if (line.userMessageReference !== undefined)
      tlvs.push(tlvU16(TAG.user_message_reference, line.userMessageReference));
  }
  // The message's own text is left out, as operators do who may not keep it.
  const text = formatReceiptText({
    id,
    submittedAt: new Date(line.at),
    doneAt,
    stat,
    err: String(error).padStart(3, "0"),
  });
  return {
    command: "deliver_sm",
    sequence: 0,
    source_addr_ton: INTERNATIONAL,
    source_addr_npi: ISDN,
    source_addr: line.destination,
    destination_addr: line.source,
    esm_class: ESM_CLASS_RECEIPT,
    short_message: style.receiptForm === "tlvs_only" ? NOTHING : Buffer.from(text, "latin1"),
    tlvs,
  };
}

const NOTHING = Buffer.alloc(0);

/** A handset's message, one PDU for each part, joined by a header with an 8-bit reference. */
export function moPdus(line: MoLine): PduDraft<"deliver_sm">[] {
  const encoding = isGsm7(line.text) ? "gsm7" : "ucs2";
  const parts = splitText(line.text, encoding, SEGMENT_CAPACITY[encoding]);
  const reference = Number(line.messageId) & 0xff;
  return parts.map((part, index) => {
    const body = encoding === "gsm7" ? encodeGsm7Unpacked(part) : Buffer.from(part, "utf16le").swap16();
    const header =
      parts.length > 1 ? concatHeader({ reference, total: parts.length, part: index + 1, referenceBits: 8 }) : NOTHING;
    return {
      command: "deliver_sm",
      sequence: 0,
      source_addr_ton: INTERNATIONAL,
      source_addr_npi: ISDN,
      source_addr: line.source,
      destination_addr: line.destination,
      esm_class: parts.length > 1 ? ESM_CLASS_UDHI : 0,
      data_coding: encoding === "gsm7" ? 0 : 8,
      short_message: Buffer.concat([header, body]),
    };
  });
}

/** `pdu` is asked for at each sending: what the faults say then is what goes out. */
export const makeDelivery = (pdu: () => PduDraft<"deliver_sm">, acknowledged: () => void): Delivery => ({
  encode: (sequence) => encodePdu({ ...pdu(), sequence }),
  acknowledged,
  failures: 0,
});
