import { trimEnds } from "./trim-ends.ts";

/**
 * Addresses of messages: subscribers' numbers, numbers and short codes that handsets write to, names of senders. Networks write
 * one and the same number in several forms, and only in one form can two be compared. `address_key` in `migrations` is the same
 * rule in SQL; a test holds the two together.
 */

/**
 * A Nigerian mobile number in any form on the wire: with 234, with `+`, with an exit code (00, or Nigeria's own 009), with the
 * trunk 0 (also after 234), or the bare ten digits. 70, 80, 81, 90 and 91 are the networks' ranges.
 */
const NIGERIAN_MOBILE = /^\+?(?:(?:00|009)?234)?0?([789][01]\d{8})$/;
/** The same after a routing number, which networks put before a number that was ported. No number of E.164 is that long. */
const ROUTED_MOBILE = /^\+?\d+234([789][01]\d{8})$/;
const E164_DIGITS_MAX = 15;
/** Any other Nigerian number with its trunk 0: an international number never begins with 0. Shorter is a short code. */
const NIGERIAN_TRUNK = /^0([1-9]\d{6,9})$/;
const EXIT_CODE = /^00([1-9]\d{6,14})$/;
const NUMBER = /^\+?\d+$/;
/** What people and their phones put around and into numbers: white space, hyphens and dashes, and marks that nobody sees. */
const SPACE = "\\t\\n\\v\\f\\r \\u00a0\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ufeff";
const EDGE = new RegExp(`[${SPACE}]`);
const SEPARATORS = new RegExp(`[${SPACE}\\u2010-\\u2015().-]`, "g");

/**
 * The one form in which addresses are compared: digits of E.164 without `+` for a number, the digits as they are for a short
 * code, lower case for a name (networks show the case of a sender and don't tell senders apart by it): of A to Z alone, because what
 * is the lower case of other letters differs between databases.
 */
export function addressKey(address: string): string {
  const plain = address.replace(SEPARATORS, "");
  if (!NUMBER.test(plain)) return trimEnds(address, EDGE).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const mobile = NIGERIAN_MOBILE.exec(plain) ?? (plain.length > E164_DIGITS_MAX ? ROUTED_MOBILE.exec(plain) : null);
  if (mobile) return `234${mobile[1]}`;
  const digits = plain.replace("+", "");
  const trunk = NIGERIAN_TRUNK.exec(digits);
  return trunk ? `234${trunk[1]}` : (EXIT_CODE.exec(digits)?.[1] ?? digits);
}

/** Whether two addresses are one subscriber's, one number's or one sender's. */
export const isSameAddress = (one: string, other: string): boolean => addressKey(one) === addressKey(other);

/** Fewer digits are a short code. */
const SUBSCRIBER_DIGITS_MIN = 10;

/** Whether the address is a subscriber's number, in any form: not a name, a short code or a number that is masked. */
export const isSubscriber = (address: string): boolean => {
  const key = addressKey(address);
  return key.length >= SUBSCRIBER_DIGITS_MIN && NUMBER.test(key);
};
