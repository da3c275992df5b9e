import type { FailureCode } from "../../kernel/failures.ts";
import { isGsm7 } from "../../kernel/gsm7.ts";
import { ok, type Result, refuse } from "../../kernel/result.ts";
import { type PartCapacity, SEGMENT_CAPACITY, type SmsEncoding, splitText } from "../../kernel/segments.ts";
import type { SmsPayload } from "../../kernel/sms-payload.ts";
import { correlationOf, type ProviderTask } from "../provider.ts";
import type { SubmitDraft } from "./session.ts";
import type { LongMessages, SmppSettings, TonNpi } from "./settings.ts";
import { encodeDefaultAlphabet, encodeUcs2 } from "./text.ts";
import { type ConcatPart, concatHeader, ESM_CLASS_UDHI, sarTlvs } from "./wire/concat.ts";
import { formatAbsoluteTime, formatRelativeTime } from "./wire/time.ts";
import { TAG, type Tlv, tlvOctets, tlvU16 } from "./wire/tlv.ts";

/** Why a task can't be written as submit_sm at all. Certain: nothing was sent. */
export interface Unsendable {
  readonly code: FailureCode;
  readonly detail: string;
}

/** A header with a 16-bit reference takes one octet more: 133 octets are left, 152 septets or 66 code units. */
const CAPACITY_UDH16: Readonly<Record<SmsEncoding, PartCapacity>> = {
  gsm7: { single: SEGMENT_CAPACITY.gsm7.single, multi: 152 },
  ucs2: { single: SEGMENT_CAPACITY.ucs2.single, multi: 66 },
};

/** With sar_* the SMSC writes the header itself, as a rule with an 8-bit reference; so parts are as long as with udh8. */
const capacityOf = (encoding: SmsEncoding, longMessages: LongMessages): PartCapacity =>
  longMessages === "udh16" ? CAPACITY_UDH16[encoding] : SEGMENT_CAPACITY[encoding];

/** The settings that decide how many submits a text takes. */
type PartSettings = Pick<SmppSettings, "defaultAlphabet" | "longMessages">;

export interface EncodedText {
  readonly encoding: SmsEncoding;
  /** User data of each part without a header; one element with message_payload, however long. */
  readonly parts: readonly Buffer[];
}

/**
 * Cuts and encodes a text. A GSM-7 text with characters that this SMSC's default alphabet lacks (`€` on a Latin-1 one) goes as
 * UCS-2, in more parts than were charged: the handset must show what was written. So does one that is not GSM-7 after all.
 */
export function encodeParts(
  { text, encoding }: Pick<SmsPayload, "text" | "encoding">,
  settings: PartSettings,
): EncodedText {
  const cut = (as: SmsEncoding): string[] =>
    settings.longMessages === "message_payload" ? [text] : splitText(text, as, capacityOf(as, settings.longMessages));
  if (encoding === "gsm7" && isGsm7(text)) {
    const parts = cut("gsm7").map((part) => encodeDefaultAlphabet(part, settings.defaultAlphabet));
    if (parts.every((part) => part !== undefined)) return { encoding: "gsm7", parts };
  }
  return { encoding: "ucs2", parts: cut("ucs2").map(encodeUcs2) };
}

/** The submit_sm of one piece, or why there can't be one. Pure: the same task and piece give the same octets at the same time. */
export function submitOf(
  task: ProviderTask<SmsPayload>,
  piece: number,
  settings: SmppSettings,
  now: Date,
): Result<SubmitDraft, Unsendable> {
  const source = sourceOf(task.payload.from, settings);
  if (source === undefined)
    return refuse({ code: "sender_refused", detail: "the sender does not fit SMPP's 20 octets" });
  if (!/^\d{3,15}$/.test(task.recipient)) {
    return refuse({ code: "invalid_number", detail: "the recipient is not an E.164 number without +" });
  }
  const remainingMs = task.expiresAt === null ? null : task.expiresAt.getTime() - now.getTime();
  if (remainingMs !== null && remainingMs <= 0) {
    return refuse({ code: "validity_expired", detail: "the validity ran out before the message was sent" });
  }
  const { encoding, parts } = encodeParts(task.payload, settings);
  const userData = parts[piece];
  if (userData === undefined) {
    return refuse({
      code: "payload_unreadable",
      detail: `the message has ${parts.length} pieces, not a piece ${piece}`,
    });
  }
  const body = carry(
    userData,
    encoding,
    concatOf(task, piece, parts.length, settings.longMessages),
    settings.longMessages,
  );
  return ok({
    command: "submit_sm",
    service_type: settings.serviceType,
    source_addr_ton: source.ton,
    source_addr_npi: source.npi,
    source_addr: source.address,
    dest_addr_ton: settings.destination.ton,
    dest_addr_npi: settings.destination.npi,
    destination_addr: settings.destinationPlus ? `+${task.recipient}` : task.recipient,
    esm_class: body.esmClass,
    validity_period: validityOf(remainingMs, now, settings.validity),
    registered_delivery: settings.registeredDelivery,
    data_coding: encoding === "ucs2" ? settings.dataCodingUcs2 : settings.dataCodingGsm,
    short_message: body.shortMessage,
    tlvs: [...body.tlvs, ...ownTlvs(task, piece, settings.traceTlv)],
  });
}

