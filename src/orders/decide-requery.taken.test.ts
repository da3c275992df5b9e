import assert from "node:assert/strict";
import { test } from "node:test";
import { MINUTE_MS, SECOND_MS } from "../kernel/duration.ts";
import type { Outcome } from "../ports/provider.ts";
import { PURCHASE_STEPS } from "../purchases/purchase.steps.ts";
import { purchaseWaits } from "../purchases/purchase.waits.ts";
import { TOPUP } from "../testing/parcel.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import { type Answered, decideBegin, decideOutcome } from "./decide.ts";
import { decideDue } from "./decide-due.ts";
import { decideLateOutcome } from "./decide-late.ts";
import { decideRequery } from "./decide-requery.ts";
import type { Change, Order } from "./order.ts";
import { unstorable } from "./provider-task.ts";
import { decideResolved } from "./resolve.ts";
import type { ServiceDefinition } from "./service-definition.ts";

/** A vendor that has a purchase by its own word, and does not find it afterwards. With the waits of live mode, without a database. */

const AT = new Date("2026-11-27T09:00:00.000Z");
const after = (ms: number) => new Date(AT.getTime() + ms);

const PURCHASE: ServiceDefinition = { ...TOPUP, table: PURCHASE_STEPS, purchaseWaits };
const FRESH: Order = {
  ...SMS_ORDER,
  mode: "live",
  service: "topup",
  queue: "topup:live",
  state: "processing",
  ambiguity: "requery",
  version: 1,
  attempt: 0,
  route: null,
  pieces: null,
  expiresAt: after(15 * MINUTE_MS),
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
const USED: Outcome = { kind: "unknown", detail: "reference used before", isKnown: true };
const NOT_FOUND: Outcome = { kind: "not_found", detail: "no such reference" };
const PENDING: Outcome = { kind: "accepted" };
const NUMBERED: Outcome = { kind: "accepted", providerReference: "their-1" };
const INCOMPLETE: Outcome = { kind: "accepted", incomplete: true };
const DONE: Outcome = { kind: "done" };
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
const answer = (order: Order, outcome: Outcome, at: Date, moreRoutes = true) =>
  decideOutcome(PURCHASE, order, answered(outcome, { moreRoutes }), at);
const asked = (order: Order, outcome: Outcome, at: Date, moreRoutes = true) =>
  decideRequery({ service: PURCHASE, order, outcome, moreRoutes, at });

/** The vendor is asked whenever the order is due, and does not find it, until a time. */
function deniedUntil(order: Order, from: Date, until: Date, moreRoutes: boolean): { order: Order; asked: Date[] } {
  const times: Date[] = [];
  let [now, current] = [from, order];
  while (now < until) {
    times.push(now);
    const change: Change = asked(current, NOT_FOUND, now, moreRoutes);
    assert.deepEqual([change.after.state, change.money, change.after.tried], [order.state, undefined, []], `${now}`);
    assert.ok(change.dueAt && change.dueAt > now, "it is asked about on");
    assert.equal(decideDue(PURCHASE, change.after, change.dueAt).kind, "requery", "and never sent");
    [now, current] = [change.dueAt, change.after];
  }
  return { order: current, asked: times };
}

/** How the vendor may have said that it has it, and when. */
const SAID: readonly (readonly [how: string, order: Order, at: Date])[] = [
  ["takes it", answer(BEGUN, PENDING, after(SECOND_MS)).after, after(SECOND_MS)],
  ["gives it a number", answer(BEGUN, NUMBERED, after(SECOND_MS)).after, after(SECOND_MS)],
  ["refuses it as used", answer(BEGUN, USED, after(SECOND_MS)).after, after(SECOND_MS)],
  ["calls it delivered, its token to come", answer(BEGUN, INCOMPLETE, after(SECOND_MS)).after, after(SECOND_MS)],
  ...([PENDING, NUMBERED, USED] as const).flatMap((said, index) => {
    const lost = answer(BEGUN, LOST, after(MINUTE_MS)).after;
    const denied = asked(lost, NOT_FOUND, after(7 * MINUTE_MS)).after;
    const open = asked(BEGUN, LOST, after(MINUTE_MS)).after;
    return [
      [`says so when it is asked (${index})`, asked(lost, said, after(2 * MINUTE_MS)).after, after(2 * MINUTE_MS)],
      [
        `says so although it did not find it (${index})`,
        asked(denied, said, after(8 * MINUTE_MS)).after,
        after(8 * MINUTE_MS),
      ],
      [
        `says so of a call that was never heard (${index})`,
        asked(open, said, after(2 * MINUTE_MS)).after,
        after(2 * MINUTE_MS),
      ],
      [
        `says so too late (${index})`,
        decideLateOutcome(PURCHASE, { ...denied, leaseEpoch: 2 }, answered(said), after(8 * MINUTE_MS)).after,
        after(8 * MINUTE_MS),
      ],
    ] as const;
  }),
];

for (const [how, order, at] of SAID)
  for (const moreRoutes of [true, false])
    test(`a vendor that ${how} has it: not found after that proves nothing, ${moreRoutes ? "be there another" : "and no other is there"}`, () => {
      assert.equal(order.notFoundAt, null);
      const firstAt = order.dueAt ?? at;
      const denied = deniedUntil(order, firstAt, new Date(firstAt.getTime() + 3 * 24 * 60 * MINUTE_MS), moreRoutes);
      assert.equal(denied.order.pieces?.[0]?.denied_at, firstAt.toISOString(), "and it is known since when");
      assert.ok(denied.asked.length > 70, "every hour at least");
      const [done, failed] = [DONE, FAILED].map((said) => asked(denied.order, said, after(80 * 60 * MINUTE_MS), false));
      assert.deepEqual([done?.after.state, done?.money], ["successful", "post"]);
      assert.deepEqual([failed?.after.state, failed?.money], ["failed", "void"]);
    });

test("it is asked about on its schedule, which does not wait until not found would prove something", () => {
  const order = answer(BEGUN, PENDING, AT).after;
  const { asked: times } = deniedUntil(order, after(5 * SECOND_MS), after(10 * MINUTE_MS), true);
  assert.deepEqual(
    times.map((at) => (at.getTime() - AT.getTime()) / SECOND_MS),
    [5, 20, 50, 110, 230, 530],
  );
});

test("a vendor that finds it again denies it no more", () => {
  const denied = asked(answer(BEGUN, NUMBERED, AT).after, NOT_FOUND, after(MINUTE_MS)).after;
  assert.ok(denied.pieces?.[0]?.denied_at);
  for (const said of [PENDING, USED]) {
    const { pieces } = asked(denied, said, after(2 * MINUTE_MS)).after;
    assert.deepEqual(pieces, [{ status: "taken", reference: "their-1" }]);
  }
  const unheard = asked(denied, LOST, after(2 * MINUTE_MS)).after;
  assert.deepEqual(unheard.pieces, denied.pieces, "that it could not be asked says nothing");
});

test("a repeat that is refused as used is the vendor's word that it has the first call", () => {
  const unheard = asked(BEGUN, NOT_FOUND, after(2 * MINUTE_MS)).after;
  assert.deepEqual(unheard.pieces, [{ status: "unheard" }]);
  const again = decideBegin({
    service: PURCHASE,
    order: unheard,
    route: "north",
    pieceCount: 1,
    at: after(2 * MINUTE_MS),
    attemptReference: "our-1",
  }).after;
  const used = answer(again, USED, after(2 * MINUTE_MS + 200)).after;
  deniedUntil(used, after(3 * MINUTE_MS), after(24 * 60 * MINUTE_MS), true);
});

test("a repeat that is turned away for a purchase like it speaks of the first call, and is not repeated without end", () => {
  const like: Outcome = { kind: "throttled", retryAfterMs: 30_000, detail: "likely duplicate", isLikeAnother: true };
  const unheard = asked(BEGUN, NOT_FOUND, after(2 * MINUTE_MS)).after;
  const again = decideBegin({
    service: PURCHASE,
    order: unheard,
    route: "north",
    pieceCount: 1,
    at: after(2 * MINUTE_MS),
    attemptReference: "our-1",
  }).after;
  const turned = answer(again, like, after(2 * MINUTE_MS + 200)).after;
  assert.deepEqual([turned.state, turned.pieces], ["processing", [{ status: "taken" }]]);
  deniedUntil(turned, after(3 * MINUTE_MS), after(24 * 60 * MINUTE_MS), true);
  const first = answer(BEGUN, like, after(200)).after;
  assert.equal(first.pieces, null, "of a first call it is another purchase");
});

test("the vendor's own failure decides as before, also when it has forgotten the purchase since", () => {
  const taken = answer(BEGUN, PENDING, AT).after;
  const failed = asked(taken, FAILED, after(MINUTE_MS));
  assert.deepEqual([failed.after.tried, failed.dueAt], [[], after(2 * MINUTE_MS)], "it is asked once more");
  const twice = asked(failed.after, FAILED, after(2 * MINUTE_MS)).after;
  assert.deepEqual([twice.tried, twice.pieces], [["north"], null]);
  let forgotten = asked(failed.after, NOT_FOUND, after(8 * MINUTE_MS)).after;
  assert.deepEqual(
    [forgotten.tried, forgotten.state],
    [[], "processing"],
    "its failure is no proof that it is not found",
  );
  forgotten = asked(forgotten, NOT_FOUND, after(13 * MINUTE_MS)).after;
  assert.deepEqual([forgotten.tried, forgotten.pieces], [["north"], null]);
  const back = asked(failed.after, PENDING, after(2 * MINUTE_MS)).after;
  deniedUntil(back, after(3 * MINUTE_MS), after(60 * MINUTE_MS), true);
});

test("a refusal by a vendor that took the purchase is a failure, whatever its code: it is confirmed before another vendor is called", () => {
  const refused: Outcome = { kind: "rejected", scope: "route", code: "no_route", detail: "wallet too low" };
  const taken = answer(BEGUN, PENDING, AT).after;
  const once = asked(taken, refused, after(MINUTE_MS));
  assert.deepEqual([once.after.tried, once.dueAt, once.money], [[], after(2 * MINUTE_MS), undefined]);
  assert.deepEqual(asked(once.after, refused, after(2 * MINUTE_MS)).after.tried, ["north"]);
  assert.equal(asked(once.after, DONE, after(2 * MINUTE_MS)).after.state, "successful");
  assert.equal(asked(taken, refused, after(MINUTE_MS), false).money, "void", "no vendor is left");
  const lost = answer(BEGUN, LOST, after(MINUTE_MS)).after;
  assert.deepEqual(
    asked(lost, refused, after(2 * MINUTE_MS)).after.tried,
    ["north"],
    "what was never taken goes on at once",
  );
});

test("what one vendor had says nothing of the next attempt, which begins without it", () => {
  const failed = asked(answer(BEGUN, NUMBERED, AT).after, FAILED, after(MINUTE_MS)).after;
  const left = asked(failed, FAILED, after(2 * MINUTE_MS)).after;
  const second = decideBegin({
    service: PURCHASE,
    order: left,
    route: "south",
    pieceCount: 1,
    at: after(3 * MINUTE_MS),
    attemptReference: "our-2",
  }).after;
  let order = decideOutcome(
    PURCHASE,
    second,
    answered(LOST, { route: "south", attempt: 2, attemptReference: "our-2", moreRoutes: false }),
    after(4 * MINUTE_MS),
  ).after;
  for (const minutes of [9, 10, 15]) order = asked(order, NOT_FOUND, after(minutes * MINUTE_MS), false).after;
  assert.equal(order.state, "failed", "two times not found prove it there");
});

test("a word that was given up on comes back: the vendor that has it is asked, and no other is called", () => {
  const lost = answer(BEGUN, LOST, after(MINUTE_MS)).after;
  const first = asked(lost, NOT_FOUND, after(7 * MINUTE_MS)).after;
  const left = asked(first, NOT_FOUND, after(12 * MINUTE_MS)).after;
  assert.deepEqual([left.tried, left.pieces], [["north"], null]);
  const { after: order } = decideLateOutcome(PURCHASE, left, answered(USED), after(12 * MINUTE_MS + 1));
  assert.deepEqual([order.route, order.attemptReference], ["north", "our-1"]);
  deniedUntil({ ...order, tried: [] }, after(13 * MINUTE_MS), after(60 * MINUTE_MS), true);
});

test("a refusal of a call that a signed callback has overtaken is asked about: its vendor has it", () => {
  const overtaken: Order = { ...BEGUN, pieces: [{ status: "taken" }], ambiguousAt: after(100) };
  const refused = answer(overtaken, FAILED, after(SECOND_MS), false);
  assert.deepEqual([refused.after.state, refused.money], ["processing", undefined]);
  assert.ok(refused.dueAt);
  deniedUntil(refused.after, after(MINUTE_MS), after(60 * MINUTE_MS), false);
});

test("an answer that can't be stored leaves the vendor's word that it has it", () => {
  for (const said of [PENDING, NUMBERED, DONE, USED])
    assert.equal(answer(BEGUN, unstorable(said), AT).after.pieces?.[0]?.status, "taken");
  for (const said of [LOST, FAILED])
    assert.equal(answer(BEGUN, unstorable(said), AT).after.pieces?.[0]?.status, "unanswered");
});

test("an operator ends it with the vendor's proof, either way", () => {
  const held = asked(answer(BEGUN, PENDING, AT).after, NOT_FOUND, after(MINUTE_MS)).after;
  for (const [as, money] of [
    ["successful", "post"],
    ["failed", "void"],
  ] as const) {
    const resolved = decideResolved(PURCHASE, held, { as, proof: "ticket 4711" }, after(60 * MINUTE_MS));
    assert.ok(resolved.ok);
    assert.deepEqual([resolved.value.after.state, resolved.value.money], [as, money]);
  }
});

test("what has ended keeps what was known of it, whatever the vendor shows of it later", () => {
  const failed = asked(answer(BEGUN, LOST, after(MINUTE_MS)).after, FAILED, after(2 * MINUTE_MS), false).after;
  assert.equal(failed.state, "failed");
  assert.deepEqual(asked(failed, USED, after(3 * MINUTE_MS)).after.pieces, failed.pieces);
});

test("questions that made-up callbacks bring about do not put the next one off for an hour", () => {
  const flooded: Order = { ...answer(BEGUN, PENDING, AT).after, tries: 40 };
  for (const [ageMinutes, waitMinutes] of [
    [0.5, 1],
    [10, 20],
    [25, 50],
    [120, 60],
  ] as const) {
    const at = after(ageMinutes * MINUTE_MS);
    const { dueAt } = asked({ ...flooded, createdAt: AT }, NOT_FOUND, at);
    assert.equal(dueAt?.getTime(), at.getTime() + waitMinutes * MINUTE_MS, `${ageMinutes} minutes old`);
  }
});

test("the schedule of a purchase that nobody meddles with stands as it is", () => {
  let elapsedMs = 0;
  for (let tries = 0; tries < 30; tries += 1) {
    const at = after(elapsedMs);
    const { dueAt } = asked({ ...answer(BEGUN, PENDING, AT).after, tries, createdAt: AT }, LOST, at);
    assert.equal(dueAt?.getTime(), at.getTime() + purchaseWaits("live").requeryMs(tries), `question ${tries}`);
    elapsedMs += purchaseWaits("live").requeryMs(tries);
  }
});

test("a word that the vendor took it back ends it", () => {
  const held = asked(answer(BEGUN, PENDING, AT).after, NOT_FOUND, after(MINUTE_MS)).after;
  assert.equal(asked(held, REVERSED, after(60 * MINUTE_MS)).after.state, "failed");
});

test("without the vendor's word two times not found are proof as ever", () => {
  const lost = answer(BEGUN, LOST, after(MINUTE_MS)).after;
  const first = asked(lost, NOT_FOUND, after(6 * MINUTE_MS), false).after;
  const proven = asked(first, NOT_FOUND, after(11 * MINUTE_MS), false);
  assert.deepEqual([proven.after.state, proven.money], ["failed", "void"]);
});

test("a call that was never heard waits for as long as its vendor may take, and half as long again", () => {
  for (const [answerWithinMs, seconds] of [
    [100, 90],
    [60_000, 90],
    [120_000, 180],
    [300_000, 450],
  ] as const) {
    const service = { ...PURCHASE, purchaseWaits: (mode: Order["mode"]) => purchaseWaits(mode, answerWithinMs) };
    const early = decideRequery({
      service,
      order: BEGUN,
      outcome: NOT_FOUND,
      moreRoutes: true,
      at: after(5 * SECOND_MS),
    });
    assert.deepEqual([early.dueAt, early.after.pieces], [after(seconds * SECOND_MS), [{ status: "open" }]]);
    const settled = Math.max(300, seconds);
    assert.equal(service.purchaseWaits("live").settleMs, settled * SECOND_MS, "nor does not found count before");
  }
  assert.equal(purchaseWaits("test", 300_000).repeatAfterMs, 3 * SECOND_MS, "test mode's simulators take no longer");
});
