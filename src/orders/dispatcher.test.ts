import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type pg from "pg";
import type { Database } from "../db/database.ts";
import { newUuid } from "../kernel/ids.ts";
import type { Outcome } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import {
  type EngineOptions,
  engineFindings,
  makeCustomer,
  makeEngine,
  newOrder,
  REAL_CLOCK,
  waitForState,
} from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { leaveBegun } from "../testing/past-the-engine.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import type { NewOrder } from "./accept.repo.ts";
import { pauseRoute, resumeRoute } from "./nodes.repo.ts";
import { PRIORITY } from "./order.ts";
import { claimOrders, findOrder, readTimeline } from "./orders.repo.ts";

const database = await makeTestDatabase();
const db = database.open();

const start = (t: TestContext, providers: readonly ScriptedProvider[], options?: EngineOptions) =>
  startEngine(t, db, providers, options);

type Statement = { readonly name: string; readonly text: string };

const UNKNOWN: Outcome = { kind: "unknown", detail: "no answer" };
const throttled = (retryAfterMs: number): Outcome => ({ kind: "throttled", retryAfterMs, detail: "slow down" });
const refusedHere: Outcome = { kind: "rejected", scope: "route", code: "no_route", detail: "float empty" };
const refusedByAll: Outcome = { kind: "rejected", scope: "order", code: "invalid_number", detail: "no such number" };

const provesItself = async () => assert.deepEqual(await engineFindings(database.connection), []);

test("an order goes to the vendor, is paid when taken, and ends with the report", async (t) => {
  const carrier = new ScriptedProvider("a1");
  const engine = await start(t, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db)));
  await waitForState(db, order, "sent");
  await carrier.report({
    providerReference: carrier.referenceOf({ orderId: order.id, attempt: 1 }, 0),
    status: "delivered",
  });
  const ended = await waitForState(db, order, "delivered");
  assert.ok(ended.endedAt);
  assert.deepEqual(
    (await readTimeline(db, order.accountId, order.id)).map((row) => row.status),
    ["sending", "sent", "delivered"],
  );
  await provesItself();
});

test("after a refusal by the route the next route has a go, and after the last one the order fails and its money returns", async (t) => {
  const [one, two] = [new ScriptedProvider("b1"), new ScriptedProvider("b2")];
  one.answers(() => refusedHere);
  const engine = await start(t, [one, two]);
  const accountId = await makeCustomer(db);
  const taken = await accept(engine, newOrder(accountId));
  assert.equal((await waitForState(db, taken, "sent")).route, "b2");
  two.answers(() => refusedHere);
  const failed = await accept(engine, newOrder(accountId));
  const ended = await waitForState(db, failed, "failed");
  assert.deepEqual([...ended.tried].sort(), ["b1", "b2"]);
  await provesItself();
});

test("a refusal of the order itself is final at once: no other route has a go", async (t) => {
  const [one, two] = [new ScriptedProvider("c1"), new ScriptedProvider("c2")];
  for (const carrier of [one, two]) carrier.answers(() => refusedByAll);
  const engine = await start(t, [one, two]);
  const order = await accept(engine, newOrder(await makeCustomer(db)));
  await waitForState(db, order, "rejected");
  assert.equal(one.sent.length + two.sent.length, 1);
  await provesItself();
});

test("a throttled order comes back to the same vendor after the time it named", async (t) => {
  const carrier = new ScriptedProvider("f1");
  carrier.answersOnce(throttled(300), throttled(0));
  const engine = await start(t, [carrier]);
  const askedAtMs = REAL_CLOCK.monotonicMs();
  const order = await accept(engine, newOrder(await makeCustomer(db)));
  await waitForState(db, order, "sent");
  assert.ok(REAL_CLOCK.monotonicMs() - askedAtMs >= 300);
  assert.deepEqual(
    carrier.sent.map((sent) => sent.attempt),
    [1, 2, 3],
  );
});

