import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import type { Outcome, ProviderTask } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, newTopup, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { leaveBegun, OPEN_PIECE } from "../testing/past-the-engine.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import type { NewOrder } from "./accept.repo.ts";
import { findOrder } from "./orders.repo.ts";

/** Our references of attempts: what a vendor is asked by. */

const database = await makeTestDatabase();
const db = database.open();

const DONE: Outcome = { kind: "done" };
const LOST: Outcome = { kind: "unknown", detail: "no answer" };
const REFUSED: Outcome = { kind: "rejected", scope: "route", code: "vendor_failed", detail: "not here" };

/** Makes another reference each time it is asked to, as one that has the time in it does. */
function vendorNamed(name: string): ScriptedProvider & { readonly made: string[] } {
  const made: string[] = [];
  const vendor = new ScriptedProvider(name);
  vendor.makeReference = () => {
    made.push(`${name}-${made.length + 1}`);
    return made.at(-1)!;
  };
  return Object.assign(vendor, { made });
}

const attemptsOf = async (order: Pick<NewOrder, "id">) =>
  (
    await db.query<{ route: string; reference: string; attempt: number }>(
      "select route, reference, attempt from attempts where order_id = $1 order by attempt",
      [order.id],
    )
  ).rows;

test("the reference is committed with its attempt before the vendor is called", async (t) => {
  const vendor = vendorNamed("a");
  const seen: unknown[] = [];
  vendor.answers(async (task) => {
    const stored = await findOrder(db, order.accountId, order.id);
    seen.push([task.reference, stored?.attemptReference, stored?.attempt, await attemptsOf(order)]);
    return DONE;
  });
  const engine = await startEngine(t, db, [vendor]);
  const order = newTopup(await makeCustomer(db));
  await accept(engine, order);
  await waitForState(db, order, "successful");
  assert.deepEqual(seen, [["a-1", "a-1", 1, [{ route: "a", reference: "a-1", attempt: 1 }]]]);
});

test("a vendor is asked by the reference that it was given, which is never made again", async (t) => {
  const vendor = vendorNamed("b");
  vendor.answers(() => LOST);
  const askedBy: (string | null)[] = [];
  vendor.requeried(({ reference }) => {
    askedBy.push(reference);
    return askedBy.length < 4 ? LOST : DONE;
  });
  const order = await accept(await startEngine(t, db, [vendor]), newTopup(await makeCustomer(db)));
  await waitForState(db, order, "successful");
  assert.deepEqual(askedBy, ["b-1", "b-1", "b-1", "b-1"]);
  assert.deepEqual(vendor.made, ["b-1"]);
});

test("another node asks by the reference that the dead one had committed", async (t) => {
  const dead = await startEngine(t, db, [], { role: "api" });
  const order = await accept(dead, newTopup(await makeCustomer(db)));
  await leaveBegun(db, order, { state: "processing", route: "c", reference: "of the dead", pieces: OPEN_PIECE });
  const vendor = vendorNamed("c");
  const tasks: ProviderTask[] = [];
  vendor.requeried((task) => {
    tasks.push(task);
    // First the vendor has it without a name for it; an engine that took that for nothing would send it again.
    return tasks.length < 3 ? { kind: "accepted" } : DONE;
  });
  await startEngine(t, db, [vendor]);
  await waitForState(db, order, "successful");
  assert.deepEqual(
    tasks.map(({ reference, attempt }) => [reference, attempt]),
    Array(3).fill(["of the dead", 1]),
  );
  assert.deepEqual([vendor.sent.length, vendor.made.length], [0, 0]);
  assert.deepEqual(await engineFindings(database.connection), []);
});

test("a call that was never heard goes again under the name that was committed for it: its vendor takes one of the two", async (t) => {
  const dead = await startEngine(t, db, [], { role: "api" });
  const order = await accept(dead, newTopup(await makeCustomer(db)));
  const begun = ["h", "h-of the dead", order.accountId, order.id];
  await leaveBegun(db, order, { state: "processing", route: "h", reference: "h-of the dead", pieces: OPEN_PIECE });
  await db.query(
    "insert into attempts (route, reference, account_id, order_id, attempt, begun_at) values ($1, $2, $3, $4, 1, now())",
    begun,
  );
  const vendor = vendorNamed("h");
  vendor.requeried(() => ({ kind: "not_found", detail: "no such reference" }));
  const given: unknown[] = [];
  vendor.answers(({ attempt, reference }) => {
    given.push([attempt, reference]);
    return given.length < 3 ? { kind: "throttled", retryAfterMs: 0, detail: "busy" } : DONE;
  });
  await startEngine(t, db, [vendor]);
  await waitForState(db, order, "successful");
  assert.deepEqual(given, Array(3).fill([1, "h-of the dead"]));
  assert.deepEqual(await attemptsOf(order), [{ route: "h", reference: "h-of the dead", attempt: 1 }]);
  assert.deepEqual(vendor.made, []);
  assert.deepEqual(await engineFindings(database.connection), []);
});

test("each attempt has a reference of its own, and all of them are kept", async (t) => {
  const [one, two] = [vendorNamed("d"), vendorNamed("e")];
  one.answers(() => (one.sent.length < 3 ? { kind: "throttled", retryAfterMs: 0, detail: "busy" } : REFUSED));
  two.answers(() => DONE);
  const order = await accept(await startEngine(t, db, [one, two]), newTopup(await makeCustomer(db)));
  const ended = await waitForState(db, order, "successful");
  assert.deepEqual(
    (await attemptsOf(order)).map(({ reference }) => reference),
    ["d-1", "d-2", "d-3", "e-1"],
  );
  assert.deepEqual([ended.attempt, ended.attemptReference], [4, "e-1"]);
});

test("a reference that another attempt has is never used: nothing is sent under it, and the others of the batch go on", async (t) => {
  const vendor = new ScriptedProvider("f");
  const accountId = await makeCustomer(db);
  const orders = Array.from({ length: 5 }, () => newTopup(accountId));
  const [taken] = orders;
  const given: (string | null)[] = [];
  vendor.makeReference = ({ orderId }) =>
    orderId === taken?.id && given.length < orders.length ? "taken" : `f-${newUuid()}`;
  vendor.answers(({ reference }) => {
    given.push(reference);
    return DONE;
  });
  await db.query(
    `insert into attempts (route, reference, account_id, order_id, attempt, begun_at)
     values ('f', 'taken', $1, $2, 1, now())`,
    [accountId, newUuid()],
  );
  // With so short a lease the one that could not begin is soon tried again.
  const engine = await startEngine(t, db, [vendor], { leaseSeconds: 1 });
  for (const order of orders) await accept(engine, order);
  for (const order of orders.slice(1)) await waitForState(db, order, "successful");
  await accept(engine, newTopup(accountId));
  await waitForState(db, taken!, "successful");
  assert.ok(!given.includes("taken"));
  assert.equal(new Set(given).size, orders.length + 1);
});

test("a service whose vendors make no reference has no attempts on record", async (t) => {
  const carrier = new ScriptedProvider("g");
  const order = await accept(await startEngine(t, db, [carrier]), newOrder(await makeCustomer(db)));
  await waitForState(db, order, "sent");
  await waitFor("the record", async () => (await findOrder(db, order.accountId, order.id))?.leasedUntil === null);
  assert.deepEqual(await attemptsOf(order), []);
});
