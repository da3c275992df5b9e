import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../ports/provider.ts";
import { PURCHASE_STEPS } from "../purchases/purchase.steps.ts";
import { TOPUP } from "../testing/parcel.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import { isAnswerEntry } from "./answer-entry.ts";
import { attemptNeeds } from "./attempt.ts";
import { type Answered, decideBegin, decideOutcome } from "./decide.ts";
import { decideDue, decideStopped, SUSPENDED } from "./decide-due.ts";
import { decideLateOutcome } from "./decide-late.ts";
import { decideRequery } from "./decide-requery.ts";
import type { Order } from "./order.ts";
import type { ServiceDefinition, Stop } from "./service-definition.ts";

/** What a vendor's words make of a purchase, without a database. */

const AT = new Date("2026-11-27T09:00:00.000Z");
const after = (ms: number) => new Date(AT.getTime() + ms);
const WAITS = {
  ...TOPUP.purchaseWaits?.("test"),
  requeryMs: (n: number) => 1_000 * (n + 1),
  notFoundApartMs: 2_000,
  settleMs: 5_000,
};
const PURCHASE: ServiceDefinition = { ...TOPUP, table: PURCHASE_STEPS, purchaseWaits: () => WAITS };

const FRESH: Order = {
  ...SMS_ORDER,
  service: "topup",
  queue: "topup:test",
  state: "processing",
  ambiguity: "requery",
  version: 1,
  attempt: 0,
  route: null,
  pieces: null,
  expiresAt: null,
};
const BEGUN = decideBegin({
  service: PURCHASE,
  order: FRESH,
  route: "north",
  pieceCount: 1,
  at: AT,
  attemptReference: "our-1",
}).after;

const LOST: Outcome = { kind: "unknown", detail: "no answer" };
const NOT_FOUND: Outcome = { kind: "not_found", detail: "no such reference" };
const DONE: Outcome = { kind: "done", facts: { tokens: ["1"] } };
const FAILED: Outcome = { kind: "rejected", scope: "route", code: "vendor_failed", detail: "it failed" };
const REVERSED: Outcome = { kind: "reversed", detail: "taken back" };

const answered = (outcome: Outcome, more: Partial<Answered> = {}): Answered => ({
  route: "north",
  attempt: 1,
  attemptReference: "our-1",
  begunAt: AT,
  outcomes: [outcome],
  moreRoutes: true,
  ...more,
});
const answer = (outcome: Outcome, at = after(100)) => decideOutcome(PURCHASE, BEGUN, answered(outcome), at);
const asked = (order: Order, outcome: Outcome, at: Date, moreRoutes = true, stop?: Stop) =>
  decideRequery({ service: PURCHASE, order, outcome, moreRoutes, stop, at });
const dueOf = (order: Order, at = after(60_000)) => decideDue(PURCHASE, order, at).kind;

test("a vendor that knows nothing yet proves nothing until its time and ours have passed since the call", () => {
  const lost = answer(LOST, after(1_000)).after;
  const early = asked(lost, NOT_FOUND, after(2_000));
  assert.equal(early.after.notFoundAt, null, "it does not count");
  assert.deepEqual(early.dueAt, after(6_000), "asked again when it begins to: 5 s after the answer was given up");
  const first = asked(early.after, NOT_FOUND, after(6_000));
  assert.deepEqual([first.after.notFoundAt, first.dueAt], [after(6_000), after(8_000)]);
  const soon = asked(first.after, NOT_FOUND, after(7_999));
  assert.equal(soon.after.state, "processing", "twice, but not far enough apart");
  const proven = asked(soon.after, NOT_FOUND, after(8_000));
  assert.deepEqual([proven.after.tried, proven.after.pieces, proven.dueAt], [["north"], null, after(8_000)]);
  assert.equal(dueOf(proven.after), "send");
  const last = asked(soon.after, NOT_FOUND, after(8_000), false);
  assert.deepEqual([last.after.state, last.money], ["failed", "void"]);
});

