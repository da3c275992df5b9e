import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import pg from "pg";
import { type Database, DatabaseAway } from "../db/database.ts";
import { newUuid } from "../kernel/ids.ts";
import { correlationOf, type Outcome, type ProviderReport } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { PARCEL } from "../testing/parcel.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import { decideOutcome } from "./decide.ts";
import type { Order } from "./order.ts";
import { changeOrders, claimOrders, findOrder, readTimeline } from "./orders.repo.ts";

const database = await makeTestDatabase();
const db = database.open();

const UNKNOWN: Outcome = { kind: "unknown", detail: "no answer" };

const delivered = (providerReference: string, more: Partial<ProviderReport> = {}): ProviderReport => ({
  providerReference,
  status: "delivered",
  at: new Date(),
  ...more,
});

const stateOf = async (order: Pick<Order, "accountId" | "id">) =>
  (await findOrder(db, order.accountId, order.id))?.state;

const parkedOn = async (reference: string) => {
  const { rows } = await db.query<{ reports: number }>(
    "select jsonb_array_length(parked) as reports from provider_references where reference = $1 and parked is not null",
    [reference],
  );
  return rows[0]?.reports ?? 0;
};

const provesItself = async () => assert.deepEqual(await engineFindings(database.connection), []);

test("a report committed before, while and after the answer is recorded, on another node, always meets its order", async (t) => {
  const ORDERS = 400;
  const carriers = [new ScriptedProvider("a"), new ScriptedProvider("a")];
  const engines = [await startEngine(t, db, [carriers[0]!]), await startEngine(t, db, [carriers[1]!])];
  const reported: Promise<void>[] = [];
  let calls = 0;
  for (const [index, carrier] of carriers.entries())
    carrier.answers(async (task, piece) => {
      const other = engines[1 - index]!;
      const report = () => other.reports.report("a", delivered(carrier.referenceOf(task, piece)));
      const turns = calls++ % 40;
      if (turns === 0) await report();
      else if (turns < 20) {
        // The report sets out and the answer follows so many turns of the event loop later …
        reported.push(report());
        for (let passed = 1; passed < turns; passed++) await turn();
      } else {
        // … or the other way round.
        reported.push(
          (async () => {
            for (let passed = 20; passed < turns; passed++) await turn();
            await report();
          })(),
        );
      }
      return carrier.accept(task, piece);
    });
  const accountId = await makeCustomer(db);
  const orders = await Promise.all(
    Array.from({ length: ORDERS }, (_, index) =>
      accept(engines[index % 2]!, newOrder(accountId, { ambiguity: index % 3 === 0 ? "retry" : "fail" })),
    ),
  );
  for (const order of orders) await waitForState(db, order, "delivered");
  await Promise.all(reported);
  assert.equal(calls, ORDERS);
  const { rows } = await db.query("select reference from provider_references where route = 'a' and parked is not null");
  assert.deepEqual(rows, [], "nothing is left parked");
  await provesItself();
});

test("a report for a message that nobody has recorded waits, and is acknowledged because it is safe", async (t) => {
  const engine = await startEngine(t, db, [new ScriptedProvider("b")]);
  await engine.reports.report("b", delivered("nobody's"));
  await engine.reports.report("b", delivered("nobody's", { status: "sent" }));
  assert.equal(await parkedOn("nobody's"), 2);
});

test("a report is not acknowledged before it is committed with its order", async (t) => {
  const carrier = new ScriptedProvider("c");
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db)));
  await waitForState(db, order, "sent");
  const holder = new pg.Client(database.connection);
  await holder.connect();
  t.after(() => holder.end());
  await holder.query("begin");
  await holder.query("select 1 from orders where id = $1 for update", [order.id]);
  let isAcknowledged = false;
  const report = carrier
    .report({ providerReference: carrier.referenceOf({ orderId: order.id, attempt: 1 }, 0), status: "delivered" })
    .then(() => (isAcknowledged = true));
  await waitForLock("change_orders");
  assert.equal(isAcknowledged, false);
  await holder.query("rollback");
  await report;
  assert.equal(await stateOf(order), "delivered", "acknowledged, so it is there");
});

