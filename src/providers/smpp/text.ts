import { decodeGsm7Unpacked, encodeGsm7Unpacked } from "../../kernel/gsm7.ts";

/** What `data_coding` 0 means is the SMSC's choice. `gsm7`: GSM 03.38, one septet an octet. */
export type DefaultAlphabet = "gsm7" | "latin1" | "ascii";

/** data_coding values that mean the same everywhere (SMPP 3.4, section 5.2.19). */
const DATA_CODING = { smscDefault: 0x00, ucs2: 0x08 } as const;

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

/** The octets of an incoming message as text. Never throws; an unknown coding is read as Latin-1, which loses nothing. */
export function decodeText(octets: Buffer, dataCoding: number, alphabet: DefaultAlphabet): string {
  switch (dataCoding & 0x0f) {
    case DATA_CODING.smscDefault:
      return alphabet === "gsm7" ? decodeGsm7Unpacked(octets) : octets.toString("latin1");
    case DATA_CODING.ucs2:
      // An odd last octet is half a character.
      return Buffer.from(octets.subarray(0, octets.length & ~1))
        .swap16()
        .toString("utf16le");
    default:
      return octets.toString("latin1");
  }
}
