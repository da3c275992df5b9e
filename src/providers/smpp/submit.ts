import type { FailureCode } from "../../kernel/failures.ts";
import { isGsm7 } from "../../kernel/gsm7.ts";
import { ok, type Result, refuse } from "../../kernel/result.ts";
import { type PartCapacity, SEGMENT_CAPACITY, type SmsEncoding, splitText } from "../../kernel/segments.ts";
import { correlationOf, type ProviderTask } from "../../ports/provider.ts";
import type { SmsPayload } from "../../ports/sms-payload.ts";
import { baseReference } from "./concat-references.ts";
import type { SubmitDraft } from "./session.ts";
import type { LongMessages, SmppSettings, TonNpi } from "./settings.ts";
import { encodeDefaultAlphabet, encodeUcs2 } from "./text.ts";
import { type ConcatPart, concatHeader, ESM_CLASS_UDHI, sarTlvs } from "./wire/concat.ts";
import { isSeptets } from "./wire/data-coding.ts";
import { formatAbsoluteTime, formatRelativeTime } from "./wire/time.ts";
import { TAG, type Tlv, tlvOctets, tlvU16 } from "./wire/tlv.ts";

/** Why a task can't be encoded as submit_sm. Certain: nothing was sent. */
export interface Unsendable {
  readonly code: FailureCode;
  readonly detail: string;
}

/** How a text is written: `octets` is an alphabet of 8 bits, of which a message holds as many characters as octets. */
type Width = SmsEncoding | "octets";

/** A message holds 140 octets. A header of a part takes 6 of them, with a 16-bit reference 7 (3GPP TS 23.040, clause 9.2.3.24). */
const CAPACITY: Readonly<Record<Width, PartCapacity & { readonly multi16: number }>> = {
  gsm7: { ...SEGMENT_CAPACITY.gsm7, multi16: 152 },
  octets: { single: 140, multi: 134, multi16: 133 },
  ucs2: { ...SEGMENT_CAPACITY.ucs2, multi16: 66 },
};

/** With sar_* the SMSC writes the header itself, as a rule with an 8-bit reference; so parts are as long as with udh8. */
const capacityOf = (width: Width, longMessages: LongMessages): PartCapacity => {
  const { single, multi, multi16 } = CAPACITY[width];
  return { single, multi: longMessages === "udh16" ? multi16 : multi };
};

/** The settings that decide how many submits a text takes. */
type PartSettings = Pick<SmppSettings, "defaultAlphabet" | "longMessages" | "dataCodingGsm" | "optionalParameters">;

/** Without optional parameters the forms that are made of them go as parts with a header. */
const formOf = ({ longMessages, optionalParameters }: PartSettings): LongMessages =>
  optionalParameters === "never" && (longMessages === "sar" || longMessages === "message_payload")
    ? "udh8"
    : longMessages;

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
  const form = formOf(settings);
  const cut = (as: SmsEncoding, width: Width = as): string[] =>
    form === "message_payload" ? [text] : splitText(text, as, capacityOf(width, form));
  if (encoding === "gsm7" && isGsm7(text)) {
    const parts = cut("gsm7", widthOf("gsm7", settings)).map((part) =>
      encodeDefaultAlphabet(part, settings.defaultAlphabet),
    );
    if (parts.every((part) => part !== undefined)) return { encoding: "gsm7", parts };
  }
  return { encoding: "ucs2", parts: cut("ucs2").map(encodeUcs2) };
}

const widthOf = (encoding: SmsEncoding, { dataCodingGsm }: PartSettings): Width =>
  encoding === "gsm7" && !isSeptets(dataCodingGsm) ? "octets" : encoding;

/** The submit_sm of one piece, or why there can't be one. Pure: the same task and piece give the same octets at the same time. */
export function submitOf(
  task: ProviderTask<SmsPayload>,
  piece: number,
  settings: SmppSettings,
  now: Date,
  referenceOf: () => number = () => baseReference(task),
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
  const form = formOf(settings);
  const body = carry(userData, widthOf(encoding, settings), concatOf(referenceOf, piece, parts.length, form), form);
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
    tlvs: settings.optionalParameters === "never" ? [] : [...body.tlvs, ...ownTlvs(task, piece, settings.traceTlv)],
  });
}

function concatOf(referenceOf: () => number, piece: number, total: number, form: LongMessages): ConcatPart | null {
  if (total === 1) return null;
  const referenceBits = form === "udh8" ? 8 : 16;
  return { reference: referenceOf() & (referenceBits === 8 ? 0xff : 0xffff), total, part: piece + 1, referenceBits };
}

interface Carried {
  readonly esmClass: number;
  readonly shortMessage: Buffer;
  readonly tlvs: readonly Tlv[];
}

const NOTHING = Buffer.alloc(0);

function carry(userData: Buffer, width: Width, concat: ConcatPart | null, form: LongMessages): Carried {
  if (form === "message_payload" && userData.length > singleOctets(width)) {
    return { esmClass: 0, shortMessage: NOTHING, tlvs: [tlvOctets(TAG.message_payload, userData)] };
  }
  if (concat === null) return { esmClass: 0, shortMessage: userData, tlvs: [] };
  if (form === "sar") return { esmClass: 0, shortMessage: userData, tlvs: sarTlvs(concat) };
  return {
    esmClass: ESM_CLASS_UDHI,
    shortMessage: Buffer.concat([concatHeader(concat), userData]),
    tlvs: [],
  };
}

/** Octets in short_message: a septet, a character or half a code unit each. */
const singleOctets = (width: Width): number => CAPACITY[width].single * (width === "ucs2" ? 2 : 1);

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
