import { isIP, SocketAddress } from "node:net";

/**
 * The address in an entry of `X-Forwarded-For`: some proxies (Azure's, IIS) add the port, with an IPv6 address in brackets.
 * Undefined for anything else: `unknown`, an obfuscated identifier (`_hidden`; RFC 7239, section 6), a name, nothing.
 */
export function addressIn(entry: string): string | undefined {
  const text = entry.trim().replace(/^"(.*)"$/, "$1");
  const [, bracketed, dotted] = /^(?:\[([^[\]]+)\](?::\w+)?|((?:::ffff:)?\d+\.\d+\.\d+\.\d+):\w+)$/i.exec(text) ?? [];
  // A zone (`fe80::1%eth0`) names an interface of the proxy.
  return plainAddress((bracketed ?? dotted ?? text).replace(/%.*$/, ""));
}

/**
 * A normalised address: an IPv4 address written as IPv6 (`::ffff:10.0.0.1` or `::ffff:a00:1`, as dual-stack sockets and
 * proxies name IPv4 callers) as IPv4, IPv6 in lower case with its longest run of zeros compressed. Undefined if it is not an address.
 */
export function plainAddress(text: string): string | undefined {
  if (isIP(text) !== 6) return isIP(text) === 4 ? text : undefined;
  const { address } = new SocketAddress({ address: text, family: "ipv6" });
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/**
 * The trustworthy part of `X-Forwarded-For`: the addresses after the last entry that is not an address. The proxy that passed on
 * such an entry counts as the caller, as it hides its own caller.
 */
export function believable(header: string): string {
  const addresses: string[] = [];
  for (const entry of header.split(",").reverse()) {
    const address = addressIn(entry);
    if (address === undefined) break;
    addresses.unshift(address);
  }
  return addresses.join(", ");
}
