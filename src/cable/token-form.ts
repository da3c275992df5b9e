import { maskedCode, type TokenForm } from "../purchases/tokens.ts";

/** Showmax's vouchers: codes of letters and digits that the customer enters at Showmax. */
export const VOUCHERS: TokenForm = {
  kinds: ["voucher"],
  written: (value) => value,
  masked: maskedCode,
  valueText: "A voucher is letters and digits.",
  useText: "A voucher is entered at Showmax.",
};

const VOUCHER = /^(?=.*[a-z])[a-z0-9](?:[a-z0-9 -]{6,38})[a-z0-9]$/i;

/** A voucher as somebody copies it; undefined for what is none. */
export function readVoucher(text: string): string | undefined {
  const code = text.trim();
  return VOUCHER.test(code) ? code : undefined;
}
