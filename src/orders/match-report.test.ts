import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import type { Outcome, ProviderReport } from "../ports/provider.ts";
import { correlationOf } from "../ports/provider.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import type { NewOrder } from "./accept.repo.ts";
import type { Order } from "./order.ts";
import { findOrder } from "./orders.repo.ts";

const database = await makeTestDatabase();
const db = database.open();

const SAME: Outcome = { kind: "accepted", providerReference: "SAME" };

const delivered = (more: Partial<ProviderReport> = {}): ProviderReport => ({
  providerReference: "SAME",
  status: "delivered",
  at: new Date(),
  ...more,
});

const statesOf = async (orders: readonly Pick<Order, "accountId" | "id">[]) =>
  Promise.all(orders.map(async ({ accountId, id }) => (await findOrder(db, accountId, id))?.state));

const agedBy = (route: string, age: string) =>
  db.query("update provider_references set created_at = created_at - $2::interval where route = $1", [route, age]);

/** A vendor that gives every message the same reference, and messages to 0001, 0002 … of as many accounts, all accepted. */
async function makeSameForAll(
  t: Parameters<typeof startEngine>[0],
  route: string,
  count: number,
  more: Partial<NewOrder> = {},
) {
  const carrier = new ScriptedProvider(route);
  carrier.answers(() => SAME);
  const engine = await startEngine(t, db, [carrier]);
  const orders: NewOrder[] = [];
  for (let index = 1; index <= count; index++)
    orders.push(newOrder(await makeCustomer(db), { recipient: `234803100${String(index).padStart(4, "0")}`, ...more }));
  await Promise.all(orders.map((order) => accept(engine, order)));
  for (const order of orders) await waitForState(db, order, "sent");
  return { carrier, engine, orders };
}

test("of messages to which the vendor gave one reference, each gets the report that names its recipient", async (t) => {
  const { carrier, orders } = await makeSameForAll(t, "a", 12);
  for (const [index, { recipient }] of orders.entries())
    await carrier.report(delivered({ recipient: `+${recipient}`, status: index % 2 === 0 ? "delivered" : "lost" }));
  assert.deepEqual(
    await statesOf(orders),
    orders.map((_, index) => (index % 2 === 0 ? "delivered" : "lost")),
  );
  assert.deepEqual(await engineFindings(database.connection), []);
});

test("a report that names another recipient is nobody's, in whatever order the references were given", async (t) => {
  const { carrier, orders } = await makeSameForAll(t, "b", 3);
  await carrier.report(delivered({ recipient: "2348099999999" }));
  assert.deepEqual(await statesOf(orders), ["sent", "sent", "sent"]);
});

for (const [route, what, addresses] of [
  ["c", "a national number", { recipient: "08031000001" }],
  ["d", "a number with the prefix of a network", { recipient: "0032348031000001" }],
  ["e", "a masked number", { recipient: "234803XXXX001" }],
  ["f", "no number", {}],
  ["g", "sender and recipient as the message had them", { recipient: "Afara", sender: "2348031000001" }],
] satisfies [string, string, Partial<ProviderReport>][]) {
  test(`a report with ${what} is still its message's`, async (t) => {
    const { carrier, orders } = await makeSameForAll(t, route, 1);
    await carrier.report(delivered(addresses));
    assert.deepEqual(await statesOf(orders), ["delivered"]);
  });
}

test("of two messages to one number with one reference the echoed one is meant; without an echo neither account is credited", async (t) => {
  const { carrier, orders } = await makeSameForAll(t, "h", 2, { recipient: "2348031000001" });
  await carrier.report(delivered({ recipient: "2348031000001" }));
  assert.deepEqual(await statesOf(orders), ["sent", "sent"]);
  for (const order of orders) {
    await carrier.report(delivered({ recipient: "2348031000001", correlation: correlationOf(order.id, 1, 0) }));
    assert.deepEqual(await statesOf([order]), ["delivered"]);
  }
});

test("a report that overtakes the record of a message with a used reference waits for it", async (t) => {
  const { carrier, engine, orders } = await makeSameForAll(t, "i", 1);
  const [first] = orders;
  await engine.reports.report("i", delivered({ recipient: "2348031000777" }));
  assert.deepEqual(await statesOf(orders), ["sent"]);
  const second = await accept(engine, newOrder(await makeCustomer(db), { recipient: "2348031000777" }));
  await waitForState(db, second, "delivered");
  await carrier.report(delivered({ recipient: first!.recipient }));
  assert.deepEqual(await statesOf(orders), ["delivered"]);
});

