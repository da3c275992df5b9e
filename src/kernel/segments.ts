import { gsm7Septets, gsm7SeptetsOf, isGsm7 } from "./gsm7.ts";
import { invariant } from "./result.ts";

/** GSM 7 bit default alphabet with its extension table, or UCS-2 (in fact UTF-16: handsets put surrogate pairs together). */
export type SmsEncoding = "gsm7" | "ucs2";

/** Capacity of a single message and of each part. Units: septets (`gsm7`) or UTF-16 code units (`ucs2`). */
export interface PartCapacity {
  readonly single: number;
  readonly multi: number;
}

/**
 * 140 octets of user data, less 6 for the concatenation header with an 8-bit reference where there are several parts.
 * Source: 3GPP TS 23.040, clauses 9.2.3.16 and 9.2.3.24.1.
 */
export const SEGMENT_CAPACITY: Readonly<Record<SmsEncoding, PartCapacity>> = {
  gsm7: { single: 160, multi: 153 },
  ucs2: { single: 70, multi: 67 },
};

/** The longest message that is accepted. */
export const SEGMENTS_MAX = 10;

/**
 * A text of more UTF-16 code units takes more than `SEGMENTS_MAX` segments in any form: no character of NFC comes from more
 * than four (U+1F82 does), and the GSM alphabet has the roomiest parts.
 */
export const TEXT_UNITS_MAX = 4 * SEGMENTS_MAX * SEGMENT_CAPACITY.gsm7.multi;

export interface Segmentation {
  readonly encoding: SmsEncoding;
  /** Septets or UTF-16 code units of the whole text. */
  readonly units: number;
  /** Billable parts; an empty text is one. */
  readonly segments: number;
  /** Units left before another segment is charged. */
  readonly unitsLeft: number;
}

/**
 * More combining marks in a row than any script writes: the bound of the Stream-Safe Text Format (UAX #15, section 13).
 * Normalising sorts each run of marks, which takes time that grows with the square of its length.
 */
export const COMBINING_MARKS_MAX = 30;
/** Begins where a run begins, so that no run is looked at again from its middle. */
const LONGER_RUN = new RegExp(`(?:^|\\P{M})\\p{M}{${COMBINING_MARKS_MAX + 1}}`, "u");

/**
 * The form in which a text is counted, stored and sent: NFC. Line ends stay as they are, because CR and LF are both sent.
 * Undefined when a run of combining marks is longer than `COMBINING_MARKS_MAX`. Cost: grows with the length alone.
 */
export const normaliseText = (text: string): string | undefined =>
  LONGER_RUN.test(text) ? undefined : text.normalize("NFC");

/**
 * How a text is encoded and charged. The text is in NFC already (`normaliseText`).
 * A pair (escape or surrogate) that does not fit at the end of a part moves whole to the next, so the number of segments can
 * be more than units ÷ capacity. Cost: one pass; UCS-2 is counted without looking at each character.
 */
export function segmentText(text: string): Segmentation {
  const encoding = isGsm7(text) ? "gsm7" : "ucs2";
  const units = unitsOf(text, encoding);
  const { single, multi } = SEGMENT_CAPACITY[encoding];
  if (units <= single) return { encoding, units, segments: 1, unitsLeft: single - units };
  const starts = partStarts(text, encoding, multi);
  const unitsInLast = unitsOf(text.slice(starts.at(-1)), encoding);
  return { encoding, units, segments: starts.length, unitsLeft: multi - unitsInLast };
}

/**
 * The text of each part, in order; together they are the text. As many parts as `segmentText` charges when `perPart` is
 * `SEGMENT_CAPACITY[encoding]`. An escape or surrogate pair is never cut (3GPP TS 23.040, clause 9.2.3.24.1).
 * Handsets put parts together before they show them, but some show early parts alone, so a grapheme (a letter with its
 * combining marks, a joined emoji) is kept whole too, unless moving it to the next part would make one part more than the
 * customer pays for.
 * Errors: throws when the text is not in the encoding's alphabet, or a part can't hold a pair.
 */
export function splitText(text: string, encoding: SmsEncoding, perPart: PartCapacity): string[] {
  if (unitsOf(text, encoding) <= perPart.single) return [text];
  invariant(perPart.multi >= 2, "a part holds at least one escape or surrogate pair");
  const plain = partStarts(text, encoding, perPart.multi);
  // Characters of the GSM alphabet never combine: only UCS-2 has graphemes worth keeping.
  const starts = encoding === "gsm7" ? plain : graphemePartStarts(text, perPart.multi, plain.length);
  return starts.map((start, part) => text.slice(start, starts[part + 1]));
}

const unitsOf = (text: string, encoding: SmsEncoding): number =>
  encoding === "gsm7" ? gsm7Septets(text) : text.length;

/** Index at which each part starts when every part takes all that fits: the fewest parts possible. */
const partStarts = (text: string, encoding: SmsEncoding, unitsMax: number): number[] =>
  encoding === "gsm7" ? gsm7PartStarts(text, unitsMax) : ucs2PartStarts(text, unitsMax);

function gsm7PartStarts(text: string, septetsMax: number): number[] {
  const starts = [0];
  let septets = 0;
  for (let index = 0; index < text.length; index++) {
    const width = gsm7SeptetsOf(text.charCodeAt(index));
    if (septets + width > septetsMax) {
      starts.push(index);
      septets = 0;
    }
    septets += width;
  }
  return starts;
}

function ucs2PartStarts(text: string, unitsMax: number): number[] {
  const starts = [0];
  let next = unitsMax;
  while (next < text.length) {
    if (cutsSurrogatePair(text, next)) next -= 1;
    starts.push(next);
    next += unitsMax;
  }
  return starts;
}

const graphemeSegmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Like `ucs2PartStarts`, into as many `parts`, but each starts with a whole grapheme wherever that many parts allow it. */
function graphemePartStarts(text: string, unitsMax: number, parts: number): number[] {
  const graphemes = graphemeSegmenter.segment(text);
  const earliest = earliestPartStarts(text, unitsMax, parts);
  const starts = [0];
  let start = 0;
  for (let part = 1; part < parts; part++) {
    let latest = start + unitsMax;
    if (cutsSurrogatePair(text, latest)) latest -= 1;
    const graphemeStart = graphemes.containing(latest)?.index ?? latest;
    start = graphemeStart >= earliest[part]! ? graphemeStart : latest;
    starts.push(start);
  }
  return starts;
}

/** By part: the earliest index it may start at so that the rest still fits into it and the parts after it. Filled from the end. */
function earliestPartStarts(text: string, unitsMax: number, parts: number): number[] {
  const earliest: number[] = new Array(parts).fill(0);
  let start = text.length;
  for (let part = parts - 1; part > 0; part--) {
    start -= unitsMax;
    if (cutsSurrogatePair(text, start)) start += 1;
    earliest[part] = start;
  }
  return earliest;
}

const cutsSurrogatePair = (text: string, index: number): boolean =>
  (text.charCodeAt(index - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(index) & 0xfc00) === 0xdc00;
