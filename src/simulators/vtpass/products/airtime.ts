import { amountOf, international, isBillersCode, isPhone, type SoldProduct } from "./product.ts";

export const AIRTIME: SoldProduct = {
  product: "airtime",
  read({ body, phone }) {
    if (!isPhone(phone) || !isBillersCode(phone)) return "011";
    const amountKobo = amountOf(body.amount);
    return amountKobo === undefined ? "011" : { recipient: international(phone), phone, variation: null, amountKobo };
  },
};