test("a code is sent before a bulk that waits for the same vendor", async (t) => {
  const carrier = new ScriptedProvider("g1");
  let letGo: (outcome: Outcome) => void = () => undefined;
  carrier.answers(() => new Promise<Outcome>((resolve) => (letGo = resolve)));
  const engine = await start(t, [carrier], { routes: { g1: { window: 1 } } });
  const accountId = await makeCustomer(db);
  const first = await accept(engine, newOrder(accountId));
  await waitFor("a full window", () => carrier.sent.length === 1);
  const bulk = Array.from({ length: 20 }, () => newOrder(accountId, { priority: PRIORITY.bulkPromotional }));
  for (const order of bulk) await accept(engine, order);
  const code = await accept(engine, newOrder(accountId));
  carrier.answers((task, piece) => carrier.accept(task, piece));
  letGo(carrier.accept({ orderId: first.id, attempt: 1 }, 0));
  await waitForState(db, bulk.at(-1)!, "sent");
  assert.deepEqual(
    carrier.sent.map((sent) => sent.orderId),
    [first, code, ...bulk].map((order) => order.id),
  );
});

test("no more orders are under way than the route's window, their records included", async (t) => {
  const carrier = new ScriptedProvider("h1");
  let most = 0;
  let now = 0;
  carrier.answers(async (task, piece) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now -= 1;
    return carrier.accept(task, piece);
  });
  const engine = await start(t, [carrier], { routes: { h1: { window: 3 } } });
  const accountId = await makeCustomer(db);
  const orders = await Promise.all(Array.from({ length: 30 }, () => accept(engine, newOrder(accountId))));
  for (const order of orders) await waitForState(db, order, "sent");
  assert.equal(most, 3);
});

test("an operator's pause stops a route on every node, and its end starts it again", async (t) => {
  const carrier = new ScriptedProvider("i1");
  const engines = [await start(t, [carrier]), await start(t, [carrier])];
  await pauseRoute(db, "i1", "float is empty");
  await waitFor("both nodes to know", () => engines.every((engine) => engine.routes[0]?.paused));
  const order = await accept(engines[0]!, newOrder(await makeCustomer(db)));
  assert.equal((await findOrder(db, order.accountId, order.id))?.state, "queued");
  assert.equal(carrier.sent.length, 0);
  await resumeRoute(db, "i1");
  await waitForState(db, order, "sent");
});

test("an order that has changed meanwhile is decided anew: what was sent is recorded on what it has become", async (t) => {
  const carrier = new ScriptedProvider("k1");
  let letGo: (outcome: Outcome) => void = () => undefined;
  carrier.answers(() => new Promise<Outcome>((resolve) => (letGo = resolve)));
  const engine = await start(t, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db)));
  await waitFor("the call", () => carrier.sent.length === 1);
  // Somebody else's change, e.g. a word of the vendor's: the version moves on under the call.
  await db.query("update orders set version = version + 1 where id = $1", [order.id]);
  letGo(carrier.accept({ orderId: order.id, attempt: 1 }, 0));
  await waitForState(db, order, "sent");
  await provesItself();
});

test("a node that lost its lease before begin sends nothing", async (t) => {
  const carrier = new ScriptedProvider("l1");
  let letGo: (outcome: Outcome) => void = () => undefined;
  carrier.answers(() => new Promise<Outcome>((resolve) => (letGo = resolve)));
  const engine = await start(t, [carrier], { routes: { l1: { window: 1 } } });
  const accountId = await makeCustomer(db);
  const [first, lost, last] = [newOrder(accountId), newOrder(accountId), newOrder(accountId)];
  for (const order of [first, lost, last]) await accept(engine, order); // the later two wait in memory
  await waitFor("a full window", () => carrier.sent.length === 1);
  // Another node's claim, as after a freeze of this one.
  await db.query(
    `update orders set leased_by = $2, lease_epoch = lease_epoch + 1, leased_until = clock_timestamp() + interval '1 minute',
            due_at = clock_timestamp() + interval '1 minute', version = version + 1 where id = $1`,
    [lost.id, newUuid()],
  );
  carrier.answers((task, piece) => carrier.accept(task, piece));
  letGo(carrier.accept({ orderId: first.id, attempt: 1 }, 0));
  await waitForState(db, last, "sent");
  assert.deepEqual(
    carrier.sent.map((sent) => sent.orderId),
    [first.id, last.id],
  );
});

