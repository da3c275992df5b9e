import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/**
 * Signatures of Standard Webhooks 1.0.0. Signed are the bytes `{id}.{timestamp}.{body}`, the timestamp being that of the attempt
 * in Unix seconds.
 */
export interface SigningKey {
  /** For `v1`, HMAC-SHA256. */
  readonly secret: Buffer;
  /** For `v1a`, Ed25519. */
  readonly privateKey: KeyObject;
}

/** The specification asks for 24 to 64 bytes. */
export const SECRET_BYTES = 32;
const SECRET_PREFIX = "whsec_";
const PUBLIC_PREFIX = "whpk_";

/** The prefix and padded base64 of the bytes: the prefix is no part of what is encoded. */
export const secretText = (secret: Buffer): string => SECRET_PREFIX + secret.toString("base64");

/** `whpk_` and the base64 of the 32 raw bytes of the key. */
export function publicKeyText(privateKey: KeyObject): string {
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  return PUBLIC_PREFIX + Buffer.from(x, "base64url").toString("base64");
}

export const makePrivateKey = (): KeyObject => generateKeyPairSync("ed25519").privateKey;

export const writePrivateKey = (key: KeyObject): string =>
  key.export({ format: "der", type: "pkcs8" }).toString("base64");

export const readPrivateKey = (text: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" });

/** The value of `webhook-signature`: both kinds by every key, separated by spaces. */
export function signaturesOf(keys: readonly SigningKey[], id: string, seconds: number, body: Buffer): string {
  const signed = Buffer.concat([Buffer.from(`${id}.${seconds}.`), body]);
  return [
    ...keys.map(({ secret }) => `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`),
    ...keys.map(({ privateKey }) => `v1a,${sign(null, signed, privateKey).toString("base64")}`),
  ].join(" ");
}
