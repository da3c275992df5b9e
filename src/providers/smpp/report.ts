import type { FailureCode } from "../../kernel/failures.ts";
import { loggedCode } from "../../kernel/logged-code.ts";
import type { RareWarning } from "../../kernel/rare-warnings.ts";
import type { ProviderReport } from "../../ports/provider.ts";
import { addressOf } from "./address-of.ts";
import { normaliseMessageId } from "./message-id.ts";
import type { Delivery } from "./session.ts";
import type { SmppSettings } from "./settings.ts";
import { meaningOf, type ReadState, readState, type SaidState, type StatMeaning } from "./stat.ts";
import { decodeText } from "./text.ts";
import { octetsOf, receiptDataOf } from "./user-data.ts";
import { parseReceiptText, type ReceiptText } from "./wire/receipt.ts";
import { findTlv, readTlvCString, readTlvInteger, TAG } from "./wire/tlv.ts";

/** Message type bits of esm_class in what an SMSC delivers. SMPP 3.4, section 5.2.12. */
const ESM_CLASS_RECEIPT = 0x04;
const ESM_CLASS_INTERMEDIATE = 0x20;

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

type ReportSettings = Pick<SmppSettings, "messageIds" | "receiptErrors" | "receiptStats">;

/**
 * A handset's owner can write any text, so words alone never make a receipt: the SMSC has to say so in esm_class, or by a
 * parameter that only receipts have (SMPP 3.4, section 4.6.1).
 */
export function isReceipt(delivery: Delivery): boolean {
  return (
    (delivery.esm_class & (ESM_CLASS_RECEIPT | ESM_CLASS_INTERMEDIATE)) !== 0 ||
    findTlv(delivery.tlvs, TAG.receipted_message_id) !== undefined ||
    findTlv(delivery.tlvs, TAG.message_state) !== undefined
  );
}

/** Whether a message has a receipt's words, as the SMSC may have omitted the receipt flag. */
export function readsLikeReceipt(delivery: Delivery): boolean {
  const { id, stat } = receiptTextOf(delivery).fields;
  return id !== undefined && stat !== undefined;
}

/** How much a delivery says by itself, where it may be a part of a receipt. */
export interface ReceiptExtent {
  readonly id: string | undefined;
  readonly hasState: boolean;
  /** It has the message's ID and its status, and neither may be truncated. */
  readonly isCertain: boolean;
}

export function readReceipt(delivery: Delivery): ReceiptExtent {
  const { text, fields } = receiptTextOf(delivery);
  // What one more character would change may be cut.
  const longer = parseReceiptText(`${text}0`);
  const idByParameter = readTlvCString(delivery.tlvs, TAG.receipted_message_id) || undefined;
  const state = readTlvInteger(delivery.tlvs, TAG.message_state);
  const uncut = (key: "id" | "stat" | "err") => fields[key] === longer?.[key];
  return {
    id: idByParameter ?? fields.id,
    hasState: (state ?? fields.stat) !== undefined,
    isCertain:
      (idByParameter !== undefined || (fields.id !== undefined && uncut("id"))) &&
      (state !== undefined || (fields.stat !== undefined && uncut("stat") && uncut("err"))),
  };
}

/**
 * The text of a receipt. SMSCs write it in one coding and name another: many copy `data_coding` from the message that it is about,
 * and set the header's bit without a header. So it is read as it says it is written, and where that is no receipt, as it may be.
 * Its words are ASCII, so the default alphabet is read as that.
 */
function receiptTextOf(delivery: Delivery): { readonly text: string; readonly fields: ReceiptText } {
  const all = octetsOf(delivery).subarray(0, RECEIPT_OCTETS_MAX);
  const text = receiptDataOf(delivery).body.subarray(0, RECEIPT_OCTETS_MAX);
  const readings = [
    () => decodeText(text, delivery.data_coding, "ascii"),
    () => text.toString("latin1"),
    () => decodeText(text, UCS2, "ascii"),
    () => all.toString("latin1"),
    () => text.toString("utf16le"),
  ];
  for (const reading of readings) {
    const read = reading();
    const fields = parseReceiptText(read);
    if (fields !== undefined) return { text: read, fields };
  }
  return { text: "", fields: {} };
}

