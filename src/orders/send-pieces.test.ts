import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import { findOrder } from "./orders.repo.ts";

const database = await makeTestDatabase();
const db = database.open();

const UNKNOWN: Outcome = { kind: "unknown", detail: "no answer" };
const THROTTLED: Outcome = { kind: "throttled", retryAfterMs: 0, detail: "slow down" };
const REFUSED: Outcome = { kind: "rejected", scope: "route", code: "content_refused", detail: "not this" };

/** A vendor of three pieces that answers one piece so the first times, and takes everything else. */
function threePieces(name: string, piece: number, ...outcomes: readonly Outcome[]): ScriptedProvider {
  const carrier = new ScriptedProvider(name);
  carrier.pieces = 3;
  const left = [...outcomes];
  carrier.answers((task, asked) =>
    asked === piece ? (left.shift() ?? carrier.accept(task, asked)) : carrier.accept(task, asked),
  );
  return carrier;
}

const sentPieces = (carrier: ScriptedProvider) => carrier.sent.map(({ attempt, piece }) => [attempt, piece]);

test("the first piece goes alone, the rest go once it is taken", async (t) => {
  const carrier = threePieces("a", 0, REFUSED);
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db)));
  await waitForState(db, order, "failed");
  assert.deepEqual(sentPieces(carrier), [[1, 0]]);
  const next = await accept(engine, newOrder(order.accountId));
  await waitForState(db, next, "sent");
  assert.deepEqual(sentPieces(carrier).slice(1), [
    [1, 0],
    [1, 1],
    [1, 2],
  ]);
  assert.deepEqual(await engineFindings(database.connection), []);
});

test("a later piece that is refused ends the order, which is paid: earlier pieces were taken, so no other route has a go", async (t) => {
  const carrier = threePieces("b", 1, REFUSED);
  const other = new ScriptedProvider("b2");
  const engine = await startEngine(t, db, [carrier, other]);
  const order = await accept(engine, newOrder(await makeCustomer(db)));
  const ended = await waitForState(db, order, "lost");
  assert.deepEqual(
    ended.pieces?.map((piece) => piece.status),
    ["taken", "refused", "taken"],
  );
  assert.equal(other.sent.length, 0);
  assert.deepEqual(await engineFindings(database.connection), []);
});

test("a throttled piece alone is repeated, within its attempt", async (t) => {
  const carrier = threePieces("c", 1, THROTTLED, THROTTLED);
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db)));
  const sent = await waitForState(db, order, "sent");
  assert.deepEqual(sentPieces(carrier), [
    [1, 0],
    [1, 1],
    [1, 2],
    [1, 1],
    [1, 1],
  ]);
  assert.deepEqual(
    sent.pieces?.map((piece) => piece.status),
    ["taken", "taken", "taken"],
  );
});

test("with `retry` an unanswered piece alone is repeated", async (t) => {
  const carrier = threePieces("d", 2, UNKNOWN);
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db), { ambiguity: "retry" }));
  await waitForState(db, order, "sent");
  assert.deepEqual(sentPieces(carrier), [
    [1, 0],
    [1, 1],
    [1, 2],
    [1, 2],
  ]);
});

test("with `fail` an unanswered piece is not repeated, and the order waits for its report", async (t) => {
  const carrier = threePieces("e", 2, UNKNOWN);
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db)));
  await waitForState(db, order, "unknown");
  await waitForState(db, order, "failed");
  assert.equal(carrier.sent.length, 3);
});

test("an open breaker forgets no taken piece: only what is open goes when it closes", async (t) => {
  const carrier = threePieces("f", 1, { kind: "throttled", retryAfterMs: 400, detail: "later" });
  const engine = await startEngine(t, db, [carrier], { routes: { f: { window: 30 } } });
  const accountId = await makeCustomer(db);
  const order = await accept(engine, newOrder(accountId));
  await waitFor(
    "two pieces taken",
    async () => (await findOrder(db, accountId, order.id))?.pieces?.[1]?.status === "open",
  );
  // Lost answers to twenty recipients open the breaker while the order waits.
  carrier.answers(() => UNKNOWN);
  const lost = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      accept(engine, newOrder(accountId, { recipient: `2348031234${100 + index}` })),
    ),
  );
  for (const one of lost) await waitForState(db, one, "unknown", "failed");
  assert.equal(engine.routes[0]?.circuit, "open");
  carrier.answers((task, piece) => carrier.accept(task, piece));
  await waitForState(db, order, "sent");
  const ours = carrier.sent.filter((sent) => sent.orderId === order.id).map((sent) => sent.piece);
  assert.deepEqual(ours, [0, 1, 2, 1]);
});

test("the order is delivered when the last of its pieces is, in whatever order the reports come", async (t) => {
  const carrier = new ScriptedProvider("g");
  carrier.pieces = 3;
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db)));
  await waitForState(db, order, "sent");
  const report = (piece: number) =>
    carrier.report({
      providerReference: carrier.referenceOf({ orderId: order.id, attempt: 1 }, piece),
      status: "delivered",
    });
  await report(2);
  await report(2);
  await report(0);
  assert.equal((await findOrder(db, order.accountId, order.id))?.state, "sent");
  await report(1);
  assert.equal((await findOrder(db, order.accountId, order.id))?.state, "delivered");
});

test("a report of one piece says nothing about the pieces that have not left", async (t) => {
  const carrier = threePieces("h", 1, { kind: "throttled", retryAfterMs: 60_000, detail: "much later" });
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db)));
  await waitFor("the throttled piece", async () => {
    const now = await findOrder(db, order.accountId, order.id);
    return now?.pieces && now.leasedUntil === null;
  });
  for (const piece of [0, 2])
    await carrier.report({
      providerReference: carrier.referenceOf({ orderId: order.id, attempt: 1 }, piece),
      status: "delivered",
    });
  const now = await findOrder(db, order.accountId, order.id);
  assert.deepEqual(
    now?.pieces?.map((piece) => piece.status),
    ["delivered", "open", "delivered"],
  );
  assert.equal(now?.endedAt, null);
});
