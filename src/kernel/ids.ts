import { randomFillSync } from "node:crypto";
import { V7Generator } from "uuidv7";

/** A UUIDv7 as PostgreSQL writes it: 36 lower-case characters. Time-ordered, so it also says which partition a row is in. */
export type Uuid = string & { readonly __type: "uuid" };

/** Words of randomness fetched at once: the package's own generator asks the system for every second id, which shows in a request's cost. */
const pool = new Uint32Array(1024);
let taken = pool.length;

const generator = new V7Generator({
  nextUint32: () => {
    if (taken === pool.length) {
      randomFillSync(pool);
      taken = 0;
    }
    return pool[taken++]!;
  },
});

export const newUuid = (): Uuid => generator.generate().toString() as Uuid;

/** When a UUIDv7 was made: its first 48 bits are milliseconds since 1970 (RFC 9562 section 5.7). */
export const madeAt = (uuid: Uuid): Date => new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));

/** Type prefixes of the ids that subscribers see. */
export type IdPrefix =
  | "msg"
  | "pur"
  | "blk"
  | "evt"
  | "key"
  | "acc"
  | "whe"
  | "wha"
  | "trf"
  | "req"
  | "cas"
  | "ver"
  | "med"
  | "ins"
  | "usr"
  | "inv"
  | "ses"
  | "psk"
  | "vew";

/** Of orders that were accepted together, whichever service's. */
export const GROUP_PREFIX = "blk" satisfies IdPrefix;

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"; // Crockford base32, lower case
const VALUE_OF = new Map([...ALPHABET].map((character, value) => [character, value]));
const HEX = "0123456789abcdef";
const HEX_VALUE_OF = new Map([...HEX].map((digit, value) => [digit, value]));

/** `msg` + UUID → `msg_01k…`: 26 characters of 5 bits hold the 128 bits, two leading bits zero (the TypeID layout). */
export function encodeId(prefix: IdPrefix, uuid: Uuid): string {
  let text = "";
  // 130 bits read as 26 groups of 5: the first group holds the top 3 bits of the UUID.
  let bits = 2;
  let buffer = 0;
  for (const digit of uuid) {
    if (digit === "-") continue;
    buffer = (buffer << 4) | (HEX_VALUE_OF.get(digit) ?? 0);
    bits += 4;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(buffer >> bits) & 31];
      buffer &= (1 << bits) - 1;
    }
  }
  return `${prefix}_${text}`;
}

/** The reverse of `encodeId`; undefined when the text is not an id of that type. */
export function decodeId(prefix: IdPrefix, text: string): Uuid | undefined {
  if (text.length !== prefix.length + 27 || !text.startsWith(`${prefix}_`)) return undefined;
  let hex = "";
  let buffer = 0;
  let bits = -2; // the two padding bits in front must be zero
  for (const character of text.slice(prefix.length + 1)) {
    const value = VALUE_OF.get(character);
    if (value === undefined) return undefined;
    buffer = (buffer << 5) | value;
    bits += 5;
    if (hex === "" && bits === 3 && buffer > 7) return undefined;
    while (bits >= 4) {
      bits -= 4;
      hex += HEX[(buffer >> bits) & 15];
      buffer &= (1 << bits) - 1;
    }
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Uuid;
}
