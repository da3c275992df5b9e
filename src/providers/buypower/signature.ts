import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Whether an answer is the vendor's: `x-buypower-signature` is the SHA-512 of the body and our token, one after the other.
 * Source: the vendor's documentation, Making Requests. That it is in hexadecimal is not said there.
 */
export function isSigned(body: string | Buffer, token: string, signature: string | null): boolean {
  const expected = createHash("sha512").update(body).update(token).digest();
  const given = Buffer.from(signature ?? "", "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
