import { createHmac, timingSafeEqual } from "node:crypto";

/** Header that carries `signatureOf` the raw body. */
export const SIGNATURE_HEADER = "x-paystack-signature";

const SIGNATURE = /^[0-9a-f]{128}$/i;

/** HMAC-SHA512 of the very bytes with the secret key, in lower-case hex. A body that was parsed and written again has another. */
export const signatureOf = (secretKey: string, body: Buffer | string): string =>
  createHmac("sha512", secretKey).update(body).digest("hex");

/** In constant time: how much of a wrong signature is right can't be measured. */
export const isSigned = (secretKey: string, body: Buffer, signature: string | undefined): boolean =>
  signature !== undefined &&
  SIGNATURE.test(signature) &&
  timingSafeEqual(Buffer.from(signature, "hex"), Buffer.from(signatureOf(secretKey, body), "hex"));