/**
 * The reference is a function of order and attempt: a repeated piece of the same attempt joins the parts that are already there,
 * and another attempt's parts are not mixed with this one's.
 */
function concatOf(
  task: Pick<ProviderTask, "orderId" | "attempt">,
  piece: number,
  total: number,
  longMessages: LongMessages,
): ConcatPart | null {
  if (total === 1) return null;
  const referenceBits = longMessages === "udh8" ? 8 : 16;
  const reference = correlationOf(task.orderId, task.attempt, 0) & (referenceBits === 8 ? 0xff : 0xffff);
  return { reference, total, part: piece + 1, referenceBits };
}

interface Carried {
  readonly esmClass: number;
  readonly shortMessage: Buffer;
  readonly tlvs: readonly Tlv[];
}

const NOTHING = Buffer.alloc(0);

function carry(
  userData: Buffer,
  encoding: SmsEncoding,
  concat: ConcatPart | null,
  longMessages: LongMessages,
): Carried {
  if (longMessages === "message_payload" && userData.length > singleOctets(encoding)) {
    return { esmClass: 0, shortMessage: NOTHING, tlvs: [tlvOctets(TAG.message_payload, userData)] };
  }
  if (concat === null) return { esmClass: 0, shortMessage: userData, tlvs: [] };
  if (longMessages === "sar") return { esmClass: 0, shortMessage: userData, tlvs: sarTlvs(concat) };
  return {
    esmClass: ESM_CLASS_UDHI,
    shortMessage: Buffer.concat([concatHeader(concat), userData]),
    tlvs: [],
  };
}

/** Octets in short_message: a septet or half a code unit each. */
const singleOctets = (encoding: SmsEncoding): number =>
  encoding === "gsm7" ? SEGMENT_CAPACITY.gsm7.single : SEGMENT_CAPACITY.ucs2.single * 2;

const ownTlvs = (task: ProviderTask, piece: number, traceTlv: boolean): readonly Tlv[] => {
  const reference = tlvU16(TAG.user_message_reference, correlationOf(task.orderId, task.attempt, piece));
  if (!traceTlv) return [reference];
  const trace = Buffer.from(`${task.orderId}/${task.attempt}/${piece}`, "latin1");
  return [reference, tlvOctets(TAG.afara_trace, trace)];
};

function validityOf(remainingMs: number | null, now: Date, validity: SmppSettings["validity"]): string {
  if (remainingMs === null || validity === "none") return "";
  return validity === "relative"
    ? formatRelativeTime(remainingMs)
    : formatAbsoluteTime(new Date(now.getTime() + remainingMs));
}

/** Up to this many digits it is a short code. Nigerian short codes have 3 to 6; national numbers start at 10. */
const SHORT_CODE_DIGITS_MAX = 6;

function sourceOf(from: string, settings: SmppSettings): (TonNpi & { readonly address: string }) | undefined {
  const digits = /^\+?(\d{1,20})$/.exec(from)?.[1];
  if (digits !== undefined) {
    const { ton, npi } =
      digits.length <= SHORT_CODE_DIGITS_MAX ? settings.sourceShortCode : settings.sourceInternational;
    return { ton, npi, address: digits };
  }
  if (!/^[\x20-\x7e]{1,20}$/.test(from)) return undefined;
  return { ...settings.sourceAlphanumeric, address: from };
}
