import type { FailureCode } from "../../kernel/failures.ts";
import type { SmsReportStatus } from "../../kernel/sms-payload.ts";
import type { ProviderReport } from "../provider.ts";
import { normaliseMessageId } from "./message-id.ts";
import type { Delivery } from "./session.ts";
import type { SmppSettings } from "./settings.ts";
import { decodeText } from "./text.ts";
import { octetsOf, userDataOf } from "./user-data.ts";
import { parseReceiptText, type ReceiptText, STAT_BY_MESSAGE_STATE } from "./wire/receipt.ts";
import { findTlv, readTlvCString, readTlvInteger, TAG } from "./wire/tlv.ts";

/** Message type bits of esm_class in what an SMSC delivers. SMPP 3.4, section 5.2.12. */
const ESM_CLASS_RECEIPT = 0x04;
const ESM_CLASS_INTERMEDIATE = 0x20;

interface StatMeaning {
  readonly status: SmsReportStatus;
  readonly code?: FailureCode;
}

const SENT: StatMeaning = { status: "sent" };
const UNDELIVERED: StatMeaning = { status: "undelivered", code: "not_delivered" };
const EXPIRED: StatMeaning = { status: "expired", code: "validity_expired" };
const REJECTED: StatMeaning = { status: "rejected", code: "rejected_by_network" };

/**
 * What `stat` says, in the specification's words (SMPP 3.4, appendix B; SCHEDULED and SKIPPED: 5.0) and in the longer ones that
 * some SMSCs write. UNKNOWN is what an SMSC says that lost track: the message may still arrive, so it is not final.
 */
export const STAT_TABLE: Readonly<Record<string, StatMeaning>> = {
  SCHEDULED: SENT,
  ENROUTE: SENT,
  ACCEPTD: SENT,
  ACCEPTED: SENT,
  UNKNOWN: SENT,
  DELIVRD: { status: "delivered" },
  DELIVERED: { status: "delivered" },
  EXPIRED: EXPIRED,
  DELETED: UNDELIVERED,
  UNDELIV: UNDELIVERED,
  UNDELIVERABLE: UNDELIVERED,
  REJECTD: REJECTED,
  REJECTED: REJECTED,
  SKIPPED: REJECTED,
};

/**
 * Why a message did not arrive, where the error number says more than `stat`. SMSCs commonly pass on the MAP error of the last
 * try; `receiptErrors` is for those that count in their own way.
 * Source: 3GPP TS 29.002, section 17.6 (MAP error codes, local values).
 */
export const MAP_ERRORS: ReadonlyMap<number, FailureCode> = new Map([
  [1, "invalid_number"], // unknownSubscriber
  [6, "absent_subscriber"], // absentSubscriberSM
  [13, "rejected_by_network"], // callBarred
  [27, "absent_subscriber"], // absentSubscriber
]);

/** A receipt has some 120 characters; more octets than this are not read. */
const RECEIPT_OCTETS_MAX = 2_000;
/** data_coding of UTF-16. */
const UCS2 = 0x08;

type ReportSettings = Pick<SmppSettings, "messageIds" | "receiptErrors">;

/**
 * A handset's owner can write any text, so words alone never make a receipt: the SMSC has to say so in esm_class or by naming
 * a message of ours in receipted_message_id.
 */
export function isReceipt(delivery: Delivery): boolean {
  return (
    (delivery.esm_class & (ESM_CLASS_RECEIPT | ESM_CLASS_INTERMEDIATE)) !== 0 ||
    findTlv(delivery.tlvs, TAG.receipted_message_id) !== undefined
  );
}

/** Type of number: national. SMPP 3.4, section 5.2.5. */
const TON_NATIONAL = 2;

/**
 * An address without `+`. A national number whose trunk 0 was left out gets it, because without its type nobody could tell it from
 * an international one.
 */
export const addressOf = (address: string, ton: number): string =>
  ton === TON_NATIONAL && /^[1-9]\d{9}$/.test(address) ? `0${address}` : address.replace(/^\+/, "");

