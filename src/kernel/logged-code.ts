/**
 * The loggable part of a vendor's answer: its HTTP status and code. A vendor's texts name meters, phones and customers; they stay with
 * the order or the payment, where access is controlled.
 */

/** Vendors' codes are short and have no spaces; a phone or a meter has more digits than any of them. */
const CODE = /^[\w.-]{1,40}$/;
const DIGITS_MAX = 7;

/** The code for a log; undefined if it does not look like one. */
export const loggedCode = (code: string | undefined): string | undefined =>
  code !== undefined && CODE.test(code) && code.replaceAll(/\D/g, "").length <= DIGITS_MAX ? code : undefined;

/** Status and code as a phrase: `HTTP 400, code 011`. */
export function statusAndCode(status: number, code?: string): string {
  const logged = loggedCode(code);
  return `HTTP ${status}${logged === undefined ? "" : `, code ${logged}`}`;
}
