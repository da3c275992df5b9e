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
import { findOrder, readTimeline } from "./orders.repo.ts";
import { hintOrder } from "./reports.repo.ts";

const database = await makeTestDatabase();
const db = database.open();

const DONE: Outcome = { kind: "done" };
const LOST: Outcome = { kind: "unknown", detail: "no answer" };
const REVERSED: Outcome = { kind: "reversed", detail: "taken back" };
const FAILED: Outcome = { kind: "rejected", scope: "route", code: "vendor_failed", detail: "it failed" };
const BALANCE_KOBO = 10_000n;

const provesItself = async () => assert.deepEqual(await engineFindings(database.connection), []);

/** A vendor that is asked by `<name>-<attempt>-<order>`. */
function vendorNamed(name: string): ScriptedProvider {
  const vendor = new ScriptedProvider(name);
  vendor.makeReference = ({ orderId, attempt }) => `${name}-${attempt}-${orderId}`;
  return vendor;
}
const referenceAt = (vendor: ScriptedProvider, order: NewOrder, attempt = 1) => `${vendor.name}-${attempt}-${order.id}`;

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

test("a hint of an attempt that still waits for its outcome has it asked about at once", async (t) => {
  const vendor = vendorNamed("h-due");
  vendor.answers(() => ({ kind: "accepted", askAgainMs: 3_600_000 }));
  vendor.requeried(() => DONE);
  const order = await buy(t, vendor);
  await waitFor("the vendor's acceptance", async () => vendor.sent.length === 1 && !(await isHeld(order)));
  assert.equal(vendor.asked.length, 0, "not for an hour");
  await vendor.hint(referenceAt(vendor, order));
  await waitForState(db, order, "successful");
  assert.equal(vendor.asked.length, 1);
});

test("a hint alone changes nothing: what the vendor says when it is asked counts, whatever the callback said", async (t) => {
  const vendor = vendorNamed("h-forged");
  vendor.answers(() => DONE);
  vendor.requeried(() => DONE);
  const order = await buy(t, vendor);
  await waitForState(db, order, "successful");
  await vendor.hint(referenceAt(vendor, order));
  await waitFor("the question", () => vendor.asked.length === 1);
  assert.equal((await rest(order)).state, "successful");
  assert.equal(await available(order), kobo(BALANCE_KOBO - PRICE_KOBO));
  await provesItself();
});

test("a hint of a reference that no attempt has met is nobody's, and changes nothing", async () => {
  assert.equal(await hintOrder(db, "h-due", "never made"), "unknown");
});

test("a reversal that is hinted at after the end returns the price, once, however often it is hinted at", async (t) => {
  const vendor = vendorNamed("h-reversed");
  vendor.answers(() => DONE);
  vendor.requeried(() => REVERSED);
  const order = await buy(t, vendor);
  const ended = await waitForState(db, order, "successful");
  const reference = referenceAt(vendor, order);
  await Promise.all([vendor.hint(reference), vendor.hint(reference), vendor.hint(reference)]);
  const reversed = await waitForState(db, order, "reversed");
  await vendor.hint(reference);
  await rest(order);
  assert.deepEqual(reversed.endedAt, ended.endedAt, "it ended when it was delivered");
  assert.equal(await available(order), kobo(BALANCE_KOBO));
  await provesItself();
});

test("a reversal is learned although the vendor can't be asked when it is hinted at: it is asked until it can", async (t) => {
  const vendor = vendorNamed("h-away");
  vendor.answers(() => DONE);
  const words = [LOST, { kind: "throttled", retryAfterMs: 0, detail: "busy" } as const, LOST, REVERSED];
  vendor.requeried(() => words.shift() ?? REVERSED);
  const order = await buy(t, vendor);
  await waitForState(db, order, "successful");
  await vendor.hint(referenceAt(vendor, order));
  await waitForState(db, order, "reversed");
  assert.equal(vendor.asked.length, 4);
  await provesItself();
});

