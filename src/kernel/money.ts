import { type Kobo, koboToNaira, taxContained } from "./kobo.ts";

/** Money as it goes out, wherever it stands: naira with two places, and the currency. */
export interface MoneyView {
  readonly amount: string;
  readonly currency: "NGN";
}

/** A price as it goes out: with the VAT that it contains. */
export interface PriceView extends MoneyView {
  /** Naira with two places. */
  readonly tax: string;
}

export const moneyOf = (amount: Kobo): MoneyView => ({ amount: koboToNaira(amount), currency: "NGN" });

/** A price whose VAT is known. */
export const pricedAt = (amount: Kobo, tax: Kobo): PriceView => ({ ...moneyOf(amount), tax: koboToNaira(tax) });

/** A price that contains VAT at this rate. */
export const priceOf = (amount: Kobo, vatBasisPoints: number): PriceView =>
  pricedAt(amount, taxContained(amount, vatBasisPoints));

/** Bounds of an amount, as they stand in answers and in refusals. */
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
