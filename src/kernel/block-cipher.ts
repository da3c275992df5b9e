import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";

/** Makes one 16-byte value opaque, and back. For what a caller may hold but should learn nothing from: places in lists. */
export interface BlockCipher {
  hide(block: Buffer): Buffer;
  show(block: Buffer): Buffer;
}

/** AES-128 on a single block under a key derived from the server's secret. No secrecy of equal values is claimed or needed. */
export function makeBlockCipher(secret: string, purpose: string): BlockCipher {
  const key = Buffer.from(hkdfSync("sha256", secret, "afara", purpose, 16));
  return {
    hide: (block) => createCipheriv("aes-128-ecb", key, null).setAutoPadding(false).update(block),
    show: (block) => createDecipheriv("aes-128-ecb", key, null).setAutoPadding(false).update(block),
  };
}