test("a report on a reference of more than a week ago is acknowledged and waits for the next message that gets it", async (t) => {
  const { engine, orders } = await makeSameForAll(t, "j", 1);
  await agedBy("j", "8 days");
  await engine.reports.report("j", delivered());
  assert.deepEqual(await statesOf(orders), ["sent"], "the vendor gives references out again");
  const next = await accept(engine, newOrder(await makeCustomer(db), { recipient: "2348031000002" }));
  await waitForState(db, next, "delivered");
});

test("a report of days ago is not about a message that gets its reference today", async (t) => {
  const carrier = new ScriptedProvider("q");
  carrier.answers(() => SAME);
  const engine = await startEngine(t, db, [carrier]);
  const order = newOrder(await makeCustomer(db));
  await engine.reports.report(
    "q",
    delivered({ recipient: order.recipient, at: new Date(Date.now() - 2 * 86_400_000) }),
  );
  await accept(engine, order);
  await waitForState(db, order, "sent");
  await engine.reports.sweep();
  assert.deepEqual(await statesOf([order]), ["sent"]);
  await carrier.report(delivered({ recipient: order.recipient }));
  assert.deepEqual(await statesOf([order]), ["delivered"]);
});

const UNNAMED: Outcome = { kind: "accepted" };

async function makeUnnamed(t: Parameters<typeof startEngine>[0], route: string) {
  const carrier = new ScriptedProvider(route);
  carrier.answers(() => UNNAMED);
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db), { recipient: "2348031000042" }));
  await waitForState(db, order, "sent");
  return { carrier, engine, order };
}

test("a message that was accepted without a reference is met by the report that echoes its correlation", async (t) => {
  const { carrier, order } = await makeUnnamed(t, "k");
  const report = { recipient: order.recipient, providerReference: "xyz1" };
  await carrier.report({ ...report, status: "sent", correlation: correlationOf(order.id, 1, 0) });
  await carrier.report({ ...report, status: "delivered" });
  assert.deepEqual(await statesOf([order]), ["delivered"], "the report taught its reference");
});

test("a message that was accepted without a reference is met by number, sender and time", async (t) => {
  const { engine, order } = await makeUnnamed(t, "l");
  const at = new Date(Date.now() - 61_000);
  await engine.reports.report(
    "l",
    delivered({ providerReference: "l-1", recipient: order.recipient, sender: "Afara", at }),
  );
  assert.deepEqual(await statesOf([order]), ["delivered"]);
});

for (const [index, form] of ["08031000042", "8031000042", "+2348031000042", "0032348031000042"].entries()) {
  test(`a report from ${form} with the correlation echoed is about the message to 2348031000042 whose answer was lost`, async (t) => {
    const { carrier, order } = await makeUnnamed(t, `form-${index}`);
    await carrier.report(
      delivered({ providerReference: `f-${index}`, recipient: form, correlation: correlationOf(order.id, 1, 0) }),
    );
    assert.deepEqual(await statesOf([order]), ["delivered"]);
    assert.deepEqual(await engineFindings(database.connection), []);
  });
}

test("a report that was parked under another form of the number meets its message once that is known to be ambiguous", async (t) => {
  const carrier = new ScriptedProvider("parked-form");
  let letGo: (outcome: Outcome) => void = () => undefined;
  carrier.answers(() => new Promise<Outcome>((resolve) => (letGo = resolve)));
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db), { recipient: "2348031000044" }));
  await waitFor("the call", () => carrier.sent.length === 1);
  const correlation = correlationOf(order.id, 1, 0);
  await carrier.report(delivered({ providerReference: "p-1", recipient: "08031000044", correlation }));
  letGo(UNNAMED);
  await waitForState(db, order, "sent");
  await engine.reports.sweep();
  assert.deepEqual(await statesOf([order]), ["delivered"]);
});

for (const [index, [what, addresses]] of (
  [
    ["in other forms and letters", { recipient: "08031000042", sender: "AFARA" }],
    ["as the message had them", { recipient: "Afara", sender: "08031000042" }],
  ] as const
).entries()) {
  test(`a report without an echo, number and sender ${what}, is about the only message that fits`, async (t) => {
    const { engine, order } = await makeUnnamed(t, `guess-${index}`);
    const at = new Date(Date.now() - 61_000);
    await engine.reports.report(`guess-${index}`, delivered({ providerReference: `g-${index}`, at, ...addresses }));
    assert.deepEqual(await statesOf([order]), ["delivered"]);
  });
}

