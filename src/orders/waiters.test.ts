import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../db/database.ts";
import type { Outcome } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeCustomer, newTopup, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import { findOrder } from "./orders.repo.ts";
import { makeWaiters } from "./waiters.ts";

const db = (await makeTestDatabase()).open();

const DONE: Outcome = { kind: "done" };
/** Longer than any test waits for. */
const LONG_MS = 60_000;

/** A vendor that answers when the test lets it. */
function patientVendor(name: string) {
  const vendor = new ScriptedProvider(name);
  let give: (outcome: Outcome) => void = () => undefined;
  const answer = new Promise<Outcome>((resolve) => (give = resolve));
  vendor.answers(() => answer);
  return { vendor, give: (outcome: Outcome) => give(outcome) };
}

/** The same database, with its questions for orders counted. */
function counted(): { readonly db: Database; readonly looks: () => number } {
  let looks = 0;
  const query: Database["query"] = (statement, values) => {
    if (typeof statement === "object" && statement.name === "find_orders") looks += 1;
    return db.query(statement, values);
  };
  return { db: { ...db, query }, looks: () => looks };
}

test("whoever waits is answered with the order as soon as it has ended here", async (t) => {
  const { vendor, give } = patientVendor("w-here");
  const engine = await startEngine(t, db, [vendor]);
  const order = await accept(engine, newTopup(await makeCustomer(db)));
  const waits = [engine.waitForEnd(order, LONG_MS), engine.waitForEnd(order, LONG_MS)];
  await waitFor("the call", () => vendor.sent.length === 1);
  give(DONE);
  for (const ended of await Promise.all(waits)) assert.equal(ended?.state, "successful");
});

test("an order that another node works on is found as well", async (t) => {
  const { vendor, give } = patientVendor("w-there");
  const api = await startEngine(t, db, [], { role: "api" });
  await startEngine(t, db, [vendor]);
  const order = await accept(api, newTopup(await makeCustomer(db)));
  const wait = api.waitForEnd(order, LONG_MS);
  await waitFor("the call", () => vendor.sent.length === 1);
  give({ kind: "rejected", scope: "order", code: "invalid_number", detail: "no such number" });
  const ended = await wait;
  assert.equal(ended?.state, "failed");
  assert.equal((ended.facts?.failure as { code: string } | undefined)?.code, "invalid_number");
});

test("what ended before anybody waited is answered at once", async (t) => {
  const vendor = new ScriptedProvider("w-before");
  vendor.answers(() => DONE);
  const engine = await startEngine(t, db, [vendor]);
  const order = await accept(engine, newTopup(await makeCustomer(db)));
  await waitForState(db, order, "successful");
  assert.equal((await makeWaiters(db, LONG_MS).wait(order, LONG_MS))?.state, "successful");
});

test("when the time is up first there is no answer, and the order goes on", async (t) => {
  const { vendor, give } = patientVendor("w-late");
  const engine = await startEngine(t, db, [vendor]);
  const order = await accept(engine, newTopup(await makeCustomer(db)));
  assert.equal(await engine.waitForEnd(order, 50), undefined);
  give(DONE);
  await waitForState(db, order, "successful");
});

test("all that wait are looked after with one question at a time, and nothing is asked while nobody waits", async (t) => {
  const { db: watched, looks } = counted();
  const api = await startEngine(t, db, [], { role: "api" });
  const accountId = await makeCustomer(db);
  const orders = await Promise.all(Array.from({ length: 50 }, () => accept(api, newTopup(accountId))));
  const waiters = makeWaiters(watched, 20);
  const waits = orders.map((order) => waiters.wait(order, LONG_MS));
  await waitFor("some looking", () => looks() > 5);
  assert.ok(looks() < 50, `${looks()} questions`);
  for (const { id } of orders)
    await db.query("update orders set state = 'failed', ended_at = now() where id = $1", [id]);
  const ended = await Promise.all(waits);
  assert.deepEqual(
    ended.map((order) => order?.id),
    orders.map(({ id }) => id),
  );
  const before = looks();
  await new Promise((resolve) => setImmediate(resolve));
  await assert.rejects(waitFor("another question", () => looks() > before, 200));
});

test("a database that is away for a moment is asked again", async (t) => {
  let away = 3;
  const query: Database["query"] = (statement, values) => {
    if (away > 0) {
      away -= 1;
      return Promise.reject(new Error("away"));
    }
    return db.query(statement, values);
  };
  const { vendor, give } = patientVendor("w-away");
  const engine = await startEngine(t, db, [vendor]);
  const order = await accept(engine, newTopup(await makeCustomer(db)));
  const wait = makeWaiters({ ...db, query }, 10).wait(order, LONG_MS);
  give(DONE);
  assert.equal((await wait)?.state, "successful");
  assert.equal(away, 0);
});

test("a node that ends answers all who wait, and whoever comes later at once, without the order", async (t) => {
  const { vendor, give } = patientVendor("w-end");
  const engine = await startEngine(t, db, [vendor]);
  const order = await accept(engine, newTopup(await makeCustomer(db)));
  const wait = engine.waitForEnd(order, LONG_MS);
  engine.stopWaiting();
  assert.equal(await wait, undefined);
  assert.equal(await engine.waitForEnd(order, LONG_MS), undefined);
  assert.equal((await findOrder(db, order.accountId, order.id))?.endedAt, null);
  give(DONE);
});