test("leases are renewed while a call is under way, however long the vendor takes", async (t) => {
  const carrier = new ScriptedProvider("m1");
  let letGo: (outcome: Outcome) => void = () => undefined;
  carrier.answers(() => new Promise<Outcome>((resolve) => (letGo = resolve)));
  const engine = await start(t, [carrier], { leaseSeconds: 1 });
  const order = await accept(engine, newOrder(await makeCustomer(db)));
  await waitFor("the call", () => carrier.sent.length === 1);
  const first = (await findOrder(db, order.accountId, order.id))!;
  await waitFor("three leases' time", async () => {
    const claimed = await claimOrders(db, {
      node: newUuid(),
      leaseSeconds: 1,
      queue: "parcel:test",
      max: 10,
      now: new Date(),
    });
    assert.deepEqual(claimed, [], "nobody else gets it");
    const { rows } = await db.query<{ over: boolean }>(
      "select clock_timestamp() > $1::timestamptz + interval '2 seconds' as over",
      [first.leasedUntil],
    );
    return rows[0]?.over;
  });
  letGo(carrier.accept({ orderId: order.id, attempt: 1 }, 0));
  const sent = await waitForState(db, order, "sent");
  assert.equal(sent.leaseEpoch, first.leaseEpoch);
});

test("two nodes on one database send each of 300 orders once", async (t) => {
  const carriers = [new ScriptedProvider("n1"), new ScriptedProvider("n1")];
  for (const carrier of carriers) await start(t, [carrier]);
  const api = await start(t, [], { role: "api" });
  const accountId = await makeCustomer(db);
  const orders = await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      accept(api, newOrder(accountId, { ambiguity: index % 2 ? "fail" : "retry" })),
    ),
  );
  for (const order of orders) await waitForState(db, order, "sent");
  const sent = carriers.flatMap((carrier) => carrier.sent.map((one) => one.orderId));
  assert.equal(sent.length, 300);
  assert.equal(new Set(sent).size, 300);
  await provesItself();
});

test("an order that is due again at once is not forgotten when its claim is heard of before its record", async (t) => {
  let heardOfClaim: () => void = () => undefined;
  const claimed = new Promise<void>((resolve) => (heardOfClaim = resolve));
  // The record of the first try is committed, but its answer comes after that of the claim which it made possible.
  const reordered: Database = {
    ...db,
    async transact<Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
      const rows = await db.transact<Row>(statement, values);
      if (statement.name === "claim_orders" && rows.length > 0) setImmediate(heardOfClaim);
      if (statement.name === "change_orders") await claimed;
      return rows;
    },
  };
  const carrier = new ScriptedProvider("v1");
  carrier.answersOnce(throttled(0));
  // The first try is still in the window, so that the second waits in memory.
  const engine = await startEngine(t, reordered, [carrier], { routes: { v1: { window: 1 } } });
  const order = await accept(engine, newOrder(await makeCustomer(db), { ambiguity: "retry" }));
  await waitForState(db, order, "sent"); // a lease is longer than is waited for here
});

test("a group accepted with no route open goes out when one opens, and completes with one event", async (t) => {
  const carrier = new ScriptedProvider("o1");
  const engine = await start(t, [carrier]);
  carrier.setReady(false);
  const accountId = await makeCustomer(db);
  const orders = Array.from({ length: 10 }, () => newOrder(accountId));
  const group = { id: newUuid(), payload: {}, completionEvent: "bulk.completed", keys: [] };
  assert.ok((await engine.acceptGroup(group, orders)).ok);
  carrier.answers(() => ({ kind: "done" }));
  carrier.setReady(true);
  for (const order of orders) await waitForState(db, order, "delivered");
  const { rows } = await db.query<{ type: string }>("select type from events where order_id = $1", [group.id]);
  assert.deepEqual(rows, [{ type: "bulk.completed" }]);
  await provesItself();
});

const soon = (ms: number) => new Date(Date.now() + ms);

test("with every link down an order whose validity runs out expires, and its money returns", async (t) => {
  const carrier = new ScriptedProvider("p1");
  const engine = await start(t, [carrier]);
  carrier.setReady(false);
  const order = await accept(engine, newOrder(await makeCustomer(db), { expiresAt: soon(300) }));
  await waitForState(db, order, "expired");
  assert.equal(carrier.sent.length, 0);
  await provesItself();
});

