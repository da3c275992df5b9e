import { variationsOf } from "../catalogue.ts";
import { digitsIn, international, isBillersCode, isPhone, type SoldProduct } from "./product.ts";

export const DATA: SoldProduct = {
  product: "data",
  read({ service, body, phone, world }) {
    const biller = digitsIn(body.billersCode);
    if (!isPhone(phone) || !isBillersCode(biller)) return "011";
    // The plan decides the price, whatever amount is given.
    const plan = variationsOf(world, service).find(({ code }) => code === body.variation_code);
    if (!plan) return "010";
    return { recipient: international(biller), phone, variation: plan.code, amountKobo: plan.amountKobo };
  },
};