test("a report about a foreign number with the same last digits is not about the message, even with its correlation", async (t) => {
  const { carrier, order } = await makeUnnamed(t, "foreign");
  const correlation = correlationOf(order.id, 1, 0);
  await carrier.report(delivered({ providerReference: "x-1", recipient: "447031000042", correlation }));
  assert.deepEqual(await statesOf([order]), ["sent"]);
});

const HIDDEN = [
  "",
  undefined,
  "234803XXXX042",
  "0803****042",
  "+234803*******",
  "*******0042",
  "xxxx",
  "0042",
  "234803100",
  "0803100",
];
for (const [index, recipient] of HIDDEN.entries()) {
  test(`a report from ${recipient === undefined ? "no number" : JSON.stringify(recipient)} with the correlation echoed is about the only message that has it`, async (t) => {
    const { carrier, order } = await makeUnnamed(t, `hidden-${index}`);
    const report = { ...(recipient !== undefined && { recipient }), correlation: correlationOf(order.id, 1, 0) };
    await carrier.report(
      delivered({ providerReference: `h-${index}`, ...report, correlation: report.correlation ^ 1 }),
    );
    assert.deepEqual(await statesOf([order]), ["sent"], "another correlation");
    await carrier.report(delivered({ providerReference: `i-${index}`, ...report }));
    assert.deepEqual(await statesOf([order]), ["delivered"]);
    assert.deepEqual(await engineFindings(database.connection), []);
  });
}

for (const [index, recipient] of [
  "2348099999999",
  "08099999999",
  "234809XXXX042",
  "*******0043",
  "0043",
  "234809",
  "Afara",
].entries()) {
  test(`a report from ${recipient} is not about a message to another number, even with its correlation`, async (t) => {
    const { carrier, order } = await makeUnnamed(t, `not-hidden-${index}`);
    const correlation = correlationOf(order.id, 1, 0);
    await carrier.report(delivered({ providerReference: `n-${index}`, recipient, correlation }));
    assert.deepEqual(await statesOf([order]), ["sent"]);
  });
}

test("a hidden number is nobody's where two messages of the route have the correlation, or the report is older than the message", async (t) => {
  const { carrier, engine, order } = await makeUnnamed(t, "hidden-two");
  const correlation = correlationOf(order.id, 1, 0);
  const old = new Date(order.createdAt.getTime() - 600_000);
  await engine.reports.report("hidden-two", delivered({ providerReference: "h-old", correlation, at: old }));
  assert.deepEqual(await statesOf([order]), ["sent"]);
  // Ids are random but for their first half: the last four digits are the other's.
  const id = `${newUuid().slice(0, -4)}${order.id.slice(-4)}` as Uuid;
  const twin = await accept(engine, { ...newOrder(order.accountId, { recipient: "2348031000049" }), id });
  await waitForState(db, twin, "sent");
  await carrier.report(delivered({ providerReference: "h-both", recipient: "", correlation }));
  assert.deepEqual(await statesOf([order, twin]), ["sent", "sent"]);
});

test("a hidden number of a long message's second piece is found by its correlation", async (t) => {
  const carrier = new ScriptedProvider("hidden-piece");
  carrier.pieces = 2;
  carrier.answers(() => UNNAMED);
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db), { recipient: "2348031000042" }));
  await waitForState(db, order, "sent");
  for (const piece of [0, 1])
    await carrier.report(
      delivered({ providerReference: `p-${piece}`, recipient: "", correlation: correlationOf(order.id, 1, piece) }),
    );
  assert.deepEqual(await statesOf([order]), ["delivered"]);
});

test("a report without a number that overtakes its message's lost answer is found by the sweep", async (t) => {
  const carrier = new ScriptedProvider("hidden-early");
  let letGo: (outcome: Outcome) => void = () => undefined;
  carrier.answers(() => new Promise<Outcome>((resolve) => (letGo = resolve)));
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db), { recipient: "2348031000043" }));
  await waitFor("the call", () => carrier.sent.length === 1);
  const correlation = correlationOf(order.id, 1, 0);
  await carrier.report(
    delivered({ providerReference: "e-1", recipient: "234803XXXX043", sender: "Afara", correlation }),
  );
  letGo(UNNAMED);
  await waitForState(db, order, "sent");
  await engine.reports.sweep();
  assert.deepEqual(await statesOf([order]), ["delivered"]);
});