test("and although its connection is down: the order waits for that vendor and goes to no other", async (t) => {
  const [vendor, other] = [vendorNamed("h-down"), vendorNamed("h-other")];
  vendor.answers(() => DONE);
  vendor.requeried(() => REVERSED);
  other.answers(() => DONE);
  const engine = await startEngine(t, db, [vendor, other]);
  const order = await accept(engine, newTopup(await makeCustomer(db, BALANCE_KOBO)));
  await waitForState(db, order, "successful");
  vendor.setReady(false);
  assert.equal(await hintOrder(db, "h-down", referenceAt(vendor, order)), "due");
  const probe = await accept(engine, newTopup(order.accountId));
  await waitForState(db, probe, "successful");
  assert.equal((await findOrder(db, order.accountId, order.id))?.state, "successful");
  vendor.setReady(true);
  await waitForState(db, order, "reversed");
  assert.deepEqual([other.sent.map(({ orderId }) => orderId), other.asked.length], [[probe.id], 0]);
});

test("a hint while the vendor is being asked is not lost with an answer that is older than the hint", async (t) => {
  const vendor = vendorNamed("h-held");
  vendor.answers(() => DONE);
  const slow = answerLater(t);
  vendor.requeried(() => (vendor.asked.length === 1 ? slow.answer : REVERSED));
  const order = await buy(t, vendor);
  await waitForState(db, order, "successful");
  const reference = referenceAt(vendor, order);
  await vendor.hint(reference);
  await waitFor("the first question", () => vendor.asked.length === 1);
  assert.equal(await hintOrder(db, "h-held", reference), "held");
  slow.give(DONE); // as it was before the vendor took it back
  await waitForState(db, order, "reversed");
  await rest(order);
});

test("a hint that overtakes the answer of the call itself is followed by a question right after", async (t) => {
  const vendor = vendorNamed("h-early");
  const slow = answerLater(t);
  vendor.answers(() => slow.answer);
  vendor.requeried(() => DONE);
  const order = await buy(t, vendor);
  await waitFor("the call", () => vendor.sent.length === 1);
  assert.equal(await hintOrder(db, "h-early", referenceAt(vendor, order)), "held");
  slow.give({ kind: "accepted", askAgainMs: 3_600_000 });
  await waitForState(db, order, "successful");
  assert.deepEqual([vendor.sent.length, vendor.asked.length], [1, 1]);
});

test("a hint of an attempt that was given up wakes nothing and opens one case with the evidence", async (t) => {
  const [one, two] = [vendorNamed("h-first"), vendorNamed("h-second")];
  one.answers(() => FAILED);
  two.answers(() => ({ kind: "accepted", askAgainMs: 3_600_000 }));
  const order = await buy(t, one, two);
  await waitFor("the second vendor", async () => two.sent.length === 1 && !(await isHeld(order)));
  const reference = referenceAt(one, order, 1);
  await one.hint(reference);
  await one.hint(reference);
  const { rows } = await db.query("select kind, evidence from cases where order_id = $1", [order.id]);
  assert.deepEqual(rows, [{ kind: "outdated_attempt", evidence: { route: "h-first", reference, attempt: 1 } }]);
  assert.deepEqual([one.asked.length, two.asked.length], [0, 0]);
});

for (const [outcome, kind] of [
  [LOST, "is unclear"],
  [DONE, "is a success"],
] as const)
  test(`an answer that ${kind}, and comes after another attempt took its place, opens one case`, async (t) => {
    const [one, two] = [vendorNamed(`h-late-${outcome.kind}`), vendorNamed(`h-in-place-${outcome.kind}`)];
    const late = answerLater(t);
    one.answers(() => late.answer);
    two.answers(() => DONE);
    const order = await buy(t, one, two);
    await waitFor("the first vendor", () => one.sent.length === 1);
    // Another node has taken the order over, and given it to the second vendor.
    const named = [two.name, referenceAt(two, order, 2), order.id];
    await db.query(
      `update orders set attempt = 2, route = $1, attempt_reference = $2, pieces = '[{"status": "unanswered"}]', ambiguous_at = now(),
              version = version + 1, lease_epoch = lease_epoch + 1, leased_by = null, leased_until = null, due_at = now() + interval '1 hour'
        where id = $3`,
      named,
    );
    await db.query(
      `insert into attempts (route, reference, account_id, order_id, attempt, begun_at)
       select $1, $2, account_id, id, 2, now() from orders where id = $3`,
      named,
    );
    late.give(outcome);
    await waitFor("the case", async () => {
      const { rows } = await db.query("select kind from cases where order_id = $1", [order.id]);
      return rows.length === 1 && assert.deepEqual(rows, [{ kind: "outdated_attempt" }]) === undefined;
    });
  });

