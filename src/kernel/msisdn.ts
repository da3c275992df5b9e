import parsePhoneNumber from "libphonenumber-js/max";
import type { Refusal } from "./refusal.ts";
import { invariant, ok, type Result, refuse } from "./result.ts";

/** MSISDN: an E.164 number without `+` (`2348031234567`). */
export type Msisdn = string & { readonly __type: "msisdn" };

/** Why a number is refused: not a number, or a valid one that SMS and airtime do not serve. */
export interface PhoneFault extends Refusal {
  readonly code: "invalid_phone_number" | "destination_not_supported";
}

/** A number in API form: `+2348031234567`. */
export const formatE164 = (msisdn: Msisdn): string => `+${msisdn}`;

/** The brand for a number that `parseMsisdn` gave earlier, read back from a row. Errors: throws when it can't be one. */
export function storedMsisdn(digits: string): Msisdn {
  invariant(/^\d{7,15}$/.test(digits), "a stored msisdn is 7 to 15 digits");
  return digits as Msisdn;
}

/**
 * Magic numbers of test mode: `+23480000000NN`, written 0800 000 00NN. Real 0800 numbers are toll-free lines that can't
 * receive anything, so no live customer ever has one of these.
 */
export const isTestNumber = (msisdn: string): boolean => /^23480000000\d\d$/.test(msisdn);

/**
 * Reads a Nigerian mobile number in any form that people write: E.164, with 234 but no `+`, with 00234, with the trunk 0
 * (also after +234, a common mistake), or the bare ten digits; spaces, dashes, dots and brackets anywhere; full-width and
 * Arabic digits. Test numbers are taken when `mode` is `test`.
 * What is valid, and what is a mobile number, is libphonenumber's word. Letters and extensions are refused, never skipped.
 */
export function parseMsisdn(input: string, mode: "live" | "test"): Result<Msisdn, PhoneFault> {
  const plain = PLAIN_FORM.test(input) ? input : withoutSeparators(input);
  const national = plain.match(NIGERIAN_MOBILE_FORM)?.[1];
  if (national !== undefined && knownMobilePrefixes.has(national.slice(0, PREFIX_DIGITS))) {
    return ok(`234${national}` as Msisdn);
  }
  return parseByLibrary(plain, mode);
}

const INPUT_LENGTH_MAX = 64; // a number has 15 digits at most; longer input is not worth reading
const PLAIN_FORM = /^\+?\d+$/;
const NIGERIAN_MOBILE_FORM = /^(?:\+?234|0)?([789]\d{9})$/;
/** Digits as libphonenumber reads them: ASCII, full-width, Arabic-Indic and Extended Arabic-Indic. */
const ANY_DIGITS_FORM = /^[+＋]?[\d０-９٠-٩۰-۹]+$/;
/** Also invisible formatting marks, which come along when a number is copied from a phone's contacts. */
const SEPARATORS = /[\s\p{Cf}\p{Pd}().\-[\]（）]/gu;

/**
 * First four digits of ten-digit national numbers that the library has called mobile: a later number with the same ones
 * needs no second look (the library takes 7 µs, this 0.2; a bulk has 10,000). A test proves that in the library's metadata
 * the first four digits decide. At most some hundred entries.
 */
const knownMobilePrefixes = new Set<string>();
const PREFIX_DIGITS = 4;

const withoutSeparators = (input: string): string =>
  input.length > INPUT_LENGTH_MAX ? "" : input.replace(SEPARATORS, "");

function parseByLibrary(plain: string, mode: "live" | "test"): Result<Msisdn, PhoneFault> {
  if (plain.length > INPUT_LENGTH_MAX || !ANY_DIGITS_FORM.test(plain)) return refuse(INVALID);
  // 00 is the exit code of most countries, but not of Nigeria (009), so the library does not know it here.
  const number = parsePhoneNumber(plain.replace(/^00234/, "+234"), "NG");
  if (number === undefined || !number.isValid()) return refuse(INVALID);
  if (number.countryCallingCode !== "234") return refuse(NOT_NIGERIAN);
  const msisdn = number.number.slice(1) as Msisdn;
  if (number.getType() === "MOBILE") {
    const national = String(number.nationalNumber);
    if (national.length === 10) knownMobilePrefixes.add(national.slice(0, PREFIX_DIGITS));
    return ok(msisdn);
  }
  if (!isTestNumber(msisdn)) return refuse(NOT_MOBILE);
  return mode === "test" ? ok(msisdn) : refuse(TEST_MODE_ONLY);
}

const INVALID: PhoneFault = {
  code: "invalid_phone_number",
  detail: "This is not a valid phone number. Write it like +2348031234567 or 08031234567.",
};
const NOT_NIGERIAN: PhoneFault = {
  code: "destination_not_supported",
  detail: "This number is not Nigerian; only Nigerian mobile numbers are served.",
};
const NOT_MOBILE: PhoneFault = {
  code: "destination_not_supported",
  detail: "This Nigerian number is not a mobile number; only mobile numbers are served.",
};
const TEST_MODE_ONLY: PhoneFault = {
  code: "destination_not_supported",
  detail: "The 0800 test numbers work with test keys only.",
};
