import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { kobo } from "../kernel/kobo.ts";
import { readWallet } from "../ledger/ledger.repo.ts";
import type { Outcome } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newTopup, PRICE_KOBO, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import type { NewOrder } from "./accept.repo.ts";
import { findOrder } from "./orders.repo.ts";

/** What a vendor has by its own word, by a callback of its or before a restart, is held however often it does not find it. */

const database = await makeTestDatabase();
const db = database.open();

const DONE: Outcome = { kind: "done" };
const LOST: Outcome = { kind: "unknown", detail: "no answer" };
const FAILED: Outcome = { kind: "rejected", scope: "route", code: "vendor_failed", detail: "it failed" };
const BALANCE_KOBO = 10_000n;

const provesItself = async () => assert.deepEqual(await engineFindings(database.connection), []);

/** A vendor that is asked by `<name>-<attempt>-<order>`. */
function vendorNamed(name: string): ScriptedProvider {
  const vendor = new ScriptedProvider(name);
  vendor.makeReference = ({ orderId, attempt }) => `${name}-${attempt}-${orderId}`;
  return vendor;
}
const referenceAt = (vendor: ScriptedProvider, order: NewOrder) => `${vendor.name}-1-${order.id}`;

const buy = async (t: TestContext, ...vendors: readonly ScriptedProvider[]) =>
  accept(await startEngine(t, db, vendors), newTopup(await makeCustomer(db, BALANCE_KOBO)));

const isHeld = async (order: NewOrder) => (await findOrder(db, order.accountId, order.id))?.leasedUntil !== null;
/** Nobody is at it, and nothing is to be done. */
const rest = (order: NewOrder) =>
  waitFor("an order that is left alone", async () => {
    const now = await findOrder(db, order.accountId, order.id);
    return now?.dueAt === null && now.leasedUntil === null && now;
  });
const available = async (order: NewOrder) => (await readWallet(db, order.accountId, "test"))?.availableKobo;

/** An answer that is given when the test lets it go, at its end at the latest. */
function answerLater(t: TestContext): { readonly answer: Promise<Outcome>; give(outcome: Outcome): void } {
  let give: (outcome: Outcome) => void = () => undefined;
  const answer = new Promise<Outcome>((resolve) => (give = resolve));
  t.after(() => give(LOST));
  return { answer, give: (outcome) => give(outcome) };
}

const NOT_FOUND: Outcome = { kind: "not_found", detail: "no such reference" };
const times = (vendor: ScriptedProvider, count: number) =>
  waitFor(`${count} questions`, () => vendor.asked.length >= count && vendor.asked.length);

test("a callback that is signed shows that its vendor has the purchase: not found proves nothing from then on, be the word old or new", async (t) => {
  const [vendor, other] = [vendorNamed("h-signed"), vendorNamed("h-signed-other")];
  vendor.answers(() => LOST);
  vendor.requeried(() => LOST);
  const order = await buy(t, vendor, other);
  await times(vendor, 1);
  await vendor.hint(referenceAt(vendor, order), true);
  const known = (await findOrder(db, order.accountId, order.id))!;
  assert.deepEqual([known.pieces, known.notFoundAt], [[{ status: "taken" }], null]);
  vendor.requeried(() => NOT_FOUND);
  await times(vendor, vendor.asked.length + 8);
  assert.deepEqual([(await findOrder(db, order.accountId, order.id))?.state, other.sent.length], ["processing", 0]);
  assert.equal(await available(order), kobo(BALANCE_KOBO - PRICE_KOBO));
  vendor.requeried(() => DONE);
  await waitForState(db, order, "successful");
  await provesItself();
});

test("one that nobody has signed pins nothing: not found twice is proof as ever", async (t) => {
  const [vendor, other] = [vendorNamed("h-unsigned"), vendorNamed("h-unsigned-other")];
  vendor.answers(() => LOST);
  vendor.requeried(() => LOST);
  other.answers(() => DONE);
  const order = await buy(t, vendor, other);
  await times(vendor, 1);
  await vendor.hint(referenceAt(vendor, order));
  vendor.requeried(() => NOT_FOUND);
  const ended = await waitForState(db, order, "successful");
  assert.deepEqual([ended.route, vendor.sent.length, other.sent.length], [other.name, 1, 1]);
  await provesItself();
});