/**
 * The text of a receipt. SMSCs write it in one coding and name another: many copy `data_coding` from the message that it is about,
 * and set the header's bit without a header. So it is read as it says it is written, and where that is no receipt, as it may be.
 * Its words are ASCII, so the default alphabet is read as that.
 */
function receiptTextOf(delivery: Delivery): ReceiptText {
  const all = octetsOf(delivery).subarray(0, RECEIPT_OCTETS_MAX);
  const text = userDataOf(delivery).body.subarray(0, RECEIPT_OCTETS_MAX);
  const readings = [
    () => decodeText(text, delivery.data_coding, "ascii"),
    () => text.toString("latin1"),
    () => decodeText(text, UCS2, "ascii"),
    () => all.toString("latin1"),
    () => text.toString("utf16le"),
  ];
  for (const reading of readings) {
    const parsed = parseReceiptText(reading());
    if (parsed !== undefined) return parsed;
  }
  return {};
}

/**
 * The report in a receipt; parameters count more than text. Undefined when nothing in it says which message it is about.
 * A receipt has no time zone and often no seconds, so `at` is when it came in; the SMSC's own words are in `facts`.
 */
export function reportOf(delivery: Delivery, settings: ReportSettings, receivedAt: Date): ProviderReport | undefined {
  const text = receiptTextOf(delivery);
  const id = readTlvCString(delivery.tlvs, TAG.receipted_message_id) || text.id;
  const correlation = readTlvInteger(delivery.tlvs, TAG.user_message_reference);
  if (id === undefined && correlation === undefined) return undefined;

  const state = readTlvInteger(delivery.tlvs, TAG.message_state);
  const stat = (state === undefined ? undefined : STAT_BY_MESSAGE_STATE[state]) ?? text.stat?.toUpperCase();
  const intermediate = (delivery.esm_class & ESM_CLASS_INTERMEDIATE) !== 0;
  const meaning = (intermediate || stat === undefined ? undefined : STAT_TABLE[stat]) ?? SENT;
  const error = networkErrorOf(delivery) ?? parseErr(text.err);
  const code = meaning.code === undefined ? undefined : (errorCode(error, meaning, settings) ?? meaning.code);

  return {
    ...(id === undefined ? {} : { providerReference: normaliseMessageId(id, settings.messageIds.receipt) }),
    status: meaning.status,
    at: receivedAt,
    ...(code === undefined ? {} : { code }),
    detail: `stat ${stat ?? "missing"}, err ${text.err ?? error ?? "missing"}`,
    facts: {
      ...(stat === undefined ? {} : { stat }),
      ...(text.err === undefined ? {} : { err: text.err }),
      ...(text.doneDate === undefined ? {} : { done_date: text.doneDate }),
      ...(error === undefined ? {} : { network_error: error }),
    },
    ...(correlation === undefined ? {} : { correlation }),
    recipient: addressOf(delivery.source_addr, delivery.source_addr_ton),
    sender: addressOf(delivery.destination_addr, delivery.dest_addr_ton),
  };
}

/** A MAP error explains `UNDELIV` only: what expired or was rejected did so by the SMSC's decision. */
function errorCode(error: number | undefined, meaning: StatMeaning, settings: ReportSettings): FailureCode | undefined {
  if (error === undefined) return undefined;
  return settings.receiptErrors.get(error) ?? (meaning.status === "undelivered" ? MAP_ERRORS.get(error) : undefined);
}

/** network_error_code: one octet network type, two octets number (SMPP 3.4, section 5.3.2.31). 0 is no error. */
function networkErrorOf(delivery: Delivery): number | undefined {
  const value = findTlv(delivery.tlvs, TAG.network_error_code);
  return value?.length === 3 ? value.readUInt16BE(1) || undefined : undefined;
}

/** `err` is decimal, or hexadecimal where it says so (`0x1b`, `1B`); letters such as `nul` are no number, 0 is no error. */
function parseErr(err: string | undefined): number | undefined {
  if (err === undefined) return undefined;
  if (/^\d{1,9}$/.test(err)) return Number.parseInt(err, 10) || undefined;
  return /^(0x)?[0-9a-f]{1,8}$/i.test(err) ? Number.parseInt(err, 16) || undefined : undefined;
}