test("a report is not acknowledged before it is safely parked", async (t) => {
  const engine = await startEngine(t, db, [new ScriptedProvider("d")]);
  const holder = new pg.Client(database.connection);
  await holder.connect();
  t.after(() => holder.end());
  await holder.query("begin");
  await holder.query("lock table provider_references in exclusive mode"); // reads pass
  let isAcknowledged = false;
  const report = engine.reports.report("d", delivered("slow to park")).then(() => (isAcknowledged = true));
  await waitForLock("park_reports");
  assert.equal(isAcknowledged, false);
  await holder.query("rollback");
  await report;
  assert.equal(await parkedOn("slow to park"), 1);
});

const waitForLock = (statement: string) =>
  waitFor(`${statement} to wait for a lock`, async () => {
    const { rowCount } = await db.query(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like $1 and datname = current_database()",
      [`%${statement}%`],
    );
    return (rowCount ?? 0) > 0;
  });

test("while the database is away a report is refused, so that the vendor sends it again", async (t) => {
  let isAway = false;
  const away = async () => {
    throw new DatabaseAway("no connection");
  };
  const flaky: Database = {
    ...db,
    query: (statement, values) => (isAway ? away() : db.query(statement, values)),
    transact: (statement, values) => (isAway ? away() : db.transact(statement, values)),
  };
  const carrier = new ScriptedProvider("e");
  const engine = await startEngine(t, flaky, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db)));
  await waitForState(db, order, "sent");
  const receipt = { providerReference: carrier.referenceOf({ orderId: order.id, attempt: 1 }, 0), status: "delivered" };
  isAway = true;
  await assert.rejects(carrier.report(receipt), DatabaseAway);
  isAway = false;
  await carrier.report(receipt);
  assert.equal(await stateOf(order), "delivered");
});

test("repeated reports on two nodes at once are one event, and a later word does not undo the final one", async (t) => {
  const carriers = [new ScriptedProvider("f"), new ScriptedProvider("f")];
  const [one] = [await startEngine(t, db, [carriers[0]!]), await startEngine(t, db, [carriers[1]!])];
  const order = await accept(one, newOrder(await makeCustomer(db)));
  await waitForState(db, order, "sent");
  const providerReference = carriers[0]!.referenceOf({ orderId: order.id, attempt: 1 }, 0);
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => carriers[index % 2]!.report({ providerReference, status: "delivered" })),
  );
  for (const status of ["sent", "lost"]) await carriers[1]!.report({ providerReference, status });
  assert.equal(await stateOf(order), "delivered");
  const types = (await readTimeline(db, order.accountId, order.id)).flatMap((row) => row.type ?? []);
  assert.deepEqual(types, ["parcel.sent", "parcel.delivered"]);
  await provesItself();
});

/** An order whose answer is lost, while it waits for its report. */
async function ambiguous(t: TestContext, route: string, more: Parameters<typeof newOrder>[1] = {}) {
  const carrier = new ScriptedProvider(route);
  carrier.answers(() => UNKNOWN);
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(
    engine,
    newOrder(await makeCustomer(db), { recipient: `23480300${route.charCodeAt(0)}0001`, ...more }),
  );
  await waitForState(db, order, "unknown");
  return { carrier, engine, order };
}

test("a receipt with an unknown reference finds the order whose answer was lost by what it echoes, and its reference is learned", async (t) => {
  const { carrier, order } = await ambiguous(t, "g");
  const correlation = correlationOf(order.id, 1, 0);
  await carrier.report({ providerReference: "g-77", status: "sent", recipient: order.recipient, correlation });
  assert.equal(await stateOf(order), "sent");
  await carrier.report({ providerReference: "g-77", status: "delivered" });
  assert.equal(await stateOf(order), "delivered", "by the reference alone");
  await provesItself();
});

test("a receipt that echoes something else is not that order's", async (t) => {
  const { carrier, order } = await ambiguous(t, "h");
  const correlation = (correlationOf(order.id, 1, 0) + 1) & 0xffff;
  await carrier.report({ providerReference: "h-1", status: "delivered", recipient: order.recipient, correlation });
  assert.equal(await stateOf(order), "unknown");
  assert.equal(await parkedOn("h-1"), 1);
});

/** Old enough for a guess: whatever was under way when it came is recorded. */
const aMinuteAgo = () => new Date(Date.now() - 61_000);

test("without an echo the only order to that number from that sender has it, once any other would be recorded", async (t) => {
  const { engine, order } = await ambiguous(t, "i");
  const report = { recipient: order.recipient, sender: "Afara" };
  await engine.reports.report("i", delivered("i-1", report));
  assert.equal(await stateOf(order), "unknown", "its own order may be about to be recorded");
  await engine.reports.report("i", delivered("i-2", { ...report, at: aMinuteAgo() }));
  assert.equal(await stateOf(order), "delivered");
});

