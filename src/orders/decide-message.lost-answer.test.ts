import assert from "node:assert/strict";
import { test } from "node:test";
import { correlationOf, type Outcome } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";

const database = await makeTestDatabase();
const db = database.open();

const UNKNOWN: Outcome = { kind: "unknown", detail: "no answer" };
const refusedHere: Outcome = { kind: "rejected", scope: "route", code: "no_route", detail: "float empty" };
const refusedByAll: Outcome = { kind: "rejected", scope: "order", code: "invalid_number", detail: "no such number" };

const provesItself = async () => assert.deepEqual(await engineFindings(database.connection), []);

for (const ambiguity of ["fail", "retry"] as const) {
  test(`after a lost answer no other route ever has a go (${ambiguity})`, async (t) => {
    const [one, two] = [new ScriptedProvider(`d1-${ambiguity}`), new ScriptedProvider(`d2-${ambiguity}`)];
    for (const carrier of [one, two]) carrier.answers(() => UNKNOWN);
    const engine = await startEngine(t, db, [one, two]);
    const order = await accept(engine, newOrder(await makeCustomer(db), { ambiguity }));
    await waitForState(db, order, "unknown");
    await waitForState(db, order, "failed");
    assert.equal(Math.min(one.sent.length, two.sent.length), 0, "only one vendor was tried");
    assert.equal(one.sent.length + two.sent.length, ambiguity === "fail" ? 1 : 3);
    await provesItself();
  });
}

test("a refusal by the route after a lost answer proves nothing: the order waits for a report instead of another route", async (t) => {
  const [one, two] = [new ScriptedProvider("e1"), new ScriptedProvider("e2")];
  for (const carrier of [one, two]) carrier.answersOnce(UNKNOWN, refusedHere);
  const engine = await startEngine(t, db, [one, two]);
  const order = await accept(engine, newOrder(await makeCustomer(db), { ambiguity: "retry" }));
  await waitForState(db, order, "unknown");
  assert.deepEqual([one.sent.length, two.sent.length].sort(), [0, 2]);
  await waitForState(db, order, "failed");
});

test("nor does a refusal of the order itself prove anything: the try without an answer may have been taken, and its report counts", async (t) => {
  const carrier = new ScriptedProvider("e3");
  carrier.answersOnce(UNKNOWN, refusedByAll, UNKNOWN, refusedByAll);
  const engine = await startEngine(t, db, [carrier]);
  const accountId = await makeCustomer(db);
  const order = await accept(engine, newOrder(accountId, { ambiguity: "retry" }));
  await waitForState(db, order, "unknown");
  const reference = carrier.referenceOf({ orderId: order.id, attempt: 1 }, 0);
  await carrier.report({
    providerReference: reference,
    recipient: order.recipient,
    correlation: correlationOf(order.id, 1, 0),
    status: "delivered",
  });
  await waitForState(db, order, "delivered");
  // Without a report it ends in time, as one whose outcome nobody knows.
  const silent = await accept(engine, newOrder(accountId, { ambiguity: "retry" }));
  const ended = await waitForState(db, silent, "failed");
  assert.deepEqual((ended.facts as { failure?: { code: string } } | null)?.failure?.code, "outcome_unknown");
  await provesItself();
});
