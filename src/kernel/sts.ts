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

/** Whole units with or without separators, any places, and a word for them. The bounds keep a hostile answer from costing time. */
const UNITS =
  /^(?:units?\s*[:=]?\s*)?(\d{1,3}(?:,\d{3}){1,3}|\d{0,9})(?:\.(\d{1,20}))?\s*(?:kwh?|kw\/h|kw-h|units?)?\.?$/i;

/**
 * The kWh of `79.9 kWh`, `1,234.5` or `79.123456`, digit by digit; undefined for nothing and for zero, which vendors write where they
 * have nothing to say.
 */
export function readUnits(text: string | undefined): string | undefined {
  const [, whole = "", places] = UNITS.exec(text?.trim() ?? "") ?? [];
  if (!/[1-9]/.test(whole + (places ?? ""))) return undefined;
  const digits = whole.replaceAll(",", "").replace(/^0+(?=\d)/, "") || "0";
  return places === undefined ? digits : `${digits}.${places}`;
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
