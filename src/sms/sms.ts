import { addressKey } from "../kernel/address.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../kernel/duration.ts";
import { isGsm7 } from "../kernel/gsm7.ts";
import { parseMsisdn } from "../kernel/msisdn.ts";
import type { Fault } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import {
  COMBINING_MARKS_MAX,
  normaliseText,
  SEGMENT_CAPACITY,
  SEGMENTS_MAX,
  type Segmentation,
  segmentText,
  TEXT_UNITS_MAX,
} from "../kernel/segments.ts";
import { type Replacement, type SmartlyEncoded, smartEncode } from "./smart-encoding.ts";

/**
 * What is wrong with one field of a send, with its place in the body of a single send. `message_too_long` and
 * `sender_not_approved` refuse a request by their own names, all others as `validation_failed`.
 */
export interface SmsFault extends Fault {
  readonly pointer: string;
  readonly code:
    | "message_too_long"
    | "sender_not_approved"
    | "too_short"
    | "too_many_marks"
    | "sender_form"
    | "out_of_range";
}

/** A message as it is stored, priced and sent. */
export interface PreparedText extends SmartlyEncoded, Segmentation {}

/**
 * Brings a text into the form that is sent, and counts it. Errors: empty, more than `SEGMENTS_MAX` segments, or too many
 * combining marks in a row. Cost: grows with the length alone, up to `TEXT_UNITS_MAX`.
 */
export function prepareText(message: string, smartEncoding: boolean): Result<PreparedText, SmsFault> {
  if (message.length > TEXT_UNITS_MAX) {
    return tooLong(`The message has ${message.length} characters; no more than ${TEXT_UNITS_MAX} are looked at`);
  }
  const anyLength = prepareAnyLength(message, smartEncoding);
  if (!anyLength.ok) return anyLength;
  const prepared = anyLength.value;
  if (prepared.text === "") {
    return refuse({ pointer: "/message", code: "too_short", detail: "The message is empty." });
  }
  const { encoding, units, segments } = prepared;
  if (segments <= SEGMENTS_MAX) return ok(prepared);
  const kind = encoding === "gsm7" ? "GSM-7 characters" : "UCS-2 characters";
  const unitsMax = SEGMENTS_MAX * SEGMENT_CAPACITY[encoding].multi;
  return tooLong(
    `The message takes ${segments} segments (${units} ${kind}); at most ${SEGMENTS_MAX} are accepted (${unitsMax})`,
  );
}

const tooLong = (why: string) => refuse<SmsFault>({ pointer: "/message", code: "message_too_long", detail: `${why}.` });

function prepareAnyLength(message: string, smartEncoding: boolean): Result<PreparedText, SmsFault> {
  const normalised = normaliseText(message);
  if (normalised === undefined) {
    const detail = `The message has more than ${COMBINING_MARKS_MAX} combining marks in a row, which no script writes. Take them out.`;
    return refuse({ pointer: "/message", code: "too_many_marks", detail });
  }
  const smart = smartEncoding ? smartEncode(normalised) : { text: normalised, replacements: [] };
  return ok({ ...smart, ...segmentText(smart.text) });
}

/** `index` counts UTF-16 code units from 0. */
export interface NonGsmCharacter {
  readonly character: string;
  readonly index: number;
}

export interface TextPreview extends PreparedText {
  /** Each code point that forces UCS-2, in order. */
  readonly nonGsmCharacters: readonly NonGsmCharacter[];
  /** What `smart_encoding` would send instead, when that makes a difference. */
  readonly suggestion?: {
    readonly text: string;
    readonly segments: number;
    readonly replacements: readonly Replacement[];
  };
}

/**
 * How a text would be sent and counted, whatever its length, and what makes it dear. Errors: too many combining marks in a
 * row.
 */
export function previewText(message: string, smartEncoding: boolean): Result<TextPreview, SmsFault> {
  const anyLength = prepareAnyLength(message, smartEncoding);
  if (!anyLength.ok) return anyLength;
  const prepared = anyLength.value;
  if (prepared.encoding === "gsm7") return ok({ ...prepared, nonGsmCharacters: [] });
  const nonGsmCharacters = findNonGsmCharacters(prepared.text);
  const { text, replacements } = smartEncode(prepared.text);
  if (replacements.length === 0) return ok({ ...prepared, nonGsmCharacters });
  const { segments } = segmentText(text);
  return ok({ ...prepared, nonGsmCharacters, suggestion: { text, segments, replacements } });
}

function findNonGsmCharacters(text: string): NonGsmCharacter[] {
  const found: NonGsmCharacter[] = [];
  let index = 0;
  for (const character of text) {
    if (!isGsm7(character)) found.push({ character, index });
    index += character.length;
  }
  return found;
}

/** Letters are ASCII: the networks register no others. Single spaces between words. */
const ALPHANUMERIC_SENDER = /^(?=.{3,11}$)(?=.*[A-Za-z])[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;
const STRAY_SPACE = /^ | $| {2}/;
const SHORT_CODE = /^\d{3,8}$/;
const INTERNATIONAL_NUMBER = /^\+[1-9]\d{6,14}$/;

const SENDER_FORM =
  "A sender is 3 to 11 letters (A–Z), digits and spaces with one letter at least, a short code of 3 to 8 digits, or a number like +2348031234567.";
/** `"Afara "` would look like `"Afara"` on a handset and be another sender to the networks. */
const SENDER_SPACES = "A sender has no space at its start or end and no two in a row. Take them out.";

/**
 * A sender as it is stored and handed to adapters: the alphanumeric sender ID as written (networks compare case), a short
 * code, or the digits of an international number without `+`. Nigerian mobile numbers may come in any form.
 */
export function parseSender(from: string): Result<string, SmsFault> {
  if (ALPHANUMERIC_SENDER.test(from) || SHORT_CODE.test(from)) return ok(from);
  if (INTERNATIONAL_NUMBER.test(from)) return ok(addressKey(from));
  const nigerian = parseMsisdn(from, "live");
  if (nigerian.ok) return ok(nigerian.value);
  const detail = STRAY_SPACE.test(from) ? SENDER_SPACES : SENDER_FORM;
  return refuse({ pointer: "/from", code: "sender_form", detail });
}

/** How far ahead `send_at` may be. A minute keeps a late clock from asking for the past; test mode is for the impatient. */
export const SEND_AHEAD_MIN_MS = { live: MINUTE_MS, test: SECOND_MS } as const;
export const SEND_AHEAD_MAX_MS = 30 * DAY_MS;

/** What is wrong with `send_at`; undefined when nothing is. Both bounds are allowed themselves. */
export function sendAtFault(sendAt: Date, now: Date, mode: "live" | "test"): SmsFault | undefined {
  const aheadMs = sendAt.getTime() - now.getTime();
  if (aheadMs >= SEND_AHEAD_MIN_MS[mode] && aheadMs <= SEND_AHEAD_MAX_MS) return undefined;
  const nearest = mode === "live" ? "1 minute" : "1 second";
  return {
    pointer: "/send_at",
    code: "out_of_range",
    detail: `send_at must be ${nearest} to 30 days ahead; it is now ${now.toISOString()}.`,
  };
}

/** Bounds and default of `validity_minutes`. */
export const VALIDITY_MINUTES = { min: 1, max: 4320, default: 1440 } as const;

/** When a message stops being worth sending. `start` is its acceptance, or its `send_at`. */
export const expiresAt = (start: Date, validityMinutes: number): Date =>
  new Date(start.getTime() + validityMinutes * MINUTE_MS);
