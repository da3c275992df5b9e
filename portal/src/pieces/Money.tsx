interface Amount {
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

/** `signed` for the lines of a statement. */
export const Money = ({ of, signed = false }: { readonly of: Amount; readonly signed?: boolean }) => (
  <span className="number">{moneyText(of, { signed })}</span>
);
