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

export const SECRET_BYTES = 32;
/** By the specification. */
const SECRET_BYTES_MIN = 24;
const SECRET_BYTES_MAX = 64;
const SECRET_PREFIX = "whsec_";
const PUBLIC_PREFIX = "whpk_";

/** The prefix and padded base64 of the bytes: the prefix is no part of what is encoded. */
export const secretText = (secret: Buffer): string => SECRET_PREFIX + secret.toString("base64");

/** The bytes of a secret; undefined for what is no secret. */
export function readSecretText(text: string): Buffer | undefined {
  if (!text.startsWith(SECRET_PREFIX)) return undefined;
  const secret = Buffer.from(text.slice(SECRET_PREFIX.length), "base64");
  const isSound = secret.length >= SECRET_BYTES_MIN && secret.length <= SECRET_BYTES_MAX && secretText(secret) === text;
  return isSound ? secret : undefined;
}

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

/** The headers of one attempt to deliver `body`, the event with this id in its public form. */
export function deliveryHeaders(
  keys: readonly SigningKey[],
  id: string,
  at: Date,
  body: Buffer,
): Readonly<Record<string, string>> {
  const seconds = Math.floor(at.getTime() / 1_000);
  return {
    "content-type": "application/json",
    "user-agent": "Afara-Webhooks/1",
    accept: "*/*",
    "accept-encoding": "identity",
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signaturesOf(keys, id, seconds, body),
  };
}
