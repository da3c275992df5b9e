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

function amountOf(kobo: bigint, currency: string): Amount {
  const digits = String(kobo < 0n ? -kobo : kobo).padStart(3, "0");
  return { amount: `${kobo < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`, currency };
}

/** What is left of an amount, in kobo all the way. */
export const minus = (from: Amount, what: Amount): Amount => amountOf(koboOf(from) - koboOf(what), from.currency);

/** Some parts of it, as the gateway prorates a fee: half a kobo is rounded up. */
export function shareOf(what: Amount, parts: number, of: number): Amount {
  const [some, all] = [BigInt(parts), BigInt(of)];
  return amountOf((koboOf(what) * some * 2n + all) / (all * 2n), what.currency);
}

/** As it is typed or pasted: `₦5,000`, ` 5 000 ` → `5000`. Anything else is left for the gateway to refuse. */
export const amountTyped = (text: string): string => text.replace(/[\s₦]|,(?=\d{3}(?!\d))/g, "");

/** Of an order's price, when it came back. */
const CAME_BACK: readonly string[] = ["returned", "refunded"];

/** What an order costs: nothing, where its price came back. */
export const Charged = ({ price, charge }: { readonly price: Amount; readonly charge: string }) =>
  CAME_BACK.includes(charge) ? (
    <span className="soft">
      <s>
        <Money of={price} />
      </s>{" "}
      {charge}
    </span>
  ) : (
    <Money of={price} />
  );

/** `signed` for the lines of a statement. */
export const Money = ({ of, signed = false }: { readonly of: Amount; readonly signed?: boolean }) => (
  <span className="number">{moneyText(of, { signed })}</span>
);
