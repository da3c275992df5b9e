import { foreignVariation } from "../international.ts";
import { amountOf, digitsIn, type SoldProduct } from "./product.ts";

/** To a phone abroad: with country, operator and kind, and the amount in naira. */
export const ABROAD: SoldProduct = {
  product: "airtime",
  read({ body, phone }) {
    const recipient = digitsIn(body.billersCode);
    if (recipient === undefined || !/^\d{7,15}$/.test(recipient) || phone === undefined) return "011";
    const variation = foreignVariation(body);
    if (variation === undefined) return "010";
    const amountKobo = amountOf(body.amount);
    return amountKobo === undefined ? "011" : { recipient, phone, variation, amountKobo };
  },
};
