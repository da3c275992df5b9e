import type { Uuid } from "../kernel/ids.ts";
import { makeSeal } from "../kernel/seal.ts";
import { readPrivateKey, type SigningKey, writePrivateKey } from "./signing.ts";

/** The keys of an endpoint as they are stored. */
export interface SealedKey {
  readonly id: Uuid;
  readonly secret: string;
  readonly privateKey: string;
}

/**
 * Secrets and private keys must be recoverable to sign with them, so they are sealed at rest, each under a purpose of its own and
 * bound to its row. Receivers' answers are sealed because they may repeat what was delivered, e.g. an electricity token.
 */
export interface WebhookSeal {
  sealKey(id: Uuid, key: SigningKey): SealedKey;
  /** Throws if it was tampered with, or sealed with another secret. */
  openKey(sealed: SealedKey): SigningKey;
  sealAnswer(attemptId: Uuid, text: string): string;
  openAnswer(attemptId: Uuid, sealed: string): string;
}

export function makeWebhookSeal(secret: string): WebhookSeal {
  const secrets = makeSeal(secret, "webhook secrets v1");
  const privateKeys = makeSeal(secret, "webhook private keys v1");
  const answers = makeSeal(secret, "webhook answers v1");
  return {
    sealKey: (id, key) => ({
      id,
      secret: secrets.seal(id, key.secret.toString("base64")),
      privateKey: privateKeys.seal(id, writePrivateKey(key.privateKey)),
    }),
    openKey: ({ id, secret, privateKey }) => ({
      secret: Buffer.from(secrets.open(id, secret), "base64"),
      privateKey: readPrivateKey(privateKeys.open(id, privateKey)),
    }),
    sealAnswer: (attemptId, text) => answers.seal(attemptId, text),
    openAnswer: (attemptId, sealed) => answers.open(attemptId, sealed),
  };
}