/**
 * The report in a receipt. Undefined when nothing in it says which message it is about. Some SMSCs put an id of their own into
 * `receipted_message_id` and ours into the text: where the two differ, the report has both.
 * A receipt has no time zone and often no seconds, so `at` is when it came in; the SMSC's own words are in `facts`.
 * `warn` hears of states that nobody listed.
 */
export function reportOf(
  delivery: Delivery,
  settings: ReportSettings,
  receivedAt: Date,
  warn: RareWarning = () => undefined,
): ProviderReport | undefined {
  const text = receiptTextOf(delivery).fields;
  const [id, otherId] = idsOf(delivery, text, settings);
  const correlation = readTlvInteger(delivery.tlvs, TAG.user_message_reference);
  if (id === undefined && correlation === undefined) return undefined;

  // With both bits (0x24) it is a receipt from an SMSC that sets one more than it means.
  const isIntermediate = (delivery.esm_class & (ESM_CLASS_RECEIPT | ESM_CLASS_INTERMEDIATE)) === ESM_CLASS_INTERMEDIATE;
  const state = readTlvInteger(delivery.tlvs, TAG.message_state);
  const read = readState({ stat: text.stat, state }, settings.receiptStats);
  const { word } = read;
  const meaning = isIntermediate ? meaningOf("sent") : read.meaning;
  const doubt = !isIntermediate ? read.doubt : read.meaning.status === "delivered" ? "early" : undefined;
  if (doubt !== undefined) warnOf(doubt, read, meaning, { stat: text.stat, state, id }, warn);
  const error = networkErrorOf(delivery) ?? parseErr(text.err);
  const code = meaning.code === undefined ? undefined : (errorCode(error, meaning, settings) ?? meaning.code);

  return {
    ...(id === undefined ? {} : { providerReference: id }),
    ...(otherId === undefined ? {} : { otherReference: otherId }),
    status: meaning.status,
    at: receivedAt,
    ...(code === undefined ? {} : { code }),
    detail: `stat ${word ?? "missing"}, err ${text.err ?? error ?? "missing"}`,
    facts: {
      ...(word === undefined ? {} : { stat: word }),
      ...(text.err === undefined ? {} : { err: text.err }),
      ...(text.doneDate === undefined ? {} : { done_date: text.doneDate }),
      ...(error === undefined ? {} : { network_error: error }),
    },
    ...(correlation === undefined ? {} : { correlation }),
    recipient: addressOf(delivery.source_addr, delivery.source_addr_ton),
    sender: addressOf(delivery.destination_addr, delivery.dest_addr_ton),
  };
}

/** The message's id by the parameter, then by the text, in the form in which they are compared; the second only if it is another. */
function idsOf(delivery: Delivery, text: ReceiptText, { messageIds }: ReportSettings): readonly string[] {
  const ids = [readTlvCString(delivery.tlvs, TAG.receipted_message_id), text.id]
    .filter((id) => id !== undefined && id.trim() !== "")
    .map((id) => normaliseMessageId(id!, messageIds.receipt));
  return [...new Set(ids)];
}

const DOUBTS = {
  unlisted: "a receipt has a state that nobody listed, so its message stays sent: say what it means in receiptStats",
  missing: "a receipt says no state, so its message stays sent",
  contradictory: "a receipt's message_state and stat say different things",
  early: "an intermediate notification says that its message was delivered; it stays sent until a receipt says so",
} as const;

function warnOf(
  doubt: keyof typeof DOUBTS,
  { word }: ReadState,
  meaning: StatMeaning,
  said: SaidState & { readonly id: string | undefined },
  warn: RareWarning,
): void {
  const { stat, state, id } = said;
  warn(
    `${doubt} ${word ?? ""} ${state ?? ""}`,
    {
      ...(stat !== undefined && { stat: loggedCode(stat) ?? "no code" }),
      ...(state !== undefined && { message_state: state }),
      ...(id !== undefined && { id: id.slice(0, LOGGED_MAX) }),
      taken_as: meaning.status,
    },
    DOUBTS[doubt],
  );
}
const LOGGED_MAX = 65;

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
