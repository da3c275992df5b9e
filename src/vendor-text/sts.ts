/** IEC 62055-41: twenty digits are 66 bits, so a larger number is no token. */
const TOKEN_END = 1n << 66n;

/**
 * The twenty digits of a token, without what people put between them (`1234-5678 …`) and without the word “Token :” before it;
 * undefined for all else. Twenty zeros are what vendors write where there is no token.
 */
export function readToken(text: string | undefined): string | undefined {
  const spelled = text?.replace(/^\s*token\s*:?/i, "");
  if (spelled === undefined || !/^[\s-]*\d(?:[\s-]{0,4}\d){19}[\s-]*$/.test(spelled)) return undefined;
  const digits = spelled.replaceAll(/[\s-]/g, "");
  return isTokenValue(digits) ? digits : undefined;
}

/** Whether twenty digits, of whatever script, can be a token. */
export function isTokenValue(digits: string): boolean {
  if (!/^\d+$/.test(digits)) return true;
  const value = BigInt(digits);
  return value > 0n && value < TOKEN_END;
}

/** A word for units, before or behind. The bounds keep a hostile answer from costing time. */
const UNITS = /^(?:units?\s{0,4}[:=]?\s{0,4})?([\d.,' ]{1,40}?)(?:e\+?(\d))?\s{0,4}(?:kwh?|kw\/h|kw-h|units?)?\.?$/i;
/** Groups of three set off by commas, points, gaps or apostrophes, and decimals behind the other mark. */
const WITH_POINT = /^(\d{1,3}(?:,\d{3}){1,3}|\d{1,3}(?:[ ']\d{3}){1,3}|\d{0,9})(?:\.(\d{1,20}))?$/;
const WITH_COMMA = /^(\d{1,3}(?:\.\d{3}){1,3}|\d{1,3}(?:[ ']\d{3}){1,3}|\d{1,9})(?:,(\d{1,20}))?$/;

/**
 * The kWh of `79.9 kWh`, `1,234.5`, `1.234,5`, `1.2e1` or `79.123456`, digit by digit; undefined for nothing and for zero, which vendors write
 * where they have nothing to say. A single mark before three digits is read as these vendors write it: `1,234` are thousands, `1.234` decimals.
 */
export function readUnits(text: string | undefined): string | undefined {
  const [, number = "", exponent] = UNITS.exec(text?.trim() ?? "") ?? [];
  const [, group = "", places = ""] = WITH_POINT.exec(number) ?? WITH_COMMA.exec(number) ?? [];
  if (!/[1-9]/.test(group + places)) return undefined;
  const shift = Number(exponent ?? 0);
  const whole = group.replaceAll(/\D/g, "") + places.slice(0, shift).padEnd(shift, "0");
  const digits = whole.replace(/^0+(?=\d)/, "") || "0";
  const rest = places.slice(shift);
  return rest === "" ? digits : `${digits}.${rest}`;
}

/**
 * Twenty digits or more of any script, with up to four characters between two of them that are neither letters nor digits: every
 * spelling that `readToken` reads, and those that it does not. The two classes have nothing in common, so the time is linear.
 */
export const MAYBE_TOKEN = /\p{Nd}(?:[^\p{L}\p{N}]{0,4}\p{Nd}){19,}/gu;

/** A text that strangers wrote, with all that may be a token shown by its last four digits alone. */
export const hideTokens = (text: string): string =>
  text.replaceAll(
    MAYBE_TOKEN,
    (digits) =>
      `**** **** **** **** ${digits
        .match(/\p{Nd}/gu)
        ?.slice(-4)
        .join("")}`,
  );
