import { createHash, timingSafeEqual } from "node:crypto";

export const SIGNATURE_HEADER = "x-buypower-signature";

/**
 * What the vendor signs an answer with: the SHA-512 of the body and the account's token, one after the other.
 * Source: the vendor's documentation, Making Requests. That it is in hexadecimal is not said there.
 */
export const signatureOf = (body: string | Buffer, token: string): string =>
  createHash("sha512").update(body).update(token).digest("hex");

/** Whether an answer is the vendor's. */
export function isSigned(body: string | Buffer, token: string, signature: string | null): boolean {
  const expected = Buffer.from(signatureOf(body, token), "hex");
  const given = Buffer.from(signature ?? "", "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
