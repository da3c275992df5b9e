import { type Kobo, koboToNaira, taxContained } from "./kobo.ts";

/** A price as it goes out: with the VAT that it contains. */
export interface PriceView {
  /** Naira with two places. */
  readonly amount: string;
  readonly currency: "NGN";
  readonly tax: string;
}

export const priceOf = (amount: Kobo, vatBasisPoints: number): PriceView => ({
  amount: koboToNaira(amount),
  currency: "NGN",
  tax: koboToNaira(taxContained(amount, vatBasisPoints)),
});
