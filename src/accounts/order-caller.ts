import type { Uuid } from "../kernel/ids.ts";
import { lagosDay, lagosMonth } from "../kernel/lagos.ts";
import type { Mode } from "../kernel/mode.ts";
import type { SoldPlan } from "../kernel/sold-plan.ts";
import type { SpendCap } from "../kernel/spend-cap.ts";
import { type KeyRecord, withSpendCap } from "./key-record.ts";

/** Who orders, and on which terms. */
export interface OrderCaller<Plan extends SoldPlan = SoldPlan> {
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** The account's plan of the service that is ordered from. */
  readonly plan: Plan;
  /** Of the key, if it has one. */
  readonly spendCap?: SpendCap;
}

/** The caller that a key speaks for, at a service of which its account has this plan. */
export const orderCallerOf = <Plan extends SoldPlan>(key: KeyRecord, plan: Plan): OrderCaller<Plan> => ({
  accountId: key.accountId as Uuid,
  mode: key.mode,
  plan,
  ...withSpendCap(key),
});

/** Which limits a new order of the caller counts against: its plan's monthly quota and its key's daily spend cap. */
export const limitsOf = ({ plan, spendCap }: Pick<OrderCaller, "plan" | "spendCap">, now: Date) => ({
  quota: plan.quota === null ? null : { limit: plan.quota, period: lagosMonth(now) },
  spendCap: spendCap ? { ...spendCap, day: lagosDay(now) } : null,
});
