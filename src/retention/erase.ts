import { type Actor, audit } from "../accounts/audit.repo.ts";
import type { Database } from "../db/database.ts";
import type { ErasedName } from "../kernel/erased-name.ts";
import { encodeId } from "../kernel/ids.ts";
import { addressesOf, type Sought } from "./addresses.repo.ts";
import { putOff, waitForTurn } from "./orders.repo.ts";
import { countHeld, deleteHeld, ordersOf, type PersonsOrder } from "./person.repo.ts";
import { ERASURE } from "./purge.ts";
import { purgeOrders, type Services } from "./purge-orders.ts";

export interface Erasing {
  readonly db: Database;
  readonly services: Services;
  readonly erasedName: ErasedName;
  readonly actor: Actor;
  readonly now: Date;
}

/** Rows about a number by table. Orders whose number is still needed follow later. */
export interface Erasure {
  readonly orders: number;
  readonly later: number;
  readonly others: Readonly<Record<string, number>>;
}

const SLICE_ROWS = 200;

/** What an erasure would take. */
export async function eraseable(db: Database, sought: Sought, now: Date): Promise<Erasure> {
  return db.snapshot(async (look) => {
    const addresses = await addressesOf(look, sought);
    const orders = await ordersOf(look, addresses, now);
    const later = orders.filter(({ isPurgeable }) => !isPurgeable).length;
    return { orders: orders.length - later, later, others: await countHeld(look, addresses) };
  });
}

/**
 * Removes what is kept about a number. Orders come first, in slices; what finds them, the person's addresses, goes last, in one
 * transaction with the audit log. Ended in the middle, it is done by doing it again.
 */
export async function erase(sought: Sought, erasing: Erasing): Promise<Erasure> {
  const { db, erasedName, actor, now } = erasing;
  const addresses = await addressesOf(db, sought);
  const orders = await ordersOf(db, addresses, now);
  let later = 0;
  for (let from = 0; from < orders.length; from += SLICE_ROWS)
    later += await eraseOrders(orders.slice(from, from + SLICE_ROWS), erasing);
  return db.transaction(async (tx) => {
    const others = await countHeld(tx, addresses);
    await deleteHeld(tx, addresses, erasedName);
    const erased = { orders: orders.length - later, later, others };
    await audit(tx, {
      actor,
      action: "personal_data.erase",
      subject: erasedName(sought.phone),
      details: detailsOf(sought, erased),
    });
    return erased;
  });
}

/** Where it was asked for, and how many rows of each table. */
export const detailsOf = ({ accountId, mode }: Sought, counts: Erasure) => ({
  ...(accountId && { account: encodeId("acc", accountId) }),
  ...(mode && { mode }),
  orders: counts.orders,
  later: counts.later,
  ...counts.others,
});

/** How many follow when they have ended: the purge looks at them every hour. */
const eraseOrders = (orders: readonly PersonsOrder[], { db, services, now }: Erasing): Promise<number> =>
  db.transaction(async (tx) => {
    await waitForTurn(tx);
    let later = 0;
    for (const [accountId, same] of Map.groupBy(orders, (order) => order.accountId)) {
      const ids = same.map(({ id }) => id);
      const waiting = await purgeOrders(tx, services, { accountId, ids, kind: "numbers", endedBy: now, now });
      if (waiting.length > 0) await putOff(tx, ERASURE, accountId, waiting, now);
      later += waiting.length;
    }
    return later;
  });
