import { createHmac } from "node:crypto";

/**
 * Tokens of simulated meters: laid out like those of IEC 62055-41 (class, subclass, a serial that grows, an amount word, a
 * checksum; 66 bits, 20 digits), but enciphered with a cipher and a key of this simulator. The real cipher (EA07, EA11) and the
 * decoder keys of real meters are nowhere in it, so none of these tokens can work on a real meter.
 */
export interface TokenContent {
  readonly kind: "kct1" | "kct2" | "credit" | "bonus";
  /** Grows for each meter. 24 bits. */
  readonly serial: number;
  /** Tenths of a kWh; 0 of a key change. */
  readonly unitsTenths: number;
}

/** [class, subclass] in the layout of the standard; the bonus is an ordinary credit there, and has a subclass of its own here. */
const CODES = { credit: [0, 0], bonus: [0, 5], kct1: [2, 3], kct2: [2, 4] } as const;

export function makeToken(meter: string, { kind, serial, unitsTenths }: TokenContent): string {
  const [tokenClass, subclass] = CODES[kind];
  const head = (BigInt(subclass) << 40n) | (BigInt(serial & 0xff_ffff) << 16n) | BigInt(amountWord(unitsTenths));
  const block = (head << 16n) | BigInt(checksum(BigInt(tokenClass), head));
  return ((BigInt(tokenClass) << 64n) | encipher(meter, block)).toString().padStart(20, "0");
}

/** What the meter reads; undefined when the token is not for it, or none at all. */
export function readToken(meter: string, token: string): TokenContent | undefined {
  if (!/^\d{20}$/.test(token)) return undefined;
  const value = BigInt(token);
  const tokenClass = value >> 64n;
  const block = decipher(meter, value & MASK_64);
  const head = block >> 16n;
  if (tokenClass > 3n || (block & 0xffffn) !== BigInt(checksum(tokenClass, head))) return undefined;
  const subclass = head >> 40n;
  const kind = KINDS.find((name) => CODES[name][0] === Number(tokenClass) && CODES[name][1] === Number(subclass));
  if (!kind) return undefined;
  return { kind, serial: Number((head >> 16n) & 0xff_ffffn), unitsTenths: amountOf(Number(head & 0xffffn)) };
}

const KINDS = ["credit", "bonus", "kct1", "kct2"] as const;
const MASK_64 = (1n << 64n) - 1n;
const MASK_32 = 0xffff_ffffn;

/**
 * 16 bits: an exponent e and a mantissa m of 14, m·10^e + Σ 2^14·10^(i−1), rounded up in the customer's favour.
 * Source: IEC 62055-41, amount field.
 */
export function amountWord(tenths: number): number {
  let base = 0;
  for (let exponent = 0; exponent < 4; exponent++) {
    const mantissa = Math.max(0, Math.ceil((tenths - base) / 10 ** exponent));
    if (mantissa < 16_384) return (exponent << 14) | mantissa;
    base += 16_384 * 10 ** exponent;
  }
  return 0xffff;
}

export function amountOf(word: number): number {
  const exponent = word >> 14;
  let base = 0;
  for (let index = 0; index < exponent; index++) base += 16_384 * 10 ** index;
  return base + (word & 0x3fff) * 10 ** exponent;
}

/** CRC-16, reflected polynomial 0xA001, from 0xFFFF, over seven octets. */
function checksum(tokenClass: bigint, head: bigint): number {
  let crc = 0xffff;
  for (const byte of Buffer.from(((tokenClass << 48n) | head).toString(16).padStart(14, "0"), "hex")) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;
}

/** A Feistel network of eight rounds: a permutation of 64 bits for each meter. */
const ROUNDS = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const KEY = "afara simulated meters: not a vending key";

const round = (meter: string, index: number, half: bigint): bigint =>
  BigInt(createHmac("sha256", KEY).update(`${meter}:${index}:${half}`).digest().readUInt32BE(0));

function encipher(meter: string, block: bigint): bigint {
  let [left, right] = [block >> 32n, block & MASK_32];
  for (const index of ROUNDS) [left, right] = [right, left ^ round(meter, index, right)];
  return (left << 32n) | right;
}

function decipher(meter: string, block: bigint): bigint {
  let [left, right] = [block >> 32n, block & MASK_32];
  for (const index of ROUNDS.toReversed()) [left, right] = [right ^ round(meter, index, left), left];
  return (left << 32n) | right;
}
