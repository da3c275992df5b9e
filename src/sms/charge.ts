import type { Db } from "../db/database.ts";
import type { Charge } from "../kernel/charge.ts";
import type { Uuid } from "../kernel/ids.ts";
import { findHolds } from "../orders/holds.repo.ts";
import type { Order } from "../orders/order.ts";
import { CHARGE_OF, type HoldState, holdsByState } from "../orders/steps.ts";
import { SMS_STEPS } from "./sms.steps.ts";

/** Holds by message, as far as they were asked for. */
export type Holds = ReadonlyMap<Uuid, HoldState>;

export const NO_HOLDS: Holds = new Map();

const HOLDS = holdsByState(SMS_STEPS);

/** What the state alone says: nothing of `rejected` and `expired`, which may come before a message is sent and after. */
function saidByState(state: string): HoldState | undefined {
  const [hold, ...others] = HOLDS.get(state) ?? [];
  return others.length === 0 ? hold : undefined;
}

/**
 * The holds that `chargeOf` needs for these messages of one account: one query, or none. Only those of final states are asked
 * for, so they can't have changed since the messages were read.
 */
export const holdsFor = (db: Db, accountId: Uuid, orders: readonly Order[]): Promise<Holds> =>
  findHolds(
    db,
    accountId,
    orders.filter((order) => saidByState(order.state) === undefined).map((order) => order.id),
  );

/** A message that costs nothing has no hold: where the state does not say, nothing was charged. */
export const chargeOf = (order: Pick<Order, "id" | "state">, holds: Holds): Charge =>
  CHARGE_OF[saidByState(order.state) ?? holds.get(order.id) ?? "voided"];