for (const outcome of [LOST, FAILED, { kind: "throttled", retryAfterMs: 0, detail: "busy" }] as const)
  test(`one that is signed and overtakes the answer of the call itself is not undone by it: ${outcome.kind}`, async (t) => {
    const vendor = vendorNamed(`h-overtaken-${outcome.kind}`);
    const slow = answerLater(t);
    vendor.answers(() => slow.answer);
    vendor.requeried(() => NOT_FOUND);
    const order = await buy(t, vendor);
    await waitFor("the call", () => vendor.sent.length === 1);
    await vendor.hint(referenceAt(vendor, order), true);
    slow.give(outcome);
    await times(vendor, 4);
    const now = (await findOrder(db, order.accountId, order.id))!;
    assert.deepEqual([now.endedAt, now.pieces?.[0]?.status, vendor.sent.length], [null, "taken", 1]);
    vendor.requeried(() => DONE);
    await waitForState(db, order, "successful");
    await provesItself();
  });

test("one that is signed, about an attempt whose failure was heard or that has ended, is asked about and changes nothing else", async (t) => {
  const vendor = vendorNamed("h-signed-end");
  vendor.answers(() => DONE);
  vendor.requeried(() => NOT_FOUND);
  const order = await buy(t, vendor);
  const ended = await waitForState(db, order, "successful");
  await vendor.hint(referenceAt(vendor, order), true);
  await times(vendor, 1);
  assert.deepEqual((await rest(order)).pieces, ended.pieces);
});

test("nodes of the version before hint as they did", async () => {
  const { rows } = await db.query("select hint_order('k-none', 'never made') as met");
  assert.deepEqual(rows, [{ met: "unknown" }]);
});

test("what a vendor took is not bought again after a restart, though it has forgotten it meanwhile", async (t) => {
  const vendor = vendorNamed("h-restart");
  vendor.answers(() => ({ kind: "accepted", askAgainMs: 3_600_000 }));
  const engine = await startEngine(t, db, [vendor]);
  const order = await accept(engine, newTopup(await makeCustomer(db, BALANCE_KOBO)));
  await waitFor("the record", async () => vendor.sent.length === 1 && !(await isHeld(order)));
  await engine.stop();
  const [again, another] = [vendorNamed("h-restart"), vendorNamed("h-restart-other")];
  again.requeried(() => NOT_FOUND);
  await startEngine(t, db, [again, another]);
  await db.query("update orders set due_at = now(), later_at = null where id = $1", [order.id]);
  await times(again, 8);
  const now = (await findOrder(db, order.accountId, order.id))!;
  assert.deepEqual([now.state, now.route, again.sent.length, another.sent.length], ["processing", "h-restart", 0, 0]);
  assert.ok(now.pieces?.[0]?.denied_at);
});

test("and so is what the node had not recorded when it died: the repeat is refused as used, which is the same word", async (t) => {
  const vendor = vendorNamed("h-died");
  const never = answerLater(t);
  vendor.answers(() => never.answer);
  const order = await buy(t, vendor);
  await waitFor("the call", () => vendor.sent.length === 1);
  vendor.setReady(false);
  const [again, another] = [vendorNamed("h-died"), vendorNamed("h-died-other")];
  again.requeried(() => NOT_FOUND);
  again.answers(() => ({ kind: "unknown", detail: "reference used before", isKnown: true }));
  await startEngine(t, db, [again, another]);
  await db.query(
    "update orders set version = version + 1, lease_epoch = lease_epoch + 1, leased_by = null, leased_until = null, due_at = now() where id = $1",
    [order.id],
  );
  await times(again, 9);
  const now = (await findOrder(db, order.accountId, order.id))!;
  assert.deepEqual([now.state, now.attempt, again.sent.length, another.sent.length], ["processing", 1, 1, 0]);
  assert.equal(now.pieces?.[0]?.status, "taken");
});
