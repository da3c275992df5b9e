/**
 * What a log may have of a vendor's answer: its HTTP status and its code. A vendor's words name meters, phones and customers; they stay
 * with the order or the payment, where who may see them is decided.
 */

/** Vendors' codes are short and have no spaces; a phone or a meter has more digits than any of them. */
const CODE = /^[\w.-]{1,40}$/;
const DIGITS_MAX = 7;

/** The code as it stands in a log; undefined where it does not look like one. */
export const loggedCode = (code: string | undefined): string | undefined =>
  code !== undefined && CODE.test(code) && code.replaceAll(/\D/g, "").length <= DIGITS_MAX ? code : undefined;

/** Status and code as a phrase: `HTTP 400, code 011`. */
export function statusAndCode(status: number, code?: string): string {
  const logged = loggedCode(code);
  return `HTTP ${status}${logged === undefined ? "" : `, code ${logged}`}`;
}
