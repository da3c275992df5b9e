import { maskedCode, type TokenForm } from "../purchases/tokens.ts";

/** Showmax's vouchers: codes of letters and digits that the customer enters at Showmax. */
export const VOUCHERS: TokenForm = {
  kinds: ["voucher"],
  written: (value) => value,
  masked: maskedCode,
  valueText: "A voucher is letters and digits.",
  useText: "A voucher is entered at Showmax.",
};
