import { isIP } from "node:net";

export interface Cidr {
  readonly address: string;
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
}

/** `203.0.113.0/24`, `2001:db8::/32`, or an address alone. Undefined for anything else. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  // An address with a zone (fe80::1%eth0) means something else on every machine.
  if (family === 0 || rest.length > 0 || address.includes("%")) return undefined;
  const width = family === 6 ? 128 : 32;
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return undefined;
  const prefix = bits === undefined ? width : Number(bits);
  return prefix <= width ? { address, prefix, family: family === 6 ? "ipv6" : "ipv4" } : undefined;
}
