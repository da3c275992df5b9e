import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../ports/provider.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, newTopup, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { startStopwatch } from "../testing/stopwatch.ts";
import { waitFor } from "../testing/wait-for.ts";
import { findOrder, readTimeline, type TimelineRow } from "./orders.repo.ts";
import { waitOf } from "./throttled.ts";

const database = await makeTestDatabase();
const db = database.open();

const busy = (retryAfterMs = 5): Outcome => ({ kind: "throttled", retryAfterMs, detail: "RMSGQFUL", ofRoute: true });

test("an order's own wait doubles from its fourth time on, up to a minute, is spread over orders, and never below the vendor's word", () => {
  const order = { id: "01920000-0000-7000-8000-00000000ffff" as never };
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 50].map((times) => waitOf(order, times, 1_000));
  for (const [index, wait] of waits.entries()) {
    const plain = Math.min(60_000, 1_000 * 2 ** Math.max(0, index - 2));
    assert.ok(wait >= plain && wait <= plain * 1.5, `${wait} for ${plain}`);
  }
  assert.ok(waitOf(order, 1, 600_000) >= 600_000);
  assert.equal(waitOf(order, 9, 0), 0, "nothing was offered to the vendor");
  const spread = new Set(
    ["0001", "4000", "8000", "c000"].map((end) =>
      waitOf({ id: `01920000-0000-7000-8000-00000000${end}` as never }, 1, 1_000),
    ),
  );
  assert.equal(spread.size, 4);
});

for (const [name, make] of [
  ["fail", (accountId) => newOrder(accountId, { ambiguity: "fail" })],
  ["retry", (accountId) => newOrder(accountId, { ambiguity: "retry" })],
  ["requery", (accountId) => newTopup(accountId)],
] as const satisfies readonly (readonly [
  string,
  (accountId: Awaited<ReturnType<typeof makeCustomer>>) => ReturnType<typeof newOrder>,
])[])
  test(`however often an order is throttled, its timeline has one entry of it, with the count and both times (${name})`, async (t) => {
    const carrier = new ScriptedProvider(`throttles-${name}`);
    carrier.answersOnce(...Array.from({ length: 6 }, () => busy()));
    const engine = await startEngine(t, db, [carrier]);
    const order = await accept(engine, make(await makeCustomer(db)));
    await waitFor("the seventh try", () => carrier.sent.length === 7);
    const taken = await waitFor("its record", async () => {
      const now = await findOrder(db, order.accountId, order.id);
      return now?.pieces?.[0]?.status === "taken" ? now : undefined;
    });
    // Neither what it is asked later, nor the events of the tests' top-up, which is told of each begin.
    const isOther = ({ type, detail }: TimelineRow) => detail?.requery !== undefined || type === "topup.processing";
    const rows = (await readTimeline(db, order.accountId, order.id)).filter((row) => !isOther(row));
    const throttled = rows.filter(({ detail }) => detail?.answer === "RMSGQFUL");
    assert.equal(throttled.length, 1);
    assert.deepEqual([throttled[0]?.detail?.times, typeof throttled[0]?.detail?.begun_at], [6, "string"]);
    assert.ok(Date.parse(String(throttled[0]?.detail?.last_at)) > throttled[0]!.at.getTime());
    // Begun (where that is marked), throttled, taken.
    assert.equal(rows.length, name === "retry" ? 2 : 3);
    assert.ok(taken.version > rows.length, "each repeat is a version all the same");
    assert.deepEqual(await engineFindings(database.connection), []);
  });

test("a vendor that throttles everybody is asked less and less, by all orders together, and gets everything once it takes again", async (t) => {
  const carrier = new ScriptedProvider("drowning");
  carrier.answers(() => busy(100));
  const rests: number[] = [];
  const log = { ...SILENT, warn: (fields: object) => void ("rest_ms" in fields && rests.push(Number(fields.rest_ms))) };
  const engine = await startEngine(t, db, [carrier], { log });
  const accountId = await makeCustomer(db);
  const orders = Array.from({ length: 40 }, (_, index) =>
    newOrder(accountId, { ambiguity: "retry", recipient: `23480330${String(index).padStart(5, "0")}` }),
  );
  await Promise.all(orders.map((order) => accept(engine, order)));
  await waitFor("the fifth rest", () => rests.length >= 5);
  // The first burst may be as large as the window; then each rest is ended by one order.
  assert.ok(carrier.sent.length <= 45, `${carrier.sent.length} requests`);
  assert.ok(rests[4]! >= 800, `${rests}`);
  carrier.answers((task, piece) => carrier.accept(task, piece));
  for (const order of orders) await waitForState(db, order, "sent");
  assert.deepEqual(await engineFindings(database.connection), []);
});

test("a recipient who alone is throttled keeps nobody else waiting", async (t) => {
  const carrier = new ScriptedProvider("one-poisoned");
  carrier.answers((task, piece) => (task.recipient === "2348000000007" ? busy(50) : carrier.accept(task, piece)));
  const engine = await startEngine(t, db, [carrier]);
  const accountId = await makeCustomer(db);
  for (let index = 0; index < 10; index++)
    await accept(engine, newOrder(accountId, { ambiguity: "retry", recipient: "2348000000007" }));
  await waitFor("the poisoned", () => carrier.sent.length >= 10);
  const elapsedMs = startStopwatch();
  for (let index = 0; index < 20; index++)
    await waitForState(db, await accept(engine, newOrder(accountId, { ambiguity: "retry" })), "sent");
  assert.ok(elapsedMs() < 20_000);
  assert.equal(engine.routes[0]?.rests, false);
});

test("what is throttled past its validity expires, and its money comes back", async (t) => {
  const carrier = new ScriptedProvider("throttles-for-ever");
  carrier.answers(() => busy(20));
  const engine = await startEngine(t, db, [carrier]);
  const accountId = await makeCustomer(db);
  const orders = Array.from({ length: 5 }, (_, index) =>
    newOrder(accountId, {
      ambiguity: "fail",
      recipient: `23480340${String(index).padStart(5, "0")}`,
      expiresAt: new Date(Date.now() + 1_000),
    }),
  );
  for (const order of orders) await accept(engine, order);
  for (const order of orders) await waitForState(db, order, "expired");
  const { rows } = await db.query("select 1 from transfers where account_id = $1 and state = 'voided'", [accountId]);
  assert.equal(rows.length, orders.length);
  assert.deepEqual(await engineFindings(database.connection), []);
});
