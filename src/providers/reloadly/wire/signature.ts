import { createHmac, timingSafeEqual } from "node:crypto";

export const SIGNATURE_HEADER = "x-reloadly-signature";
/** Milliseconds since 1970, as a text. */
export const TIMESTAMP_HEADER = "x-reloadly-request-timestamp";

/**
 * What is signed. The vendor's public pages don't say, and clients that work differ, so it is a setting.
 * Source: docs/providers/reloadly.md, "Webhooks".
 */
export const SIGNED_FORMS = ["body:timestamp", "body.timestamp", "body"] as const;
export type SignedForm = (typeof SIGNED_FORMS)[number];

const SIGNATURE = /^[0-9a-f]{64}$/i;

/** HMAC-SHA256 over the very bytes that came, in lower-case hex. */
export function signatureOf(secret: string, body: Buffer | string, timestamp: string, form: SignedForm): string {
  const hmac = createHmac("sha256", secret).update(body);
  if (form !== "body") hmac.update((form === "body:timestamp" ? ":" : ".") + timestamp);
  return hmac.digest("hex");
}

/** In constant time: how much of a wrong signature is right can't be measured. */
export const isSigned = (
  secret: string,
  body: Buffer,
  timestamp: string,
  signature: string,
  form: SignedForm,
): boolean =>
  SIGNATURE.test(signature) &&
  timingSafeEqual(Buffer.from(signature, "hex"), Buffer.from(signatureOf(secret, body, timestamp, form), "hex"));
