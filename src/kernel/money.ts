import { type Kobo, koboToNaira, taxContained } from "./kobo.ts";

/** Money in API form: naira with two decimal places, and the currency. */
export interface MoneyView {
  readonly amount: string;
  readonly currency: "NGN";
}

/** A price in API form, with the VAT it contains. */
export interface PriceView extends MoneyView {
  /** Naira with two decimal places. */
  readonly tax: string;
}

export const moneyOf = (amount: Kobo): MoneyView => ({ amount: koboToNaira(amount), currency: "NGN" });

/** A price with a known VAT amount. */
export const pricedAt = (amount: Kobo, tax: Kobo): PriceView => ({ ...moneyOf(amount), tax: koboToNaira(tax) });

/** A price that includes VAT at this rate. */
export const priceOf = (amount: Kobo, vatBasisPoints: number): PriceView =>
  pricedAt(amount, taxContained(amount, vatBasisPoints));

/** An amount's bounds in API form. */
export const boundsView = ({
  minimumKobo,
  maximumKobo,
}: {
  readonly minimumKobo: Kobo;
  readonly maximumKobo: Kobo;
}) => ({
  minimum_amount: moneyOf(minimumKobo),
  maximum_amount: moneyOf(maximumKobo),
});
