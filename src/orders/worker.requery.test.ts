import assert from "node:assert/strict";
import { test } from "node:test";
import { kobo } from "../kernel/kobo.ts";
import { readWallet } from "../ledger/ledger.repo.ts";
import type { Outcome } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newTopup, PRICE_KOBO, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { leaveBegun, OPEN_PIECE } from "../testing/past-the-engine.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import type { NewOrder } from "./accept.repo.ts";

const database = await makeTestDatabase();
const db = database.open();

const UNKNOWN: Outcome = { kind: "unknown", detail: "no answer" };
const NOT_FOUND: Outcome = { kind: "not_found", detail: "no such reference" };
const DONE: Outcome = { kind: "done", providerReference: "their-1" };
const BALANCE_KOBO = 10_000n;

const provesItself = async () => assert.deepEqual(await engineFindings(database.connection), []);

const wallet = async (order: NewOrder) => {
  const found = await readWallet(db, order.accountId, "test");
  return { available: found?.availableKobo, held: found?.heldKobo };
};
const PAID = { available: kobo(BALANCE_KOBO - PRICE_KOBO), held: kobo(0n) };
const RETURNED = { available: kobo(BALANCE_KOBO), held: kobo(0n) };
const HELD = { available: kobo(BALANCE_KOBO - PRICE_KOBO), held: PRICE_KOBO };

/** A vendor that loses its first answer and then says so when it is asked. */
function losing(name: string, ...answers: readonly Outcome[]): ScriptedProvider {
  const vendor = new ScriptedProvider(name);
  vendor.answers(() => UNKNOWN);
  const left = [...answers];
  vendor.requeried(() => left.shift() ?? answers.at(-1) ?? UNKNOWN);
  return vendor;
}

const buy = async (t: Parameters<typeof startEngine>[0], ...vendors: readonly ScriptedProvider[]) => {
  const engine = await startEngine(t, db, vendors);
  return accept(engine, newTopup(await makeCustomer(db, BALANCE_KOBO)));
};

test("a lost answer is asked for until the vendor knows, with the money held all the while", async (t) => {
  const vendor = losing("a", UNKNOWN, { kind: "throttled", retryAfterMs: 0, detail: "later" }, UNKNOWN);
  const order = await buy(t, vendor);
  await waitFor("some asking", () => vendor.asked.length > 5);
  assert.deepEqual(await wallet(order), HELD);
  vendor.requeried(() => DONE);
  await waitForState(db, order, "successful");
  assert.equal(vendor.sent.length, 1, "vended once");
  assert.deepEqual(await wallet(order), PAID);
  await provesItself();
});

test("what is accepted is asked after until it is proven", async (t) => {
  const vendor = new ScriptedProvider("b");
  vendor.requeried(() => DONE);
  const order = await buy(t, vendor);
  await waitForState(db, order, "successful");
  assert.deepEqual(await wallet(order), PAID);
});

test("a vendor is asked by its own reference as soon as it has told one", async (t) => {
  const vendor = new ScriptedProvider("r");
  vendor.answers(() => UNKNOWN);
  const askedBy: (string | undefined)[] = [];
  vendor.requeried(({ providerReference }) => {
    askedBy.push(providerReference);
    return askedBy.length < 2 ? { kind: "accepted", providerReference: "their-7" } : DONE;
  });
  const order = await buy(t, vendor);
  await waitForState(db, order, "successful");
  assert.deepEqual(askedBy, [undefined, "their-7"]);
});

test("not found once proves nothing: the order is asked after again, and a vendor that finds it then has vended", async (t) => {
  const vendor = losing("c", NOT_FOUND, DONE);
  const order = await buy(t, vendor);
  await waitForState(db, order, "successful");
  assert.equal(vendor.sent.length, 1);
  await provesItself();
});

test("not found twice, far enough apart, is proof: without another route the order fails and its money returns", async (t) => {
  const vendor = losing("d", NOT_FOUND);
  const order = await buy(t, vendor);
  await waitForState(db, order, "failed");
  assert.ok(vendor.asked.length >= 2);
  assert.deepEqual(await wallet(order), RETURNED);
  await provesItself();
});