test("what was begun and never heard is called again as soon as its vendor says that it knows nothing of it", () => {
  const { after: order, dueAt } = asked(BEGUN, NOT_FOUND, after(1_000));
  assert.deepEqual([order.pieces, order.attemptReference, dueAt], [[{ status: "unheard" }], "our-1", after(1_000)]);
  assert.equal(dueOf(order), "send");
});

test("it is not called again while the first call may still be at the vendor, however soon it is asked about", () => {
  const slow = { ...PURCHASE, purchaseWaits: () => ({ ...WAITS, repeatAfterMs: 3_000 }) };
  const early = decideRequery({ service: slow, order: BEGUN, outcome: NOT_FOUND, moreRoutes: true, at: after(1_000) });
  assert.deepEqual([early.dueAt, dueOf(early.after), early.after.begunAt], [after(3_000), "requery", AT]);
  assert.equal(
    dueOf(
      decideRequery({ service: slow, order: early.after, outcome: NOT_FOUND, moreRoutes: true, at: after(3_000) })
        .after,
    ),
    "send",
  );
});

test("past its time it is called no more: its vendor is asked until it is proven that nothing was done", () => {
  const late: Order = { ...BEGUN, expiresAt: after(500) };
  let order = asked(late, NOT_FOUND, after(1_000)).after;
  assert.deepEqual([order.state, dueOf(order)], ["processing", "requery"]);
  for (const ms of [6_000, 9_000]) order = asked(order, NOT_FOUND, after(ms)).after;
  const due = decideDue(PURCHASE, order, after(9_000));
  assert.deepEqual(due.kind === "change" && [due.change.after.state, due.change.money], ["failed", "void"]);
});

test("a repeat whose time is over is asked about before it ends: the node that began it may have woken since", () => {
  const unheard: Order = { ...asked(BEGUN, NOT_FOUND, after(1_000)).after, expiresAt: after(2_000) };
  assert.equal(dueOf(unheard, after(2_000)), "requery");
  assert.equal(asked(unheard, DONE, after(2_100)).after.state, "successful");
  assert.equal(dueOf(asked(unheard, NOT_FOUND, after(2_100)).after), "requery");
});

test("a repeat of a suspended account is asked about until nothing was done for certain, and then ends as suspended", () => {
  let order = decideStopped(PURCHASE, asked(BEGUN, NOT_FOUND, after(1_000)).after, SUSPENDED, after(1_500)).after;
  const dues: number[] = [];
  for (let ms = 1_500; dues.length < 2; ms = dues.at(-1) ?? 0) {
    assert.deepEqual([order.state, dueOf(order)], ["processing", "requery"]);
    const change = asked(order, NOT_FOUND, after(ms), true, SUSPENDED);
    order = change.after;
    dues.push((change.dueAt?.getTime() ?? 0) - AT.getTime());
  }
  assert.deepEqual(dues, [6_500, 8_500], "5 s until a question counts, 2 s between two that do");
  const proven = asked(order, NOT_FOUND, after(8_500), true, SUSPENDED);
  assert.deepEqual([proven.after.state, proven.money, proven.dueAt], ["failed", "void", null]);
  assert.deepEqual(proven.after.facts?.failure, { code: SUSPENDED.code, detail: SUSPENDED.detail });
  assert.equal(dueOf(asked(order, NOT_FOUND, after(8_500)).after), "send", "unless the account may buy again by then");
});

test("what the vendor says that it has, with a name for it or without one, is never sent again", () => {
  for (const before of [BEGUN, answer(LOST).after])
    for (const said of [{}, { providerReference: "their-1" }, { incomplete: true }] as const) {
      const { after: order } = asked(before, { kind: "accepted", ...said }, after(1_000));
      assert.ok(attemptNeeds(order) === "vendor's word", JSON.stringify(said));
      assert.equal(dueOf(order), "requery");
    }
});

