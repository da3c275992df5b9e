import type { TSchema } from "typebox";
import { parseKobo } from "../kernel/kobo.ts";
import { type MoneyView, moneyOf } from "../kernel/money.ts";

/** How a service shows the prices of its plans in `GET /services`. */
export interface PlanPrices<Prices = unknown> {
  /** An object whose `per` says what the prices are for. */
  readonly schema: TSchema;
  /** `prices`: of a plan in the operator's configuration, where this service's schema has checked them. */
  view(prices: Prices): object;
}

/** A service by what its plans' prices are shown with. */
export interface PricedService {
  readonly definition: { readonly service: string };
  readonly planPrices: PlanPrices<never>;
}

/** A price of the configuration. */
export const nairaView = (amount: string): MoneyView => moneyOf(parseKobo(amount));
