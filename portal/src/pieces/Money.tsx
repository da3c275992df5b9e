export interface Amount {
  readonly amount: string;
  readonly currency: string;
}

const MINUS = "−";

/** `1234.50` → `₦1,234.50`, from the digits themselves: no number in between. */
export function moneyText({ amount, currency }: Amount, { signed = false } = {}): string {
  const isNegative = amount.startsWith("-");
  const [whole = "0", rest] = amount.replace("-", "").split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const sign = isNegative ? MINUS : signed ? "+" : "";
  const symbol = currency === "NGN" ? "₦" : `${currency} `;
  return `${sign}${symbol}${grouped}${rest === undefined ? "" : `.${rest}`}`;
}

const koboOf = ({ amount }: Amount): bigint => BigInt(amount.replace(".", ""));

/** What is left of an amount, in kobo all the way. */
export function minus(from: Amount, what: Amount): Amount {
  const kobo = koboOf(from) - koboOf(what);
  const digits = String(kobo < 0n ? -kobo : kobo).padStart(3, "0");
  return { amount: `${kobo < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`, currency: from.currency };
}

/** As it is typed or pasted: `₦5,000`, ` 5 000 ` → `5000`. Anything else is left for the gateway to refuse. */
export const amountTyped = (text: string): string => text.replace(/[\s₦]|,(?=\d{3}(?!\d))/g, "");

/** `signed` for the lines of a statement. */
export const Money = ({ of, signed = false }: { readonly of: Amount; readonly signed?: boolean }) => (
  <span className="number">{moneyText(of, { signed })}</span>
);