test("a vendor's name for a purchase is kept when a later answer does not repeat it", () => {
  const named = answer({ kind: "accepted", providerReference: "their-1" }).after;
  assert.deepEqual(asked(named, { kind: "accepted" }, after(1_000)).after.pieces, [
    { status: "taken", reference: "their-1" },
  ]);
});

test("a vendor is asked when it wants to be, else when the service's own schedule says so", () => {
  assert.deepEqual(answer({ kind: "accepted", askAgainMs: 20_000 }).dueAt, after(20_100));
  assert.deepEqual(answer({ kind: "accepted" }).dueAt, after(1_100));
  const taken = answer({ kind: "accepted" }).after;
  assert.deepEqual(asked(taken, { kind: "accepted" }, after(2_000)).dueAt, after(4_000), "the second wait is longer");
  assert.deepEqual(asked(taken, { kind: "accepted", askAgainMs: 0 }, after(2_000)).dueAt, after(2_000));
});

test("the timeline dates a call, and not the question that was asked about it", () => {
  const called = asked(BEGUN, { kind: "accepted" }, after(1_000)).detail;
  assert.deepEqual(called, { begun_at: AT.toISOString(), route: "north" });
  const question = asked(answer(LOST).after, { kind: "accepted" }, after(1_000)).detail;
  assert.deepEqual(question, { route: "north" });
  assert.ok(isAnswerEntry(called ?? null) && isAnswerEntry(question ?? null));
  const late = decideLateOutcome(PURCHASE, { ...BEGUN, leaseEpoch: 2 }, answered(LOST), after(1_000));
  assert.ok(!isAnswerEntry(late.detail ?? null), "an answer that decided nothing");
});

test("delivered without its token it is charged to nobody yet, and goes nowhere else whatever the vendor says later", () => {
  const incomplete = answer({ kind: "accepted", incomplete: true, facts: { receipt: "7" } });
  assert.deepEqual(
    [incomplete.after.state, incomplete.money, incomplete.event, incomplete.after.facts],
    ["token_pending", undefined, "topup.token_pending", { receipt: "7" }],
  );
  for (const said of [
    LOST,
    NOT_FOUND,
    NOT_FOUND,
    { kind: "accepted" },
    { kind: "accepted", incomplete: true },
  ] as const) {
    const change = asked(incomplete.after, said, after(60_000));
    assert.deepEqual([change.after.state, change.event], ["token_pending", undefined]);
    assert.ok(change.dueAt, "and it is asked about again");
  }
  const done = asked(incomplete.after, DONE, after(60_000));
  assert.deepEqual([done.after.state, done.money], ["successful", "post"]);
  assert.deepEqual(done.after.facts, { receipt: "7", tokens: ["1"] });
  const failed = asked(incomplete.after, FAILED, after(60_000));
  assert.deepEqual([failed.after.state, failed.money, failed.after.tried], ["failed", "void", ["north"]]);
});

test("not found, however often, is no proof against a vendor's own word that it has delivered", () => {
  let order = answer({ kind: "accepted", incomplete: true }).after;
  for (const ms of [10_000, 20_000, 30_000]) order = asked(order, NOT_FOUND, after(ms)).after;
  assert.deepEqual([order.state, order.notFoundAt], ["token_pending", null]);
});

test("an ended purchase is changed by a reversal or a late success alone; other words are only told", () => {
  const successful = answer(DONE).after;
  const failed = asked(answer(LOST).after, FAILED, after(9_000), false).after;
  for (const [ended, words] of [
    [successful, [FAILED, NOT_FOUND, DONE, { kind: "accepted" }]],
    [failed, [FAILED, NOT_FOUND, { kind: "accepted", incomplete: true }]],
  ] as const)
    for (const said of words) {
      const change = asked(ended, said, after(10_000));
      const { version, updatedAt, ...same } = change.after;
      const { version: before, updatedAt: _, ...was } = ended;
      assert.deepEqual(same, was, `${ended.state} × ${said.kind}`);
      assert.deepEqual([version, updatedAt, change.dueAt, change.money], [before + 1, after(10_000), null, undefined]);
      assert.deepEqual(change.detail, { requery: said.kind });
    }
  assert.equal(asked(successful, REVERSED, after(10_000)).money, "refund");
  const late = asked(failed, DONE, after(10_000));
  assert.deepEqual([late.after.state, late.money], ["failed", "loss"]);
  assert.equal(asked(late.after, REVERSED, after(11_000)).money, "loss_undone");
});

