import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
import { afterLagosDay, startOfLagosDay } from "../kernel/lagos.ts";
import { acceptOrders } from "../orders/accept.repo.ts";
import type { Change } from "../orders/order.ts";
import { changeOrders, findOrder } from "../orders/orders.repo.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder } from "../testing/engine.ts";
import { keepUsage, sumUsage } from "./usage.repo.ts";

const database = await makeTestDatabase();
const db = database.open();
const DAY = "2026-11-27";
const PRICE_KOBO = kobo(400);

/** An order accepted at this time, in a transaction of its own. */
async function accept(accountId: Uuid, at: Date): Promise<void> {
  const id = newUuid().replace(/^.{13}/, at.getTime().toString(16).padStart(12, "0").replace(/^.{8}/, "$&-")) as Uuid;
  const order = newOrder(accountId, { id, createdAt: at, priceKobo: PRICE_KOBO });
  const options = { node: newUuid(), leaseSeconds: 30, strict: false, recheck: false };
  await acceptOrders(db, [{ orders: [order], leased: false }], options);
}
const before = (moment: Date, minutes: number) => new Date(moment.getTime() - minutes * 60_000);
const daysOf = async (accountId: Uuid, from: string, to: string) => {
  const period = { from: startOfLagosDay(from), before: afterLagosDay(to) };
  const sums = await sumUsage(db, { accountId, mode: "test", by: "day", ...period });
  return sums.map(({ key, orders, heldKobo }) => [key, orders, heldKobo]);
};

test("an order of one minute before midnight in Lagos belongs to the day before", async () => {
  const accountId = await makeCustomer(db);
  for (const at of [before(startOfLagosDay(DAY), 1), startOfLagosDay(DAY), before(afterLagosDay(DAY), 1)])
    await accept(accountId, at);
  const both = [
    ["2026-11-26", 1, PRICE_KOBO],
    [DAY, 2, 2n * PRICE_KOBO],
  ];
  assert.deepEqual(await daysOf(accountId, "2026-11-26", DAY), both);
  await keepUsage(db);
  assert.deepEqual(await daysOf(accountId, "2026-11-26", DAY), both);
  assert.deepEqual(await daysOf(accountId, DAY, DAY), both.slice(1));
});

test("what is not filled in yet after an upgrade is read, and is the same after each slice and at the end", async () => {
  const accountId = await makeCustomer(db);
  for (let hours = 0; hours < 12; hours++) await accept(accountId, before(afterLagosDay(DAY), hours * 360 + 1));
  const expected = await daysOf(accountId, "2026-11-24", "2026-11-28");
  assert.deepEqual(
    expected.map(([day, orders]) => [day, orders]),
    [
      ["2026-11-25", 4],
      ["2026-11-26", 4],
      ["2026-11-27", 4],
    ],
  );
  await keepUsage(db);
  await db.query("select sum_usage_again($1)", [accountId]);
  for (let slices = 0; ; slices++) {
    assert.deepEqual(await daysOf(accountId, "2026-11-24", "2026-11-28"), expected);
    const { rows } = await db.query<{ more: boolean }>("select fill_usage(3) as more");
    if (!rows[0]!.more) {
      assert.ok(slices > 3, "it is filled in several slices");
      break;
    }
  }
  assert.deepEqual(await engineFindings(database.connection), []);
});

test("an order that is changed past the functions is found by the proof, and its account is summed up anew", async () => {
  const accountId = await makeCustomer(db);
  await accept(accountId, before(afterLagosDay(DAY), 1));
  await keepUsage(db);
  await db.query(
    "update orders set created_at = created_at - interval '5 minutes', service = 'other' where account_id = $1",
    [accountId],
  );
  const rules = (await engineFindings(database.connection)).map(({ rule }) => rule);
  assert.ok(rules.includes("usage is the sum of the orders"), rules.join());
  await db.query("select sum_usage_again($1)", [accountId]);
  await keepUsage(db);
  const period = { from: startOfLagosDay(DAY), before: afterLagosDay(DAY) };
  const sums = await sumUsage(db, { accountId, mode: "test", by: "service", ...period });
  assert.deepEqual(
    sums.map(({ key, orders }) => [key, orders]),
    [["other", 1]],
  );
});

test("two orders of different prices that change places between two states in one batch are counted by their prices", async () => {
  const accountId = await makeCustomer(db);
  const accepted = async (priceKobo: Kobo) => {
    const order = newOrder(accountId, { priceKobo });
    const options = { node: newUuid(), leaseSeconds: 30, strict: false, recheck: false };
    await acceptOrders(db, [{ orders: [order], leased: false }], options);
    return order.id;
  };
  const [cheap, dear] = [await accepted(kobo(220)), await accepted(kobo(1_800))];
  /** Without a charge: neither sum of money tells that the row is needed. */
  const become = async (states: readonly (readonly [id: Uuid, state: string, money?: "void"])[]) => {
    const changes = states.map(async ([id, state, money]): Promise<Change> => {
      const before = (await findOrder(db, accountId, id))!;
      const after = { ...before, state };
      return { before, after, dueAt: null, keepLease: false, at: new Date(), references: [], ...(money && { money }) };
    });
    assert.equal((await changeOrders(db, newUuid(), await Promise.all(changes))).stale.size, 0);
  };
  const usageFindings = async () =>
    (await engineFindings(database.connection)).filter(
      (finding) => finding.rule === "usage is the sum of the orders" && finding.accountId === accountId,
    );
  await become([
    [cheap, "failed", "void"],
    [dear, "rejected", "void"],
  ]);
  await become([
    [cheap, "rejected"],
    [dear, "failed"],
  ]);
  assert.deepEqual(await usageFindings(), []);
});