for (const [what, route, more] of [
  ["another sender", "j", { sender: "Somebody" }],
  ["another number", "k", { sender: "Afara", recipient: "2348030000000" }],
  ["a time before the order was made", "l", { sender: "Afara", at: new Date(Date.now() - 3_600_000) }],
] as const) {
  test(`without an echo a receipt with ${what} is nobody's`, async (t) => {
    const { engine, order } = await ambiguous(t, route);
    await engine.reports.report(
      route,
      delivered(`${route}-1`, { recipient: order.recipient, at: aMinuteAgo(), ...more }),
    );
    assert.equal(await stateOf(order), "unknown");
    assert.equal(await parkedOn(`${route}-1`), 1);
  });
}

test("without an echo a receipt that could be for either of two orders is given to neither", async (t) => {
  const { engine, order } = await ambiguous(t, "m");
  const twin = await accept(engine, newOrder(order.accountId, { recipient: order.recipient }));
  await waitForState(db, twin, "unknown");
  const report = { recipient: order.recipient, sender: "Afara", at: aMinuteAgo() };
  await engine.reports.report("m", delivered("m-1", report));
  assert.notEqual(await stateOf(order), "delivered");
  assert.notEqual(await stateOf(twin), "delivered");
});

test("a receipt that came before the answer counted as lost is found by the sweep", async (t) => {
  const carrier = new ScriptedProvider("n");
  let letGo: (outcome: Outcome) => void = () => undefined;
  carrier.answers(() => new Promise<Outcome>((resolve) => (letGo = resolve)));
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db), { recipient: "2348030110001" }));
  await waitFor("the call", () => carrier.sent.length === 1);
  const correlation = correlationOf(order.id, 1, 0);
  await carrier.report({ providerReference: "n-1", status: "delivered", recipient: order.recipient, correlation });
  assert.equal(await parkedOn("n-1"), 1);
  letGo(UNKNOWN);
  await waitForState(db, order, "unknown");
  await engine.reports.sweep();
  assert.equal(await stateOf(order), "delivered");
  assert.equal(await parkedOn("n-1"), 0);
});

test("a parked report whose node died right after its record is found by another node's sweep", async (t) => {
  const api = await startEngine(t, db, [], { role: "api" });
  const order = await accept(api, newOrder(await makeCustomer(db), { ambiguity: "retry" }));
  await api.reports.report("o", delivered("o-1"));
  // The dying node's last commit: the answer, with the reference on which the report waits.
  const dying = newUuid();
  const claimed = await claimOrders(db, {
    node: dying,
    leaseSeconds: 30,
    queue: "parcel:test",
    max: 10,
    now: new Date(),
  });
  const answered = {
    route: "o",
    attempt: 1,
    attemptReference: null,
    begunAt: new Date(),
    outcomes: [{ kind: "accepted", providerReference: "o-1" } as const],
    moreRoutes: false,
  };
  await changeOrders(db, dying, [
    decideOutcome(PARCEL, claimed.find(({ id }) => id === order.id)!, answered, new Date()),
  ]);
  assert.equal(await stateOf(order), "sent");
  await waitForState(db, order, "delivered");
  await waitFor("the parked report to be cleared", async () => (await parkedOn("o-1")) === 0);
  await provesItself();
});

test("a report of the first of two parts, whose answer was lost, does not deliver the whole", async (t) => {
  const carrier = new ScriptedProvider("p");
  carrier.pieces = 2;
  carrier.answersOnce(UNKNOWN);
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(
    engine,
    newOrder(await makeCustomer(db), { ambiguity: "retry", recipient: "2348030120001" }),
  );
  await waitForState(db, order, "sent");
  assert.deepEqual(
    carrier.sent.map(({ attempt, piece }) => [attempt, piece]),
    [
      [1, 0],
      [2, 0],
      [2, 1],
    ],
  );
  const correlation = correlationOf(order.id, 1, 0);
  await carrier.report({ providerReference: "p-1", status: "delivered", recipient: order.recipient, correlation });
  assert.equal(await stateOf(order), "sent");
  for (const piece of [0, 1])
    await carrier.report({
      providerReference: carrier.referenceOf({ orderId: order.id, attempt: 2 }, piece),
      status: "delivered",
    });
  assert.equal(await stateOf(order), "delivered");
});