test("with every link down an order whose answer was lost still ends in time", async (t) => {
  const carrier = new ScriptedProvider("q1");
  carrier.answers(() => UNKNOWN);
  const engine = await start(t, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db), { expiresAt: soon(600_000) }));
  await waitForState(db, order, "unknown");
  carrier.setReady(false);
  await waitForState(db, order, "failed");
  await provesItself();
});

test("an order whose only route left is down expires too, though the routes that refused it are open", async (t) => {
  const [one, two] = [new ScriptedProvider("r1"), new ScriptedProvider("r2")];
  one.answers(() => refusedHere);
  const engine = await start(t, [one, two]);
  two.setReady(false);
  const order = await accept(engine, newOrder(await makeCustomer(db), { expiresAt: soon(500) }));
  await waitForState(db, order, "expired");
  assert.deepEqual([one.sent.length, two.sent.length], [1, 0]);
  await provesItself();
});

test("what a dead node had begun with `fail` is not sent again: it waits for a report on its own route, and ends", async (t) => {
  const [one, two] = [new ScriptedProvider("s1"), new ScriptedProvider("s2")];
  const api = await start(t, [], { role: "api" });
  const order = await accept(api, newOrder(await makeCustomer(db)));
  await leaveBegun(db, order, { state: "sending", route: "s1" });
  one.setReady(false);
  await start(t, [one, two]);
  await waitForState(db, order, "unknown");
  await waitForState(db, order, "failed");
  assert.deepEqual([one.sent.length, two.sent.length], [0, 0]);
  await provesItself();
});

test("a cancelled order is not sent, and its money returns", async (t) => {
  const carrier = new ScriptedProvider("t1");
  const engine = await start(t, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db), { state: "scheduled", dueAt: soon(600) }));
  const stored = await findOrder(db, order.accountId, order.id);
  assert.ok((await engine.cancel(stored!)).ok);
  const probe = await accept(engine, newOrder(order.accountId, { state: "scheduled", dueAt: soon(700) }));
  await waitForState(db, probe, "sent");
  assert.deepEqual(
    carrier.sent.map((sent) => sent.orderId),
    [probe.id],
  );
  assert.equal((await engine.cancel((await findOrder(db, order.accountId, order.id))!)).ok, false, "it ends once");
  await provesItself();
});

test("a stopped node gives its orders back at once: the next one need not wait for the leases", async (t) => {
  const slow = new ScriptedProvider("u1");
  const first = makeEngine(db, [slow], { routes: { u1: { window: 1 } } });
  await first.start([]);
  let letGo: (outcome: Outcome) => void = () => undefined;
  slow.answers(() => new Promise<Outcome>((resolve) => (letGo = resolve)));
  const accountId = await makeCustomer(db);
  const orders = await Promise.all(Array.from({ length: 5 }, () => accept(first, newOrder(accountId))));
  await waitFor("the call", () => slow.sent.length === 1);
  const stopped = first.stop();
  letGo(slow.accept({ orderId: slow.sent[0]!.orderId as NewOrder["id"], attempt: 1 }, 0));
  await stopped;
  const next = new ScriptedProvider("u1");
  await start(t, [next]);
  for (const order of orders) await waitForState(db, order, "sent"); // leases last 30 s, longer than is waited here
  assert.equal(slow.sent.length + next.sent.length, 5);
});

test("an order that another node is sending can't be cancelled, even by a node whose clock runs ahead", async (t) => {
  const carrier = new ScriptedProvider("l1");
  let letGo: (outcome: Outcome) => void = () => undefined;
  carrier.answers(() => new Promise<Outcome>((resolve) => (letGo = resolve)));
  const engine = await start(t, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db), { ambiguity: "retry" }));
  await waitFor("the call", () => carrier.sent.length === 1);
  const ahead = makeEngine(db, [], {
    role: "api",
    clock: { ...REAL_CLOCK, now: () => new Date(Date.now() + 3_600_000) },
  });
  const held = await findOrder(db, order.accountId, order.id);
  assert.equal((await ahead.cancel(held!)).ok, false);
  letGo(carrier.accept({ orderId: order.id, attempt: 1 }, 0));
  await waitForState(db, order, "sent");
  await provesItself();
});