test("an unclear answer that comes after the end has its vendor asked, and a delivery that is found so is our loss", async (t) => {
  const vendor = vendorNamed("h-late-end");
  const late = answerLater(t);
  vendor.answers(() => late.answer);
  const answers = [FAILED, DONE];
  vendor.requeried(() => answers.shift() ?? DONE);
  const order = await buy(t, vendor);
  await waitFor("the vendor", () => vendor.sent.length === 1);
  // Another node has taken the order over, and asks.
  await db.query(
    "update orders set version = version + 1, lease_epoch = lease_epoch + 1, leased_by = null, leased_until = null, due_at = now() where id = $1",
    [order.id],
  );
  await waitForState(db, order, "failed");
  late.give(LOST);
  await waitFor("the loss", async () => {
    const { rows } = await db.query("select 1 from transfers where order_id = $1 and kind = 'loss'", [order.id]);
    return rows.length === 1;
  });
  assert.equal(await available(order), BALANCE_KOBO, "the customer has their money back");
  await provesItself();
});

/** Another node has taken it over, and it waits for its turn at `route`, to be begun there. */
const takeOver = (order: NewOrder, set: string) =>
  db.query(
    `update orders set ${set}, version = version + 1, lease_epoch = lease_epoch + 1, leased_by = null, leased_until = null,
            begun_at = null, due_at = now() + interval '1 hour' where id = $1`,
    [order.id],
  );

test("an unclear answer to a call that is to be repeated has its vendor asked before anything is sent", async (t) => {
  const vendor = vendorNamed("h-repeat");
  const late = answerLater(t);
  vendor.answers(() => late.answer);
  vendor.requeried(() => DONE);
  const order = await buy(t, vendor);
  await waitFor("the vendor", () => vendor.sent.length === 1);
  await takeOver(order, `pieces = '[{"status": "unheard"}]'`);
  late.give(LOST);
  await waitForState(db, order, "successful");
  assert.deepEqual([vendor.sent.length, vendor.asked.length > 0], [1, true]);
  await provesItself();
});

test("and one to a call that was given up, before another vendor is called", async (t) => {
  const [one, two] = [vendorNamed("h-left"), vendorNamed("h-next")];
  const late = answerLater(t);
  one.answers(() => late.answer);
  one.requeried(() => DONE);
  const order = await buy(t, one, two);
  await waitFor("the vendor", () => one.sent.length === 1);
  await takeOver(order, "pieces = null, tried = '{h-left}'");
  late.give(LOST);
  const ended = await waitForState(db, order, "successful");
  assert.deepEqual([ended.route, two.sent.length], ["h-left", 0]);
  await provesItself();
});

test("a callback about a call that was given up, or is to be repeated, has its vendor asked as well", async (t) => {
  for (const left of ["pieces = null", `pieces = '[{"status": "unheard"}]'`]) {
    const vendor = vendorNamed(`h-called-${left.length}`);
    vendor.answers(() => LOST);
    vendor.requeried(() => LOST);
    const order = await buy(t, vendor);
    await waitFor("an unclear outcome", async () => (await findOrder(db, order.accountId, order.id))?.ambiguousAt);
    await takeOver(order, `${left}, ambiguous_at = null`);
    vendor.requeried(() => DONE);
    await vendor.hint(referenceAt(vendor, order));
    await waitForState(db, order, "successful");
    assert.equal(vendor.sent.length, 1);
  }
  await provesItself();
});

test("a question that a hint led to is told in the timeline", async (t) => {
  const vendor = vendorNamed("h-told");
  vendor.answers(() => DONE);
  vendor.requeried(() => FAILED);
  const order = await buy(t, vendor);
  await waitForState(db, order, "successful");
  await vendor.hint(referenceAt(vendor, order));
  const told = await waitFor("the entry", async () => {
    const last = (await readTimeline(db, order.accountId, order.id)).at(-1);
    return last?.detail?.requery !== undefined && last;
  });
  assert.deepEqual([told.status, told.type, told.detail], ["successful", null, { requery: "rejected" }]);
  assert.equal((await findOrder(db, order.accountId, order.id))?.facts, null, "no failure is told of a success");
});

test("a provider that has lost its route is still heard when it calls back", async (t) => {
  const unrouted = Object.assign(new ScriptedProvider("unrouted"), {
    callback: async () => ({ status: 200, contentType: "application/json", body: "{}" }),
  });
  await startEngine(t, db, [new ScriptedProvider("routed")], { providers: new Map([["unrouted", unrouted]]) });
  await unrouted.hint("a reference of nobody's");
});
