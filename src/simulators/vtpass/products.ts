import type { Service } from "./catalogue.ts";
import { ABROAD } from "./products/abroad.ts";
import { AIRTIME } from "./products/airtime.ts";
import { CABLE } from "./products/cable.ts";
import { DATA } from "./products/data.ts";
import { ELECTRICITY } from "./products/electricity.ts";
import type { SoldProduct } from "./products/product.ts";

/** How each category of services is sold: one line each. */
const PRODUCTS: Readonly<Record<Service["category"], SoldProduct>> = {
  airtime: AIRTIME,
  data: DATA,
  "electricity-bill": ELECTRICITY,
  "tv-subscription": CABLE,
  "foreign-airtime": ABROAD,
};

export const productOf = ({ category }: Pick<Service, "category">): SoldProduct => PRODUCTS[category];
