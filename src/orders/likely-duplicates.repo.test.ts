import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { MINUTE_MS } from "../kernel/duration.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import type { Outcome } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import {
  engineFindings,
  keyOf,
  makeCustomer,
  newTopup,
  PRICE_KOBO,
  REAL_CLOCK,
  waitForState,
} from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import type { NewOrder } from "./accept.repo.ts";
import { makeAcceptor } from "./accept.ts";
import { forgetOld } from "./nodes.repo.ts";

/** Two purchases of the same for the same within a minute: the second is likely a mistake. */

const database = await makeTestDatabase();
const db = database.open();

const acceptorOf = () =>
  makeAcceptor({
    db,
    node: newUuid(),
    clock: REAL_CLOCK,
    leaseSeconds: 30,
    waitingMax: 10_000,
    answerMs: 2_000,
    idOf: ({ orders: [first] }) => first!.id,
  });
const acceptor = acceptorOf();

const SAME = "airtime 2348031234567 50000";
const purchase = (accountId: Uuid, more: Partial<NewOrder> = {}, allowed = false) =>
  newTopup(accountId, { twin: { key: SAME, allowed }, ...more });

/** `accepted`, the id that it is a repeat of, or why not. */
async function verdict(order: NewOrder, by = acceptor): Promise<string> {
  const answer = await by.accept({ orders: [order], leased: false });
  assert.ok(answer.ok);
  const why = answer.value.refused.get(0) ?? answer.value.refused.get(-1);
  if (why === undefined) return "accepted";
  return why.kind === "twin" ? why.targetId : why.kind;
}

/** A customer who has bought it already, `agoMs` before now. */
async function bought(agoMs = 0, more: Partial<NewOrder> = {}): Promise<NewOrder> {
  const order = purchase(await makeCustomer(db), { createdAt: new Date(Date.now() - agoMs), ...more });
  assert.equal(await verdict(order), "accepted");
  return order;
}

test("a second one within a minute is refused and names the first; it costs nothing and leaves its key free", async () => {
  const first = await bought();
  const second = purchase(first.accountId, { keys: [keyOf("key", "another")] });
  assert.equal(await verdict(second), first.id);
  const allowed = purchase(first.accountId, { keys: [keyOf("key", "another")] }, true);
  assert.equal(await verdict(allowed), "accepted", "the key was not spent");
  assert.deepEqual(await engineFindings(database.connection), []);
});

test("other recipients, amounts, accounts and modes are no repeats", async () => {
  const first = await bought();
  const twin = { key: "airtime 2348031234567 60000", allowed: false };
  assert.equal(await verdict(purchase(first.accountId, { twin })), "accepted");
  assert.equal(await verdict(purchase(await makeCustomer(db))), "accepted");
});

test("after a minute it is another purchase, counted from the newest", async () => {
  const first = await bought(2 * MINUTE_MS);
  const second = purchase(first.accountId, { createdAt: new Date(Date.now() - MINUTE_MS / 2) });
  assert.equal(await verdict(second), "accepted");
  assert.equal(await verdict(purchase(first.accountId)), second.id);
});

test("one that is meant is accepted, and from then on it is the first", async () => {
  const first = await bought(MINUTE_MS / 2);
  const meant = purchase(first.accountId, {}, true);
  assert.equal(await verdict(meant), "accepted");
  assert.equal(await verdict(purchase(first.accountId)), meant.id);
});

test("of 20 at once on three nodes exactly one is accepted, and the others name it", async () => {
  const accountId = await makeCustomer(db);
  const orders = Array.from({ length: 20 }, () => purchase(accountId));
  const nodes = [acceptor, acceptorOf(), acceptorOf()];
  const verdicts = await Promise.all(orders.map((order, index) => verdict(order, nodes[index % 3])));
  const winners = orders.filter((_, index) => verdicts[index] === "accepted");
  assert.equal(winners.length, 1);
  assert.deepEqual(new Set(verdicts), new Set(["accepted", winners[0]?.id]));
});

test("the same key again is a repeat of the request and not of the purchase", async () => {
  const accountId = await makeCustomer(db);
  const orders = Array.from({ length: 5 }, () => purchase(accountId, { keys: [keyOf("key", "the same")] }));
  const verdicts = await Promise.all(orders.map((order) => verdict(order)));
  assert.deepEqual(verdicts.toSorted(), ["accepted", ...Array(4).fill("taken")]);
});

const buyAt = async (t: TestContext, outcome: Outcome, state: string) => {
  const vendor = new ScriptedProvider(newUuid());
  vendor.answers(() => outcome);
  const engine = await startEngine(t, db, [vendor]);
  const first = await accept(engine, purchase(await makeCustomer(db)));
  await waitForState(db, first, state);
  return first;
};

test("after one that failed the next try is no repeat", async (t) => {
  const refused: Outcome = { kind: "rejected", scope: "order", code: "invalid_number", detail: "no such number" };
  const failed = await buyAt(t, refused, "failed");
  assert.equal(await verdict(purchase(failed.accountId)), "accepted");
});

test("after one that succeeded it is", async (t) => {
  const successful = await buyAt(t, { kind: "done" }, "successful");
  assert.equal(await verdict(purchase(successful.accountId)), successful.id);
});

test("one that is refused for want of money is no purchase: neither a first one nor in the place of the first", async () => {
  const accountId = await makeCustomer(db, PRICE_KOBO);
  const dear = { priceKobo: kobo(2n * PRICE_KOBO) };
  assert.equal(await verdict(purchase(accountId, dear)), "funds");
  const first = purchase(accountId);
  assert.equal(await verdict(first), "accepted");
  assert.equal(await verdict(purchase(accountId, dear, true)), "funds");
  assert.equal(await verdict(purchase(accountId)), first.id);
});

test("when the money goes round for some of many at once, those that are refused change nothing for the others", async () => {
  const accountId = await makeCustomer(db, 5n * PRICE_KOBO);
  const orders = Array.from({ length: 10 }, (_, index) =>
    purchase(accountId, { twin: { key: `airtime ${index}`, allowed: false } }),
  );
  const verdicts = await Promise.all(orders.map((order) => verdict(order)));
  const repeats = await Promise.all(
    orders.map(({ twin }) => verdict(purchase(accountId, { ...(twin && { twin }), priceKobo: kobo(0n) }))),
  );
  assert.deepEqual(
    repeats,
    orders.map(({ id }, index) => (verdicts[index] === "accepted" ? id : "accepted")),
  );
  assert.equal(verdicts.filter((word) => word === "accepted").length, 5);
});

test("what nobody can repeat any more is forgotten", async () => {
  const old = await bought(2 * 3_600_000);
  const recent = await bought(MINUTE_MS);
  await forgetOld(db);
  const { rows } = await db.query<{ order_id: Uuid }>("select order_id from twins where order_id = any($1::uuid[])", [
    [old.id, recent.id],
  ]);
  assert.deepEqual(rows, [{ order_id: recent.id }]);
});
