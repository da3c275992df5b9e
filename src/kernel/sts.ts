/** IEC 62055-41: twenty digits are 66 bits, so a larger number is no token. */
const TOKEN_END = 1n << 66n;

/**
 * The twenty digits of a token, without what people put between them (`1234-5678 …`) and without the word “Token :” before it;
 * undefined for all else. Twenty zeros are what vendors write where there is no token.
 */
export function readToken(text: string | undefined): string | undefined {
  const digits = text?.replace(/^\s*token\s*:?/i, "").replaceAll(/[\s-]/g, "");
  if (digits === undefined || !/^\d{20}$/.test(digits)) return undefined;
  const value = BigInt(digits);
  return value > 0n && value < TOKEN_END ? digits : undefined;
}

/** `79.9 kWh` or `79.9`. */
export const readUnits = (text: string | undefined): string | undefined =>
  /^(\d{1,9}(?:\.\d{1,4})?)\s*(?:kwh)?$/i.exec(text ?? "")?.[1];

/** A text that strangers wrote, with every token in it (twenty digits, in groups or not) shown by its last four alone. */
export const hideTokens = (text: string): string =>
  text.replaceAll(/(?<!\d)\d{4}(?:[ -]?\d{4}){3}[ -]?(\d{4})(?!\d)/g, "**** **** **** **** $1");
