import { createHmac, hkdfSync } from "node:crypto";

/**
 * What an opt-out is kept under once its number is erased: the same for the same address, and the address can't be found from it
 * without the server's secret.
 */
export type ErasedName = (address: string) => string;

export function makeErasedName(secret: string): ErasedName {
  const key = Buffer.from(hkdfSync("sha256", secret, "afara", "erased numbers v1", 32));
  return (address) => `erased:${createHmac("sha256", key).update(address).digest("base64url")}`;
}
