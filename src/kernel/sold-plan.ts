import { parseKobo } from "./kobo.ts";
import { moneyOf } from "./money.ts";

/** A plan of any service. */
export interface SoldPlan {
  readonly id: string;
  readonly name: string;
  /** Monthly fee in naira. */
  readonly fee: string;
  /** Orders per month; null for no quota. */
  readonly quota: number | null;
}

/** Of these plans, those whose monthly quota holds so many orders, as refusals name them. */
export const plansThatFit = (plans: readonly SoldPlan[], orders: number) =>
  plans
    .filter(({ quota }) => quota === null || quota >= orders)
    .map(({ id, name, fee, quota }) => ({
      id,
      name,
      fee: moneyOf(parseKobo(fee)),
      quota,
    }));
