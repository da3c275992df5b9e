import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { parseCidr } from "../accounts/cidr.ts";
import type { KeyRecord } from "../accounts/key-record.ts";
import type { Clock } from "../kernel/clock.ts";
import { plainAddress } from "./forwarded.ts";
import { WINDOW_SECONDS } from "./limits.ts";

const LISTS = new WeakMap<KeyRecord, BlockList>();

/** Whether the key may be used from the address. A block that can't be read allows nothing. */
export function allowsAddress(record: KeyRecord, address: string): boolean {
  if (record.cidrs === null) return true;
  let list = LISTS.get(record);
  if (list === undefined) {
    list = listOf(record.cidrs);
    LISTS.set(record, list);
  }
  const plain = plainAddress(address);
  return plain !== undefined && list.check(plain, isIP(plain) === 6 ? "ipv6" : "ipv4");
}

function listOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const block = parseCidr(cidr);
    if (block) list.addSubnet(block.address, block.prefix, block.family);
  }
  return list;
}

/** One caller: an IPv4 address, or an IPv6 /64, which usually belongs to one subscriber. */
export const callerOfAddress = (address: string): string => {
  const plain = plainAddress(address) ?? address;
  return isIP(plain) === 6 ? ipaddr.IPv6.parse(plain).parts.slice(0, 4).join(":") : plain;
};

/** Well-formed unknown keys per address and minute; more is guessing, not a mistake. */
const FAILURES_MAX = 20;
const ADDRESSES_MAX = 50_000;

/**
 * Counts failed look-ups by address, which limits the database load of guessing. Bounded: the oldest addresses are
 * forgotten.
 */
export class FailedLookups {
  readonly #clock: Clock;
  readonly #counts = new Map<string, number>();
  #windowEndsMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whole seconds until the address may try again; 0 for now. */
  waitSeconds(address: string): number {
    const leftMs = this.#windowEndsMs - this.#clock.monotonicMs();
    if (leftMs <= 0 || (this.#counts.get(callerOfAddress(address)) ?? 0) < FAILURES_MAX) return 0;
    return Math.max(1, Math.ceil(leftMs / 1000));
  }

  count(address: string): void {
    const now = this.#clock.monotonicMs();
    if (now >= this.#windowEndsMs) {
      this.#counts.clear();
      this.#windowEndsMs = now + WINDOW_SECONDS * 1000;
    }
    const caller = callerOfAddress(address);
    const failures = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.delete(caller);
    this.#counts.set(caller, failures);
    if (this.#counts.size <= ADDRESSES_MAX) return;
    const oldest = this.#counts.keys().next();
    if (!oldest.done) this.#counts.delete(oldest.value);
  }
}
