import { createHmac } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Mode } from "../kernel/mode.ts";

/** `afara_<live|test>_` + 30 base62 characters of randomness (about 178 bits) + 6 of CRC-32. Ready for secret scanners. */
export const API_KEY_PATTERN = /\bafara_(?:live|test)_[0-9A-Za-z]{36}\b/;

const EXACT = /^afara_(live|test)_[0-9A-Za-z]{36}$/;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6; // 62^6 > 2^32

/** Bytes at or over this are discarded: 248 is the largest multiple of 62 in a byte, so every digit is equally likely. */
const FAIR_BYTES_MAX = 248;

/** A new key in full: shown once, and stored only as its `hashApiKey`. */
export function makeApiKey(mode: Mode, randomBytes: (size: number) => Uint8Array): string {
  let secret = "";
  while (secret.length < SECRET_LENGTH) {
    for (const byte of randomBytes(SECRET_LENGTH)) {
      if (byte < FAIR_BYTES_MAX && secret.length < SECRET_LENGTH) secret += BASE62[byte % 62];
    }
  }
  const unsealed = `afara_${mode}_${secret}`;
  return unsealed + checksumOf(unsealed);
}

/** The mode in a key's text; undefined if its form or checksum is wrong, so that a typo needs no look-up. */
export function checkApiKeyFormat(text: string): Mode | undefined {
  const mode = EXACT.exec(text)?.[1];
  if (mode !== "live" && mode !== "test") return undefined;
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH) ? mode : undefined;
}

/** The visible parts of a key: the prefix with four characters, and the last four. */
export const keyEnds = (key: string): { readonly start: string; readonly last4: string } => ({
  start: key.slice(0, -SECRET_LENGTH - CHECKSUM_LENGTH + 4),
  last4: key.slice(-4),
});

/** The stored form of a key: HMAC-SHA-256 under the server's pepper, 32 bytes. A key is random, so no slow hash is needed. */
export const hashApiKey = (pepper: string | Uint8Array, key: string): Buffer =>
  createHmac("sha256", pepper).update(key).digest();

/** CRC-32 (IEEE) in base62, most significant digit first, left-padded with `0`. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
