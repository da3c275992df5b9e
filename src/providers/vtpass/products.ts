import { invariant } from "../../kernel/result.ts";
import type { PurchasePayload } from "../../ports/purchase-payload.ts";
import { airtime } from "./products/airtime.ts";
import { cable } from "./products/cable.ts";
import { data } from "./products/data.ts";
import { electricity } from "./products/electricity.ts";
import type { Sold, Attempt as Tried } from "./products/sold.ts";

export type Attempt = Tried<PurchasePayload>;

/** What is sold here, by the product of the payload: one line each. */
const PRODUCTS: Readonly<Record<string, (attempt: Tried<never>) => Sold>> = { airtime, data, electricity, cable };

export const isSold = ({ product }: Pick<PurchasePayload, "product">): boolean => Object.hasOwn(PRODUCTS, product);

export function soldOf(attempt: Attempt): Sold {
  const make = PRODUCTS[attempt.payload.product];
  invariant(make, "what is not sold here is not sent, and not asked about");
  return make(attempt as Tried<never>);
}
