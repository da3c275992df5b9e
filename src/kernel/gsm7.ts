import { LOCKING_SHIFT, type ShiftTables, SINGLE_SHIFT } from "./gsm7-languages.ts";
import { invariant } from "./result.ts";

/**
 * The GSM 7 bit default alphabet, code 0x00 first; 0x1B is the escape to the extension table.
 * Capital Ç is 0x09; small ç is not in it. Source: 3GPP TS 23.038, clause 6.2.1.
 */
const DEFAULT_ALPHABET =
  "@£$¥èéùìòÇ\nØø\rÅå" +
  "Δ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ" +
  " !\"#¤%&'()*+,-./" +
  "0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNO" +
  "PQRSTUVWXYZÄÖÑÜ§" +
  "¿abcdefghijklmno" +
  "pqrstuvwxyzäöñüà";

/** Characters sent as ESC and a code, so as two septets. Source: 3GPP TS 23.038, clause 6.2.1.1. */
const EXTENSION: readonly (readonly [code: number, character: string])[] = [
  [0x0a, "\f"],
  [0x14, "^"],
  [0x28, "{"],
  [0x29, "}"],
  [0x2f, "\\"],
  [0x3c, "["],
  [0x3d, "~"],
  [0x3e, "]"],
  [0x40, "|"],
  [0x65, "€"],
];

const ESCAPE = 0x1b;
const EXTENSION_BY_CODE = new Map(EXTENSION);

/** By UTF-16 code unit: septets the character takes (0 when it is not in the alphabet), and its code in its table. */
const SEPTETS = new Uint8Array(0x10000);
const CODES = new Uint8Array(0x10000);
for (let code = 0; code < 128; code++) {
  if (code === ESCAPE) continue;
  const unit = DEFAULT_ALPHABET.charCodeAt(code);
  SEPTETS[unit] = 1;
  CODES[unit] = code;
}
for (const [code, character] of EXTENSION) {
  const unit = character.charCodeAt(0);
  SEPTETS[unit] = 2;
  CODES[unit] = code;
}

/** Septets of one UTF-16 code unit: 1, 2 (extension table), or 0 when it is not in the alphabet. */
export const gsm7SeptetsOf = (codeUnit: number): number => SEPTETS[codeUnit] ?? 0;

/** Whether every character is in the default alphabet or its extension table. */
export function isGsm7(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (SEPTETS[text.charCodeAt(index)] === 0) return false;
  return true;
}

/** Septets that the text takes, extension characters counting two. Errors: throws unless `isGsm7(text)`. */
export function gsm7Septets(text: string): number {
  let septets = 0;
  for (let index = 0; index < text.length; index++) {
    const width = gsm7SeptetsOf(text.charCodeAt(index));
    invariant(width > 0, "only text of the GSM 7 bit alphabet is counted in septets");
    septets += width;
  }
  return septets;
}

/**
 * One septet in each octet, extension characters as ESC and code: the form that SMPP takes with `data_coding` 0 and whose
 * packing to 7 bits is the SMSC's. Errors: throws unless `isGsm7(text)`.
 */
export function encodeGsm7Unpacked(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(gsm7Septets(text));
  let at = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (SEPTETS[unit] === 2) bytes[at++] = ESCAPE;
    bytes[at++] = CODES[unit] ?? 0;
  }
  return bytes;
}

/**
 * The reverse of `encodeGsm7Unpacked`, for whatever a peer sends, in the tables of the languages that its header names: never
 * throws. After ESC, a code that the extension table lacks reads as the character of the main table, and a second or last ESC as
 * a space (3GPP TS 23.038, clause 6.2.1.1). An octet above 0x7F is no septet and reads as U+FFFD.
 */
export function decodeGsm7Unpacked(bytes: Uint8Array, { single, locking }: ShiftTables = {}): string {
  const locked = locking === undefined ? undefined : LOCKING_SHIFT.get(locking);
  const shifted = single === undefined ? undefined : SINGLE_SHIFT.get(single);
  const main = (code: number): string => locked?.get(code) ?? DEFAULT_ALPHABET[code] ?? "\ufffd";
  let text = "";
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes[index]!;
    if (code !== ESCAPE) {
      text += main(code);
      continue;
    }
    const escaped = bytes[++index];
    text +=
      escaped === undefined || escaped === ESCAPE
        ? " "
        : (shifted?.get(escaped) ?? EXTENSION_BY_CODE.get(escaped) ?? main(escaped));
  }
  return text;
}
