import { type Kobo, kobo } from "./kobo.ts";

/** Sign, whole naira with or without separators, places, exponent. The bounds keep a hostile answer from costing time. */
const FORM = /^(-?)(\d{1,3}(?:,\d{3}){1,5}|\d{1,18})(?:\.(\d{0,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** More than any real amount, less than a column's maximum. */
const KOBO_DIGITS_MAX = 18;

/**
 * Naira as vendors write them, a decimal text or a number in any spelling (`"1,500.50"`, `485`, `1081.8199999998`, `5e2`), in
 * kobo, rounded half to even. Undefined when it is no amount. By string arithmetic: no float is multiplied.
 */
export function readVendorNaira(value: unknown): Kobo | undefined {
  const match = typeof value === "string" || typeof value === "number" ? FORM.exec(String(value).trim()) : null;
  if (!match) return undefined;
  const [, sign = "", whole = "", places = "", exponent = "0"] = match;
  const digits = whole.replaceAll(",", "") + places;
  // The value is digits × 10^shift, in kobo.
  const shift = Number(exponent) - places.length + 2;
  if (digits.length + shift > KOBO_DIGITS_MAX) return undefined;
  const amount = shift >= 0 ? BigInt(digits) * 10n ** BigInt(shift) : halfEven(BigInt(digits), 10n ** BigInt(-shift));
  return kobo(sign === "-" ? -amount : amount);
}

function halfEven(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  const twice = (value % divisor) * 2n;
  const up = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}
