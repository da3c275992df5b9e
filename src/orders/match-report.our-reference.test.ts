import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import type { Order } from "./order.ts";
import { findOrder } from "./orders.repo.ts";

/** Reports that echo our reference of the attempt. */

const database = await makeTestDatabase();
const db = database.open();

const LOST: Outcome = { kind: "unknown", detail: "no answer" };

type Key = Pick<Order, "accountId" | "id">;

const nowOf = async ({ accountId, id }: Key): Promise<Order> => (await findOrder(db, accountId, id))!;
const ourReference = ({ id: orderId }: Pick<Key, "id">, attempt = 1) => `our-${orderId}-${attempt}`;
const provesItself = async () => assert.deepEqual(await engineFindings(database.connection), []);

function echoing(name: string): ScriptedProvider {
  const carrier = new ScriptedProvider(name);
  carrier.makeReference = ({ orderId, attempt }) => ourReference({ id: orderId }, attempt);
  return carrier;
}

for (const ambiguity of ["fail", "retry"] as const)
  test(`a report that comes before the answer meets its order at once, and the answer adds the vendor's name to it (${ambiguity})`, async (t) => {
    const carrier = echoing(`early-${ambiguity}`);
    const seen: unknown[] = [];
    carrier.answers(async (task, piece) => {
      await carrier.report({ providerReference: "theirs", ourReference: task.reference!, status: "sent" });
      const { state, pieces } = await nowOf(order);
      seen.push(state, pieces);
      return { ...carrier.accept(task, piece), providerReference: "theirs" } as Outcome;
    });
    const order = newOrder(await makeCustomer(db), { ambiguity });
    await accept(await startEngine(t, db, [carrier]), order);
    await waitFor("the answer", () => seen.length > 0);
    assert.deepEqual(seen, ["sent", [{ status: "sent", reference: "theirs" }]]);
    await carrier.report({ providerReference: "theirs", status: "delivered" });
    assert.equal((await nowOf(order)).state, "delivered");
    assert.equal(carrier.sent.length, 1);
    await provesItself();
  });

test("an order whose answer was lost is met by its report, is not sent again, and is known by the vendor's name from then on", async (t) => {
  const carrier = echoing("lost");
  carrier.answers(() => LOST);
  const order = await accept(await startEngine(t, db, [carrier]), newOrder(await makeCustomer(db)));
  await waitForState(db, order, "unknown");
  await carrier.report({ providerReference: "its name", ourReference: ourReference(order), status: "sent" });
  assert.equal((await nowOf(order)).state, "sent");
  await carrier.report({ providerReference: "its name", status: "delivered" });
  assert.deepEqual([(await nowOf(order)).state, carrier.sent.length], ["delivered", 1]);
  await provesItself();
});

test("a report of an earlier attempt that a second one has followed is its order's when it is a success, and else says nothing", async (t) => {
  const carrier = echoing("second");
  let calls = 0;
  carrier.answers((task, piece) => (calls++ === 0 ? LOST : carrier.accept(task, piece)));
  const order = await accept(
    await startEngine(t, db, [carrier]),
    newOrder(await makeCustomer(db), { ambiguity: "retry" }),
  );
  await waitForState(db, order, "sent");
  const first = { providerReference: "of the first", ourReference: ourReference(order, 1) };
  await carrier.report({ ...first, status: "lost" });
  assert.equal((await nowOf(order)).state, "sent");
  await carrier.report({ ...first, status: "delivered" });
  assert.equal((await nowOf(order)).state, "delivered");
  await provesItself();
});

test("our reference is certain: the vendor's own way to write the recipient makes no difference, and nobody else is credited", async (t) => {
  const carrier = echoing("recipient");
  const engine = await startEngine(t, db, [carrier]);
  const accountId = await makeCustomer(db);
  const [order, other] = [
    await accept(engine, newOrder(accountId, { recipient: "2348031000001" })),
    await accept(engine, newOrder(accountId, { recipient: "2348031000002" })),
  ];
  for (const each of [order, other]) await waitForState(db, each, "sent");
  const report = { status: "delivered", recipient: other.recipient, ourReference: ourReference(order) };
  await carrier.report({ ...report, providerReference: carrier.referenceOf({ orderId: other.id, attempt: 1 }, 0) });
  assert.deepEqual([(await nowOf(order)).state, (await nowOf(other)).state], ["delivered", "sent"]);
  await carrier.report({
    providerReference: carrier.referenceOf({ orderId: other.id, attempt: 1 }, 0),
    status: "lost",
  });
  assert.deepEqual([(await nowOf(order)).state, (await nowOf(other)).state], ["delivered", "lost"]);
  await provesItself();
});

test("a reference that another vendor's attempt has, or nobody's, finds no order by itself", async (t) => {
  const [one, two] = [echoing("one"), echoing("two")];
  two.setReady(false);
  const order = await accept(await startEngine(t, db, [one, two]), newOrder(await makeCustomer(db)));
  await waitForState(db, order, "sent");
  await two.report({ providerReference: "two's", ourReference: ourReference(order), status: "delivered" });
  await one.report({ providerReference: "one's", ourReference: "nobody's", status: "delivered" });
  assert.equal((await nowOf(order)).state, "sent");
});
