import Type from "typebox";
import { type Kobo, parseKobo } from "../kernel/kobo.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";

/**
 * Money in a request: naira as a decimal string, or a JSON integer. The schema admits fractions; `readAmount` refuses them with
 * their own code.
 */
export const Amount = Type.Unsafe<string | number>({
  title: "Amount",
  type: ["string", "number"],
  pattern: "^\\d{1,12}(\\.\\d{1,20})?$",
  minimum: 0,
  maximum: 999_999_999_999,
  description: "Naira, as a string of digits with up to two decimal places (no commas, no sign) or as a whole number.",
  examples: ["5000.00"],
});

/** Errors: `amount_not_exact` for a JSON number with a fraction, and for more than two decimal places. */
export function readAmount(amount: string | number, pointer: string): Result<Kobo, Refusal> {
  const text = String(amount);
  if (typeof amount === "number" ? Number.isInteger(amount) : /^\d+(\.\d{1,2})?$/.test(text))
    return ok(parseKobo(text));
  const detail =
    typeof amount === "number"
      ? 'A JSON number with a fraction is not exact. Send whole naira, e.g. 1500, or a string, e.g. "1500.00".'
      : "An amount has at most two decimal places: kobo are whole.";
  return refuse(refusal("amount_not_exact", detail, { errors: [{ pointer, code: "amount_not_exact", detail }] }));
}
