import assert from "node:assert/strict";
import { test } from "node:test";
import { readWallet } from "../ledger/ledger.repo.ts";
import type { Outcome } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newTopup, PRICE_KOBO, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import type { NewOrder } from "./accept.repo.ts";
import { findOrder } from "./orders.repo.ts";

/** Callbacks that anybody may have made up, about orders that are there: how often their vendor is asked because of them. */

const database = await makeTestDatabase();
const db = database.open();

const DONE: Outcome = { kind: "done" };
const LOST: Outcome = { kind: "unknown", detail: "no answer" };
const REVERSED: Outcome = { kind: "reversed", detail: "taken back" };
/** In test mode; see `hint_wait`. */
const WAIT_MS = 2_000;

function vendorNamed(name: string): ScriptedProvider {
  const vendor = new ScriptedProvider(name);
  vendor.makeReference = ({ orderId, attempt }) => `${name}-${attempt}-${orderId}`;
  vendor.answers(() => ({ kind: "accepted", askAgainMs: 3_600_000 }));
  return vendor;
}
const referenceAt = (vendor: ScriptedProvider, { id }: NewOrder) => `${vendor.name}-1-${id}`;
const isFree = async ({ accountId, id }: NewOrder) => (await findOrder(db, accountId, id))?.leasedUntil === null;

test("callbacks by the thousand about open orders make one question each, then one from time to time, and change no money", async (t) => {
  const [vendor, other] = [vendorNamed("u-flood"), vendorNamed("u-bystander")];
  let atOnce = 0;
  let mostAtOnce = 0;
  vendor.requeried(async () => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    return { kind: "accepted", askAgainMs: 3_600_000 };
  });
  other.requeried(() => DONE);
  const engine = await startEngine(t, db, [vendor]);
  const customer = await makeCustomer(db);
  const before = (await readWallet(db, customer, "test"))!.availableKobo;
  const orders: NewOrder[] = [];
  for (let count = 0; count < 20; count += 1) orders.push(await accept(engine, newTopup(customer)));
  for (const order of orders) await waitFor("an order that waits", async () => vendor.sent.length > 0 && isFree(order));
  const beganMs = performance.now();
  for (let round = 0; round < 20; round += 1)
    await Promise.all(Array.from({ length: 100 }, (_, index) => vendor.hint(referenceAt(vendor, orders[index % 20]!))));
  await waitFor("a question about each", () => new Set(vendor.asked.map(({ orderId }) => orderId)).size === 20);
  const most = 1 + Math.ceil((performance.now() - beganMs) / WAIT_MS);
  for (const { id } of orders) {
    const asked = vendor.asked.filter(({ orderId }) => orderId === id).length;
    assert.ok(asked <= most, `${asked} questions, at most ${most}`);
  }
  assert.equal((await readWallet(db, customer, "test"))!.availableKobo, before - PRICE_KOBO * 20n);
  assert.deepEqual(await engineFindings(database.connection), []);
});

test("a word that comes soon after another is not lost: its question comes when the time has passed", async (t) => {
  const vendor = vendorNamed("u-later");
  vendor.answers(() => DONE);
  vendor.requeried(() => (vendor.asked.length === 1 ? DONE : REVERSED));
  const order = await accept(await startEngine(t, db, [vendor]), newTopup(await makeCustomer(db)));
  await waitForState(db, order, "successful");
  await vendor.hint(referenceAt(vendor, order));
  await waitFor("the first question", async () => vendor.asked.length === 1 && isFree(order));
  await vendor.hint(referenceAt(vendor, order));
  await waitForState(db, order, "reversed");
  assert.equal(vendor.asked.length, 2);
  assert.deepEqual(await engineFindings(database.connection), []);
});

test("a word that comes while the vendor is asked because of another leads to a question that waits, and so does one after that", async (t) => {
  const vendor = vendorNamed("u-held");
  const slow = Promise.withResolvers<Outcome>();
  t.after(() => slow.resolve(LOST));
  vendor.requeried(() => slow.promise);
  const order = await accept(await startEngine(t, db, [vendor]), newTopup(await makeCustomer(db)));
  await waitFor("an order that waits", async () => vendor.sent.length === 1 && isFree(order));
  const dueAt = async () => (await findOrder(db, order.accountId, order.id))?.dueAt?.getTime() ?? 0;
  const hint = () => vendor.hint(referenceAt(vendor, order));
  await hint();
  await waitFor("the question", () => vendor.asked.length === 1);
  // As if the first had come just now, and a live order's wait.
  const setAtMs = Date.now();
  await db.query("update orders set hint_due_at = now() + interval '20 seconds' where id = $1", [order.id]);
  await hint();
  slow.resolve({ kind: "accepted", askAgainMs: 3_600_000 });
  await waitFor("the record", () => isFree(order));
  const due = await dueAt();
  assert.ok(due > setAtMs + 15_000 && due < Date.now() + 25_000, `${due - setAtMs} ms`);
  await hint();
  assert.equal(await dueAt(), due, "neither sooner nor later");
  assert.equal(vendor.asked.length, 1);
});

test("a word that is the vendor's for certain waits for nothing, whatever came before it", async (t) => {
  const vendor = vendorNamed("u-signed");
  vendor.requeried(() => ({ kind: "accepted", askAgainMs: 3_600_000 }));
  const order = await accept(await startEngine(t, db, [vendor]), newTopup(await makeCustomer(db)));
  await waitFor("an order that waits", async () => vendor.sent.length === 1 && isFree(order));
  await vendor.hint(referenceAt(vendor, order));
  await waitFor("the question", async () => vendor.asked.length === 1 && isFree(order));
  await db.query("update orders set hint_due_at = now() + interval '1 hour' where id = $1", [order.id]);
  vendor.requeried(() => DONE);
  await vendor.hint(referenceAt(vendor, order), true);
  await waitForState(db, order, "successful");
});

test("the wait is a tenth of the order's age, 30 seconds at least and an hour at most", async () => {
  const { rows } = await db.query<{ seconds: number }>(
    `select extract(epoch from hint_wait('live', now() - age))::int as seconds
       from unnest(array['0 s', '4 minutes', '20 minutes', '40 days']::interval[]) with ordinality a(age, n) order by n`,
  );
  assert.deepEqual(
    rows.map(({ seconds }) => seconds),
    [30, 30, 120, 3_600],
  );
});
