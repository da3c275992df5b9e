import type { LookupAddress } from "node:dns";
import ipaddr from "ipaddr.js";
import { ok, type Result, refuse } from "../kernel/result.ts";

/**
 * Which addresses of the world we go to for a stranger: those that anybody could go to. A link may name the inside of our network
 * by number, by a name that resolves to it, or by a name that resolves differently the second time; so names are resolved once,
 * at the connection, and only what was looked at is connected to (`lookupFor`).
 */

/** Why an address is not gone to. A closed list, so that nobody can draw a map of the inside from our words. */
export const EGRESS_FAULTS = {
  not_an_address: "It is not an address like https://example.ng/path, without user name and #.",
  scheme_not_allowed: "Only https:// is allowed.",
  port_not_allowed: "Only port 443 and those from 1024 on are allowed.",
  blocked_address: "It leads to an address that is not public.",
  dns_failed: "Its name can't be resolved.",
  connect_failed: "Nobody answered there.",
  tls_failed: "Its certificate is not valid.",
  timed_out: "It took too long.",
  redirected: "It redirects; give the address that it leads to.",
  not_ok: "It answered with an error.",
  too_large: "The file is too large.",
} as const;
export type EgressFault = keyof typeof EGRESS_FAULTS;

export interface EgressRules {
  /** For test mode. */
  readonly httpAllowed: boolean;
  /** Whether an address may be connected to; `isPublic` outside tests. */
  readonly permits: (address: string) => boolean;
  /** Names of an inside network, e.g. `localhost`, may be resolved too; `permits` decides about their addresses. */
  readonly insideNames?: boolean;
}

const URL_LENGTH_MAX = 2_000;
const INSIDE = /(?:^|\.)(?:localhost|local|internal|localdomain|home|lan|intranet|corp|arpa)$/;

/** What can be seen without asking anybody. */
export function checkUrl(
  text: string,
  { httpAllowed, permits, insideNames = false }: EgressRules,
): Result<URL, EgressFault> {
  const url = text.length <= URL_LENGTH_MAX ? URL.parse(text) : null;
  if (url === null) return refuse("not_an_address");
  if (url.username !== "" || url.password !== "" || url.hash !== "") return refuse("not_an_address");
  if (url.protocol !== "https:" && !(httpAllowed && url.protocol === "http:"))
    return refuse(url.protocol === "http:" ? "scheme_not_allowed" : "not_an_address");
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (port < 1_024 && port !== 443 && !(httpAllowed && port === 80)) return refuse("port_not_allowed");
  const host = hostOf(url);
  if (ipaddr.isValid(host)) return permits(host) ? ok(url) : refuse("blocked_address");
  const name = host.replace(/\.+$/, "");
  if (name.length > 253) return refuse("blocked_address");
  if (!insideNames && (INSIDE.test(name) || !name.includes("."))) return refuse("blocked_address");
  return ok(url);
}

/** Without the brackets of IPv6. The URL parser has made one form of all others: `http://2130706433` is 127.0.0.1. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

/**
 * Public by their range, and yet no stranger's: IPv4-compatible IPv6 (deprecated by RFC 4291), and the host agent of Azure, which
 * answers on the inside only.
 */
const NOT_PUBLIC = [ipaddr.parseCIDR("::/96"), ipaddr.parseCIDR("168.63.129.16/32")];

/** An ordinary address of the internet. IPv4 in IPv6's clothes is looked at as what it is. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const real = ipaddr.process(address);
  return (
    real.range() === "unicast" && !NOT_PUBLIC.some(([net, bits]) => real.kind() === net.kind() && real.match(net, bits))
  );
}

/** This machine itself. */
export const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";

/** All addresses of a name, as `dns.lookup` with `all` gives them. */
export type ResolveName = (host: string) => Promise<readonly LookupAddress[]>;

type Looked = (error: Error | null, addresses: LookupAddress[]) => void;

/** Raised inside a connection, so that it never is made. */
export class Blocked extends Error {}

/** For a socket's `lookup`: one bad address among several is enough to refuse them all. */
export const lookupFor =
  (resolve: ResolveName, permits: EgressRules["permits"]) =>
  (host: string, _options: unknown, done: Looked): void => {
    resolve(host).then(
      (addresses) => {
        const isFit = addresses.length > 0 && addresses.every(({ address }) => permits(address));
        if (isFit) done(null, [...addresses]);
        else done(new Blocked(`${host} resolves to an address that is not public`), []);
      },
      (error: Error) => done(error, []),
    );
  };
