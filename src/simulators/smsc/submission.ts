import { type ConcatPart, ESM_CLASS_UDHI, parseSar, parseUserData } from "../../providers/smpp/wire/concat.ts";
import { isSeptets } from "../../providers/smpp/wire/data-coding.ts";
import type { PduOf } from "../../providers/smpp/wire/pdu.ts";
import { COMMAND_STATUS } from "../../providers/smpp/wire/status.ts";
import { findTlv, readTlvCString, readTlvInteger, TAG } from "../../providers/smpp/wire/tlv.ts";
import type { SubmitLine, Trace } from "./log.ts";

/** What a submit_sm or data_sm says, without what the SMSC makes of it. */
export type Submission = Omit<
  SubmitLine,
  "kind" | "at" | "systemId" | "status" | "messageId" | "outcome" | "networkError" | "receipts"
>;

/** Reads the PDU, and gives the `command_status` with which any SMSC would refuse it (0: none). */
export function readSubmission(pdu: PduOf<"submit_sm"> | PduOf<"data_sm">): {
  readonly submission: Submission;
  readonly refusal: number;
} {
  const payload = findTlv(pdu.tlvs, TAG.message_payload);
  const shortMessage = pdu.command === "submit_sm" ? pdu.short_message : NOTHING;
  const data = shortMessage.length > 0 ? shortMessage : (payload ?? NOTHING);
  const { headerOctets, concat } = concatenationOf(pdu, data);
  const trace = traceOf(readTlvCString(pdu.tlvs, TAG.afara_trace));
  const userMessageReference = readTlvInteger(pdu.tlvs, TAG.user_message_reference);
  return {
    submission: {
      source: pdu.source_addr,
      destination: pdu.destination_addr,
      esmClass: pdu.esm_class,
      dataCoding: pdu.data_coding,
      registeredDelivery: pdu.registered_delivery,
      shortMessage: data.toString("hex"),
      ...(concat && { concatenation: { reference: concat.reference, total: concat.total, index: concat.part } }),
      ...(trace && { trace }),
      ...(userMessageReference !== undefined && { userMessageReference }),
    },
    refusal: refusalOf(pdu, {
      isTwice: shortMessage.length > 0 && payload !== undefined,
      // A payload is split by the SMSC itself, so it may be longer than a message.
      isTooLong: payload === undefined && !fits(pdu.data_coding, headerOctets, data.length - headerOctets),
    }),
  };
}

const NOTHING = Buffer.alloc(0);

function concatenationOf(
  pdu: PduOf<"submit_sm"> | PduOf<"data_sm">,
  data: Buffer,
): { readonly headerOctets: number; readonly concat: ConcatPart | undefined } {
  if (!(pdu.esm_class & ESM_CLASS_UDHI)) return { headerOctets: 0, concat: parseSar(pdu.tlvs) };
  const { body, concat } = parseUserData(data);
  return { headerOctets: data.length - body.length, concat: concat ?? parseSar(pdu.tlvs) };
}

/** Digits of an international number, with the `+` that some write though it does not belong there. */
const PHONE = /^\+?\d{3,15}$/;
/** An alphanumeric sender is at most 11 characters: 3GPP TS 23.040, clause 9.1.2.5. */
const SENDER = /^(\+?\d{1,15}|.{1,11})$/;

function refusalOf(
  pdu: PduOf<"submit_sm"> | PduOf<"data_sm">,
  message: { readonly isTwice: boolean; readonly isTooLong: boolean },
): number {
  if (!PHONE.test(pdu.destination_addr)) return COMMAND_STATUS.RINVDSTADR.code;
  if (!SENDER.test(pdu.source_addr)) return COMMAND_STATUS.RINVSRCADR.code;
  if (message.isTwice || message.isTooLong) return COMMAND_STATUS.RINVMSGLEN.code;
  return COMMAND_STATUS.ROK.code;
}

/**
 * Whether the user data goes into one message of 140 octets. The GSM alphabet comes with a septet in each octet and is packed on
 * air, where a header takes whole septets. Source: 3GPP TS 23.040, clause 9.2.3.24.
 */
function fits(dataCoding: number, headerOctets: number, bodyOctets: number): boolean {
  if (!isSeptets(dataCoding)) return headerOctets + bodyOctets <= 140;
  return Math.ceil((headerOctets * 8) / 7) + bodyOctets <= 160;
}

/** `order id/attempt/piece`; anything else is no trace. */
function traceOf(text: string | undefined): Trace | undefined {
  const [orderId, attempt, piece, ...rest] = text?.split("/") ?? [];
  if (orderId === undefined || attempt === undefined || piece === undefined || rest.length > 0) return undefined;
  const trace: Trace = { orderId, attempt: Number(attempt), piece: Number(piece) };
  return Number.isInteger(trace.attempt) && Number.isInteger(trace.piece) ? trace : undefined;
}
