import { decodeGsm7Unpacked, encodeGsm7Unpacked } from "../../kernel/gsm7.ts";
import type { ShiftTables } from "../../kernel/gsm7-languages.ts";
import { type Charset, charsetOf } from "./wire/data-coding.ts";

/** What `data_coding` 0 means is the SMSC's choice. `gsm7`: GSM 03.38, one septet an octet. */
export type DefaultAlphabet = "gsm7" | "latin1" | "ascii";

const BEYOND_LATIN1 = /[\u0100-\uffff]/;
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Undefined when the alphabet lacks a character: then the text must go as UCS-2, because handsets must show it unchanged. */
export function encodeDefaultAlphabet(text: string, alphabet: DefaultAlphabet): Buffer | undefined {
  switch (alphabet) {
    case "gsm7":
      return encodeGsm7Unpacked(text);
    case "latin1":
      return BEYOND_LATIN1.test(text) ? undefined : Buffer.from(text, "latin1");
    case "ascii":
      return BEYOND_ASCII.test(text) ? undefined : Buffer.from(text, "latin1");
  }
}

/** UTF-16, big-endian: SMPP says UCS-2, handsets put surrogate pairs together. */
export const encodeUcs2 = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();

/** User data as it came in, its header taken off. */
export interface CodedText {
  readonly body: Buffer;
  readonly dataCoding: number;
  readonly shift?: ShiftTables;
}

/**
 * The text of an incoming message, or of the parts of one. Never throws. A byte order mark is obeyed and is no part of the text;
 * it also counts for the parts after its own, because only the first has one: `before` are parts that are not wanted themselves.
 */
export function decodeParts(
  parts: readonly CodedText[],
  alphabet: DefaultAlphabet,
  before: readonly CodedText[] = [],
): string {
  let isLittleEndian = false;
  let text = "";
  for (const part of [...before, ...parts]) {
    const { body, dataCoding, shift } = part;
    const charset = charsetOf(dataCoding);
    const mark = charset === "ucs2" ? body.toString("hex", 0, 2) : "";
    const isMarked = mark === "fffe" || mark === "feff";
    if (isMarked) isLittleEndian = mark === "fffe";
    if (before.includes(part)) continue;
    if (charset === "ucs2") text += decodeUcs2(isMarked ? body.subarray(2) : body, isLittleEndian);
    else if (charset !== "default") text += decodeCharset(body, charset);
    else text += alphabet === "gsm7" ? decodeGsm7Unpacked(body, shift) : body.toString("latin1");
  }
  return text;
}

/** The text of octets without a header. */
export const decodeText = (body: Buffer, dataCoding: number, alphabet: DefaultAlphabet): string =>
  decodeParts([{ body, dataCoding }], alphabet);

/** UTF-16. An odd last octet is half a character. A surrogate pair may be cut between two parts: the halves join again. */
function decodeUcs2(octets: Buffer, isLittleEndian: boolean): string {
  const whole = octets.subarray(0, octets.length & ~1);
  return (isLittleEndian ? whole : Buffer.from(whole).swap16()).toString("utf16le");
}

function decodeCharset(octets: Buffer, charset: Exclude<Charset, "default" | "ucs2">): string {
  switch (charset) {
    case "latin1":
      return octets.toString("latin1");
    case "jis":
      // ISO-2022-JP stays within seven bits; what does not is the same set in Shift_JIS.
      return new TextDecoder(octets.some((octet) => octet > 0x7f) ? "shift_jis" : "iso-2022-jp").decode(octets);
    default:
      return new TextDecoder(charset).decode(octets);
  }
}