test("not found twice lets the next route have a go, with an attempt of its own", async (t) => {
  const [one, two] = [losing("e1", NOT_FOUND), new ScriptedProvider("e2")];
  two.answers(() => DONE);
  // The first in the list goes first while both are idle.
  const order = await buy(t, one, two);
  const ended = await waitForState(db, order, "successful");
  assert.deepEqual([ended.route, ended.attempt], ["e2", 2]);
  assert.deepEqual([one.sent.length, two.sent.length], [1, 1]);
  await provesItself();
});

test("what a node had begun and never sent goes to the same vendor again, once that says that it knows nothing of it", async (t) => {
  const api = await startEngine(t, db, [], { role: "api" });
  const order = await accept(api, newTopup(await makeCustomer(db, BALANCE_KOBO)));
  await leaveBegun(db, order, { state: "processing", route: "k", pieces: OPEN_PIECE });
  const [other, vendor] = [new ScriptedProvider("other"), new ScriptedProvider("k")];
  vendor.requeried(() => NOT_FOUND);
  vendor.answers(() => DONE);
  await startEngine(t, db, [other, vendor]);
  const ended = await waitForState(db, order, "successful");
  assert.deepEqual([ended.attempt, ended.tried, vendor.sent.length, other.sent.length], [1, [], 1, 0]);
  assert.equal(vendor.asked.length, 1, "asked before it was called");
  assert.deepEqual(await wallet(order), PAID);
  await provesItself();
});

test("once its time is over, what was never sent ends with its money back", async (t) => {
  const api = await startEngine(t, db, [], { role: "api" });
  const order = await accept(api, newTopup(await makeCustomer(db, BALANCE_KOBO)));
  await leaveBegun(db, order, { state: "processing", route: "m", pieces: OPEN_PIECE, expiresAt: new Date() });
  const vendor = new ScriptedProvider("m");
  vendor.requeried(() => NOT_FOUND);
  await startEngine(t, db, [vendor]);
  await waitForState(db, order, "expired");
  assert.equal(vendor.sent.length, 0);
  assert.deepEqual(await wallet(order), RETURNED);
  await provesItself();
});

test("an account that is suspended meanwhile gets its money back, once it is proven that nothing was bought", async (t) => {
  const api = await startEngine(t, db, [], { role: "api" });
  const order = await accept(api, newTopup(await makeCustomer(db, BALANCE_KOBO)));
  await leaveBegun(db, order, { state: "processing", route: "q", pieces: OPEN_PIECE });
  const vendor = new ScriptedProvider("q");
  vendor.requeried(() => NOT_FOUND);
  await startEngine(t, db, [vendor], { isSuspended: async () => true });
  const ended = await waitForState(db, order, "failed");
  assert.equal((ended.facts?.failure as { code: string } | undefined)?.code, "account_suspended");
  assert.deepEqual([vendor.asked.length, vendor.sent.length], [2, 0]);
  assert.deepEqual(await wallet(order), RETURNED);
  await provesItself();
});

test("while the outcome is unknown no other route has a go, however long", async (t) => {
  const [one, two] = [losing("f1", UNKNOWN), new ScriptedProvider("f2")];
  const order = await buy(t, one, two);
  await waitFor("some asking", () => one.asked.length > 10);
  assert.equal(two.sent.length + two.asked.length, 0);
  assert.deepEqual(await wallet(order), HELD);
});

test("what a dead node had begun is asked after at the vendor that may have it, never at another", async (t) => {
  const api = await startEngine(t, db, [], { role: "api" });
  const order = await accept(api, newTopup(await makeCustomer(db, BALANCE_KOBO)));
  await leaveBegun(db, order, { state: "processing", route: "g2" });
  const [one, two] = [new ScriptedProvider("g1"), new ScriptedProvider("g2")];
  one.requeried(() => NOT_FOUND);
  two.requeried(() => DONE);
  await startEngine(t, db, [one, two]);
  await waitForState(db, order, "successful");
  assert.deepEqual([one.asked.length, one.sent.length, two.sent.length], [0, 0, 0]);
  assert.deepEqual(two.asked[0], { orderId: order.id, attempt: 1, piece: 0 });
  await provesItself();
});

