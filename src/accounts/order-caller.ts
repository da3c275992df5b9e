import type { Uuid } from "../kernel/ids.ts";
import { lagosDay, lagosMonth } from "../kernel/lagos.ts";
import type { Mode } from "../kernel/mode.ts";
import type { SoldPlan } from "../kernel/sold-plan.ts";
import type { SpendCap } from "../kernel/spend-cap.ts";
import { type KeyRecord, withSpendCap } from "./key-record.ts";

/** The caller of an order and its terms. */
export interface OrderCaller<Plan extends SoldPlan = SoldPlan> {
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** The account's plan for the order's service. */
  readonly plan: Plan;
  /** The key's cap, if it has one. */
  readonly spendCap?: SpendCap;
}

/** The caller for a key and its account's plan for the service. */
export const orderCallerOf = <Plan extends SoldPlan>(key: KeyRecord, plan: Plan): OrderCaller<Plan> => ({
  accountId: key.accountId as Uuid,
  mode: key.mode,
  plan,
  ...withSpendCap(key),
});

/** The limits for a caller's new order: the plan's monthly quota and the key's daily spend cap. */
export const limitsOf = ({ plan, spendCap }: Pick<OrderCaller, "plan" | "spendCap">, now: Date) => ({
  quota: plan.quota === null ? null : { limit: plan.quota, period: lagosMonth(now) },
  spendCap: spendCap ? { ...spendCap, day: lagosDay(now) } : null,
});
