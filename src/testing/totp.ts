import { createHmac } from "node:crypto";

const STEP_SECONDS = 30;

/** What an authenticator app shows (RFC 6238). */
export function codeOf(totpUri: string, atMs = Date.now()): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 1_000 / STEP_SECONDS)));
  const digest = createHmac("sha1", fromBase32(new URL(totpUri).searchParams.get("secret")!))
    .update(counter)
    .digest();
  const offset = digest.at(-1)! & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** The one after it, which is taken, too: clocks of phones are not exact. */
export const nextCodeOf = (totpUri: string): string => codeOf(totpUri, Date.now() + STEP_SECONDS * 1_000);

export function fromBase32(text: string): Buffer {
  const bits = [...text.replace(/=+$/, "")]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