test("it waits for that vendor while it is away, though another is there", async (t) => {
  const api = await startEngine(t, db, [], { role: "api" });
  const order = await accept(api, newTopup(await makeCustomer(db, BALANCE_KOBO)));
  await leaveBegun(db, order, { state: "processing", route: "h2" });
  const [one, two] = [new ScriptedProvider("h1"), new ScriptedProvider("h2")];
  two.setReady(false);
  two.requeried(() => DONE);
  const engine = await startEngine(t, db, [one, two]);
  const probe = await accept(engine, newTopup(order.accountId));
  await waitFor("the other vendor at work", () => one.sent.some((sent) => sent.orderId === probe.id));
  assert.deepEqual(await wallet(order), {
    available: kobo(BALANCE_KOBO - 2n * PRICE_KOBO),
    held: kobo(2n * PRICE_KOBO),
  });
  two.setReady(true);
  await waitForState(db, order, "successful");
  assert.ok([...one.sent, ...one.asked].every((sent) => sent.orderId !== order.id));
});

test("a vendor's refusal while asking is as good as at the first time: the next route has a go", async (t) => {
  const refused: Outcome = { kind: "rejected", scope: "route", code: "no_route", detail: "it failed here" };
  const [one, two] = [losing("i1", UNKNOWN, refused), new ScriptedProvider("i2")];
  two.answers(() => DONE);
  const order = await buy(t, one, two);
  assert.equal((await waitForState(db, order, "successful")).route, "i2");
  await provesItself();
});

test("a purchase that the vendor reverses while it is not proven fails, and its money returns", async (t) => {
  const order = await buy(t, losing("j", UNKNOWN, { kind: "reversed", detail: "taken back" }));
  await waitForState(db, order, "failed");
  assert.deepEqual(await wallet(order), RETURNED);
  await provesItself();
});

test("a reversal after success returns our price once, however often it is reported", async (t) => {
  const vendor = new ScriptedProvider("k");
  vendor.answers((task) => ({ kind: "done", providerReference: vendor.referenceOf(task, 0) }));
  const order = await buy(t, vendor);
  await waitForState(db, order, "successful");
  assert.deepEqual(await wallet(order), PAID);
  const reversal = { providerReference: vendor.referenceOf({ orderId: order.id, attempt: 1 }, 0), status: "reversed" };
  await Promise.all([vendor.report(reversal), vendor.report(reversal), vendor.report(reversal)]);
  await vendor.report(reversal);
  await waitForState(db, order, "reversed");
  assert.deepEqual(await wallet(order), RETURNED);
  await provesItself();
});

test("a success that comes after the money went back is a loss, booked once, and the subscriber is not charged", async (t) => {
  const vendor = new ScriptedProvider("l");
  vendor.requeried(() => ({ kind: "rejected", scope: "order", code: "not_delivered", detail: "we think it failed" }));
  const order = await buy(t, vendor);
  await waitForState(db, order, "failed");
  const success = { providerReference: vendor.referenceOf({ orderId: order.id, attempt: 1 }, 0), status: "done" };
  await Promise.all([vendor.report(success), vendor.report(success)]);
  await vendor.report(success);
  const { rows } = await db.query<{ losses: bigint; kobo: bigint }>(
    "select count(*) as losses, sum(amount_kobo)::bigint as kobo from transfers where account_id = $1 and kind = 'loss'",
    [order.accountId],
  );
  assert.deepEqual(rows, [{ losses: 1n, kobo: PRICE_KOBO }]);
  assert.deepEqual(await wallet(order), RETURNED);
  await provesItself();
});
