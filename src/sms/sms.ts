import { isGsm7 } from "../kernel/gsm7.ts";
import { parseMsisdn } from "../kernel/msisdn.ts";
import type { Fault } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { normaliseText, SEGMENT_CAPACITY, SEGMENTS_MAX, type Segmentation, segmentText } from "../kernel/segments.ts";
import { type Replacement, type SmartlyEncoded, smartEncode } from "./smart-encoding.ts";

/** What is wrong with one field of a send, with its place in the body of a single send. */
export interface SmsFault extends Fault {
  readonly pointer: string;
  readonly code: "validation_failed" | "message_too_long";
}

/** A message as it is stored, priced and sent. */
export interface PreparedText extends SmartlyEncoded, Segmentation {}

/** Brings a text into the form that is sent, and counts it. Errors: empty, or more than `SEGMENTS_MAX` segments. */
export function prepareText(message: string, smartEncoding: boolean): Result<PreparedText, SmsFault> {
  const prepared = prepareAnyLength(message, smartEncoding);
  if (prepared.text === "") {
    return refuse({ pointer: "/message", code: "validation_failed", detail: "The message is empty." });
  }
  const { encoding, units, segments } = prepared;
  if (segments <= SEGMENTS_MAX) return ok(prepared);
  const unitsMax = SEGMENTS_MAX * SEGMENT_CAPACITY[encoding].multi;
  const kind = encoding === "gsm7" ? "GSM-7 characters" : "UCS-2 characters";
  return refuse({
    pointer: "/message",
    code: "message_too_long",
    detail: `The message takes ${segments} segments (${units} ${kind}); at most ${SEGMENTS_MAX} are accepted (${unitsMax}).`,
  });
}

function prepareAnyLength(message: string, smartEncoding: boolean): PreparedText {
  const normalised = normaliseText(message);
  const smart = smartEncoding ? smartEncode(normalised) : { text: normalised, replacements: [] };
  return { ...smart, ...segmentText(smart.text) };
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

/** How a text would be sent and counted, whatever its length, and what makes it dear. */
export function previewText(message: string, smartEncoding: boolean): TextPreview {
  const prepared = prepareAnyLength(message, smartEncoding);
  if (prepared.encoding === "gsm7") return { ...prepared, nonGsmCharacters: [] };
  const nonGsmCharacters = findNonGsmCharacters(prepared.text);
  const { text, replacements } = smartEncode(prepared.text);
  if (replacements.length === 0) return { ...prepared, nonGsmCharacters };
  const { segments } = segmentText(text);
  return { ...prepared, nonGsmCharacters, suggestion: { text, segments, replacements } };
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

/** Letters are ASCII: the networks register no others. */
const ALPHANUMERIC_SENDER = /^(?=.*[A-Za-z])[A-Za-z0-9 ]{3,11}$/;
const SHORT_CODE = /^\d{3,8}$/;
const INTERNATIONAL_NUMBER = /^\+[1-9]\d{6,14}$/;

/**
 * A sender as it is stored and handed to adapters: the alphanumeric sender ID as written (networks compare case), a short
 * code, or the digits of an international number without `+`. Nigerian mobile numbers may come in any form.
 */
export function parseSender(from: string): Result<string, SmsFault> {
  if (ALPHANUMERIC_SENDER.test(from) || SHORT_CODE.test(from)) return ok(from);
  if (INTERNATIONAL_NUMBER.test(from)) return ok(from.slice(1));
  const nigerian = parseMsisdn(from, "live");
  if (nigerian.ok) return ok(nigerian.value);
  return refuse({
    pointer: "/from",
    code: "validation_failed",
    detail:
      "A sender is 3 to 11 letters (A–Z), digits and spaces with one letter at least, a short code of 3 to 8 digits, or a number like +2348031234567.",
  });
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

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
    code: "validation_failed",
    detail: `send_at must be ${nearest} to 30 days ahead; it is now ${now.toISOString()}.`,
  };
}

/** Bounds and default of `validity_minutes`. */
export const VALIDITY_MINUTES = { min: 1, max: 4320, default: 1440 } as const;

/** When a message stops being worth sending. `start` is its acceptance, or its `send_at`. */
export const expiresAt = (start: Date, validityMinutes: number): Date =>
  new Date(start.getTime() + validityMinutes * MINUTE_MS);
