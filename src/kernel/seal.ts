import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts texts at rest: in rows, backups and logs. Each is bound to its subject, e.g. an order's ID. */
export interface Seal {
  seal(boundTo: string, text: string): string;
  /** Throws if it was tampered with, belongs to another subject, or was sealed with another secret or for another purpose. */
  open(boundTo: string, sealed: string): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key of its own for each purpose, derived from the server's secret (RFC 5869). */
export const derivedKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "afara", purpose, 32));

/**
 * AES-256-GCM under the key of a purpose. Shape: base64 of nonce, tag,
 * text.
 */
export function makeSeal(secret: string, purpose: string): Seal {
  const key = derivedKey(secret, purpose);
  return {
    seal(boundTo, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(boundTo));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
    },
    open(boundTo, sealed) {
      const bytes = Buffer.from(sealed, "base64");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES, // a shorter one could be guessed
      })
        .setAAD(Buffer.from(boundTo))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    },
  };
}