test("a report that overtakes the acceptance without a reference is found by the sweep", async (t) => {
  const carrier = new ScriptedProvider("m");
  let letGo: (outcome: Outcome) => void = () => undefined;
  carrier.answers(() => new Promise<Outcome>((resolve) => (letGo = resolve)));
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db), { recipient: "2348031000043" }));
  await waitFor("the call", () => carrier.sent.length === 1);
  const correlation = correlationOf(order.id, 1, 0);
  await carrier.report(delivered({ providerReference: "m-1", recipient: order.recipient, correlation }));
  letGo(UNNAMED);
  await waitForState(db, order, "sent");
  await engine.reports.sweep();
  assert.deepEqual(await statesOf([order]), ["delivered"]);
});

test("what can't be matched after all does not keep the sweep from what can", async (t) => {
  const { engine, order } = await makeUnnamed(t, "n");
  // More strays to that number than one sweep takes, all before the right one.
  await db.query(
    `insert into provider_references (route, reference, parked, parked_recipient)
     select 'n', 'a' || lpad(n::text, 5, '0'), jsonb_build_array($1::jsonb), $2 from generate_series(1, 1200) n`,
    [JSON.stringify(delivered({ recipient: order.recipient, correlation: 70_000 })), order.recipient],
  );
  const correlation = correlationOf(order.id, 1, 0);
  await db.query(
    "insert into provider_references (route, reference, parked, parked_recipient) values ('n', 'z', jsonb_build_array($1::jsonb), $2)",
    [JSON.stringify(delivered({ providerReference: "z", recipient: order.recipient, correlation })), order.recipient],
  );
  for (let sweep = 0; sweep < 4; sweep++) await engine.reports.sweep();
  assert.deepEqual(await statesOf([order]), ["delivered"]);
});

test("of a report with two names the one that is ours counts, even where the other is another message's", async (t) => {
  const { carrier, orders } = await makeSameForAll(t, "two-names", 2);
  const [first, second] = orders;
  carrier.answersOnce({ kind: "accepted", providerReference: "ours" });
  const engine = await startEngine(t, db, [carrier]);
  const named = await accept(engine, newOrder(await makeCustomer(db), { recipient: "2348031000055" }));
  await waitForState(db, named, "sent");
  for (const providerReference of ["never-heard-of", "SAME"]) {
    const status = providerReference === "SAME" ? "delivered" : "sent";
    await carrier.report(delivered({ providerReference, otherReference: "ours", recipient: named.recipient, status }));
  }
  assert.deepEqual(await statesOf([first!, second!, named]), ["sent", "sent", "delivered"]);
  assert.deepEqual(await engineFindings(database.connection), []);
});

for (const [index, alien] of ["alien", "SAME"].entries()) {
  test(`a report with two names that overtakes its message waits under the one that is ours (${alien})`, async (t) => {
    const { carrier, engine, orders } = await makeSameForAll(t, `overtaken-${index}`, 1);
    const report = delivered({ providerReference: alien, otherReference: "later", recipient: "2348031000066" });
    await engine.reports.report(`overtaken-${index}`, report);
    carrier.answersOnce({ kind: "accepted", providerReference: "later" });
    const order = await accept(engine, newOrder(await makeCustomer(db), { recipient: "2348031000066" }));
    await waitForState(db, order, "delivered");
    assert.deepEqual(await statesOf(orders), ["sent"]);
  });
}

test("a vendor that repeats a stray report for ever fills no row without end", async (t) => {
  const engine = await startEngine(t, db, [new ScriptedProvider("o")]);
  for (let round = 0; round < 3; round++)
    await Promise.all(Array.from({ length: 300 }, () => engine.reports.report("o", delivered({ detail: `${round}` }))));
  const { rows } = await db.query<{ reports: number; last: string }>(
    "select jsonb_array_length(parked) as reports, parked->-1->>'detail' as last from provider_references where route = 'o'",
  );
  assert.deepEqual(rows, [{ reports: 50, last: "2" }]);
});

test("receipts that stay without a message are told to the operator, by route, with how many and one of them", async (t) => {
  const first = await startEngine(t, db, [new ScriptedProvider("p")]);
  for (const providerReference of ["8f", "8e", "8d"]) await first.reports.report("p", delivered({ providerReference }));
  await agedBy("p", "90 seconds");
  const warnings: object[] = [];
  const log = { ...SILENT, warn: (fields: object, message: string) => warnings.push({ ...fields, message }) };
  const second = await startEngine(t, db, [new ScriptedProvider("p")], { log });
  await waitFor("the warning", () => warnings.length > 0);
  await second.reports.sweep();
  assert.deepEqual(
    warnings.filter((warning) => "references" in warning && "route" in warning && warning.route === "p"),
    [
      {
        route: "p",
        references: 3,
        example: "8d",
        message: "receipts match no message of this route; check messageIds",
      },
    ],
    "once a minute",
  );
});