test("an ended purchase whose vendor can't be asked about a hint is due again, and asked", () => {
  const successful = answer(DONE).after;
  for (const said of [LOST, { kind: "throttled", retryAfterMs: 1, detail: "busy" }] as const) {
    const change = asked(successful, said, after(10_000));
    assert.deepEqual([change.after.state, change.after.endedAt], ["successful", successful.endedAt]);
    assert.ok(change.dueAt && change.dueAt > after(10_000));
    assert.equal(dueOf(change.after), "requery");
  }
});

test("an earlier attempt that was done after all is asked about by its own reference from then on", () => {
  const refused = answer(FAILED).after;
  const second = decideBegin({
    service: PURCHASE,
    order: refused,
    route: "south",
    pieceCount: 1,
    at: after(1_000),
    attemptReference: "our-2",
  }).after;
  assert.deepEqual([second.attempt, second.attemptReference], [2, "our-2"]);
  const { after: order } = decideLateOutcome(PURCHASE, second, answered(DONE), after(2_000));
  assert.deepEqual(
    [order.state, order.route, order.attempt, order.attemptReference],
    ["successful", "north", 1, "our-1"],
  );
});

test("a refusal of a repeat is believed once its vendor's books agree: the call before it may have been taken by then", () => {
  const unheard = asked(BEGUN, NOT_FOUND, after(12_000)).after;
  const again = decideBegin({
    service: PURCHASE,
    order: unheard,
    route: "north",
    pieceCount: 1,
    at: after(12_100),
    attemptReference: "our-1",
  }).after;
  assert.deepEqual([again.attempt, again.attemptReference], [1, "our-1"]);
  const refused = decideOutcome(PURCHASE, again, answered(FAILED, { moreRoutes: false }), after(12_200)).after;
  assert.deepEqual([refused.state, dueOf(refused)], ["processing", "requery"]);
  assert.equal(asked(refused, FAILED, after(15_000), false).after.state, "failed");
  assert.equal(asked(refused, DONE, after(15_000)).after.state, "successful");
});

test("a refusal that comes too late says nothing of what the other holder has done", () => {
  const claimed: Order = { ...BEGUN, leaseEpoch: 2 };
  for (const said of [FAILED, LOST]) {
    const change = decideLateOutcome(PURCHASE, claimed, answered(said), after(1_000));
    assert.deepEqual([change.after.state, change.money, change.keepLease], ["processing", undefined, true]);
    assert.equal(dueOf(change.after), "requery");
  }
});

test("a refusal that comes too late leaves what has been proven until then", () => {
  const proven = { failedAt: after(500), notFoundAt: after(600) };
  const { after: order } = decideLateOutcome(
    PURCHASE,
    { ...BEGUN, ...proven, leaseEpoch: 2 },
    answered(FAILED),
    after(1_000),
  );
  assert.deepEqual([order.failedAt, order.notFoundAt], [proven.failedAt, proven.notFoundAt]);
});

test("a success that comes after the end is a loss, and the vendor is asked for its last word: it may have been taken back", () => {
  const failed = asked(answer(LOST).after, REVERSED, after(9_000)).after;
  const late = decideLateOutcome(PURCHASE, failed, answered(DONE), after(10_000));
  assert.deepEqual([late.after.state, late.money, late.dueAt], ["failed", "loss", after(10_000)]);
  assert.equal(dueOf(late.after), "requery");
  const last = asked(late.after, REVERSED, after(11_000));
  assert.deepEqual([last.after.state, last.money, last.dueAt], ["failed", "loss_undone", null]);
});
