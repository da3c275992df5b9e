import { createHmac, timingSafeEqual } from "node:crypto";

/** Lower case, as Node gives header names. */
export const SIGNATURE_HEADER = "x-hub-signature-256";

/** Meta's signature of a webhook: HMAC-SHA256 of the raw bytes with the app secret. Source: Meta, webhooks, “Validating payloads”. */
export const signatureOf = (appSecret: string, body: string | Uint8Array): string =>
  `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`;

/** In constant time for signatures of the right length. */
export const isSigned = (appSecret: string, body: Uint8Array, signature: string): boolean =>
  isSame(signature, signatureOf(appSecret, body));

/** Compares two secrets in constant time; only whether their lengths differ shows. */
export function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
