import assert from "node:assert/strict";
import { test } from "node:test";
import { decideBegin, decideOutcome } from "../../src/orders/decide.ts";
import { decideDue } from "../../src/orders/decide-due.ts";
import { decideLateOutcome } from "../../src/orders/decide-late.ts";
import { decideReport } from "../../src/orders/decide-report.ts";
import { decideRequery } from "../../src/orders/decide-requery.ts";
import type { Change, Order } from "../../src/orders/order.ts";
import type { Outcome, ProviderReport } from "../../src/ports/provider.ts";
import { SMS } from "../../src/sms/sms.definition.ts";
import { SMS_ORDER, STORED_SMS } from "../../src/testing/sms-order.ts";
import { TOP_UP } from "./top-up.definition.ts";

/** Histories in which the simulation, or the reading that led to it, found the engine wrong. */

const AT = new Date("2026-11-27T09:00:00.000Z");
const after = (ms: number) => new Date(AT.getTime() + ms);

const LOST: Outcome = { kind: "unknown", detail: "no answer" };
const BUSY: Outcome = { kind: "throttled", retryAfterMs: 1_000, detail: "busy" };
const NOT_FOUND: Outcome = { kind: "not_found", detail: "no such request" };
const refusedBy = (detail: string): Outcome => ({ kind: "rejected", scope: "route", code: "no_route", detail });
const acceptedAs = (providerReference: string): Outcome => ({ kind: "accepted", providerReference });

const report = (status: string, providerReference: string): ProviderReport => ({ status, providerReference, at: AT });

const FRESH = { version: 1, attempt: 0, route: null, pieces: null, tries: 0, createdAt: AT, updatedAt: AT } as const;
const message = (more: Partial<Order> = {}): Order => ({ ...SMS_ORDER, ...FRESH, state: "queued", ...more });
const purchase = (more: Partial<Order> = {}): Order => ({
  ...message({ service: "topup", queue: "topup:test", state: "processing", ambiguity: "requery", expiresAt: null }),
  ...more,
});

const answered = (route: string, attempt: number, ...outcomes: (Outcome | undefined)[]) => ({
  route,
  attempt,
  attemptReference: null,
  begunAt: AT,
  outcomes,
  moreRoutes: true,
});

const due = (service: typeof SMS, order: Order, now: Date): Change => {
  const decided = decideDue(service, order, now);
  assert.equal(decided.kind, "change");
  return (decided as { change: Change }).change;
};

/** A purchase that one vendor accepted and then refused twice, so that it is at the second one now. */
function purchaseAtSecondVendor(): Order {
  const begun = decideBegin({ service: TOP_UP, order: purchase(), route: "north", pieceCount: 1, at: AT }).after;
  const accepted = decideOutcome(TOP_UP, begun, answered("north", 1, acceptedAs("n-1")), AT).after;
  const { confirmFailedMs = 0 } = TOP_UP.purchaseWaits!("test");
  const refused = [AT, after(confirmFailedMs)].reduce(
    (order, at) =>
      decideRequery({ service: TOP_UP, order, outcome: refusedBy("float empty"), moreRoutes: true, at }).after,
    accepted,
  );
  return decideBegin({ service: TOP_UP, order: refused, route: "south", pieceCount: 1, at: AT }).after;
}

test("a failure report of the first vendor does not refund a purchase that is at the second", () => {
  const order = purchaseAtSecondVendor();
  const change = decideReport(TOP_UP, order, report("failed", "n-1"), { attempt: 1, piece: 0 }, AT);
  assert.deepEqual([change?.after.state, change?.money, change?.keepLease], ["processing", undefined, true]);
});

test("a success of the first vendor counts although the purchase is at the second", () => {
  const order = purchaseAtSecondVendor();
  const change = decideReport(TOP_UP, order, report("successful", "n-1"), { attempt: 1, piece: 0 }, AT);
  assert.deepEqual([change?.after.state, change?.money], ["successful", "post"]);
});

test("the first vendor's late answer does not send the second's questions to the first", () => {
  const order = purchaseAtSecondVendor();
  const change = decideLateOutcome(TOP_UP, order, answered("north", 1, acceptedAs("n-1")), AT);
  assert.deepEqual([change.after.route, change.after.attempt, change.after.pieces], ["south", 2, order.pieces]);
  assert.equal(change.keepLease, true);
});

test("the first vendor's late proof of success is told of the first vendor", () => {
  const done: Outcome = { kind: "done", providerReference: "n-1" };
  const change = decideLateOutcome(TOP_UP, purchaseAtSecondVendor(), answered("north", 1, done), AT);
  assert.deepEqual([change.after.state, change.after.route, change.after.attempt], ["successful", "north", 1]);
});

test("a vendor that found a purchase in between has not failed to find it twice", () => {
  const { notFoundApartMs } = TOP_UP.purchaseWaits!("test");
  let order = decideBegin({ service: TOP_UP, order: purchase(), route: "north", pieceCount: 1, at: AT }).after;
  order = decideRequery({ service: TOP_UP, order, outcome: NOT_FOUND, moreRoutes: true, at: AT }).after;
  order = decideRequery({
    service: TOP_UP,
    order,
    outcome: acceptedAs("n-1"),
    moreRoutes: true,
    at: after(1_000),
  }).after;
  order = decideRequery({
    service: TOP_UP,
    order,
    outcome: NOT_FOUND,
    moreRoutes: true,
    at: after(notFoundApartMs),
  }).after;
  assert.deepEqual(
    [order.state, order.route, order.pieces],
    ["processing", "north", [{ status: "taken", reference: "n-1", denied_at: after(notFoundApartMs).toISOString() }]],
  );
  const still = decideRequery({
    service: TOP_UP,
    order,
    outcome: NOT_FOUND,
    moreRoutes: true,
    at: after(3 * notFoundApartMs),
  }).after;
  assert.deepEqual([still.tried, still.state], [[], "processing"], "and what it had it does not lose");
});

const FAILED: Outcome = { kind: "rejected", scope: "route", code: "vendor_failed", detail: "it failed" };

/** What the vendor says of a purchase, each time ten minutes after the time before. */
const askedInTurn = (order: Order, ...said: readonly Outcome[]): Order =>
  said.reduce(
    (now, outcome, turn) =>
      decideRequery({ service: TOP_UP, order: now, outcome, moreRoutes: true, at: after((turn + 1) * 600_000) }).after,
    order,
  );

test("a failure and a purchase that is not found are two words, and neither confirms the other", () => {
  const begun = decideBegin({ service: TOP_UP, order: purchase(), route: "north", pieceCount: 1, at: AT }).after;
  const lost = decideOutcome(TOP_UP, begun, answered("north", 1, LOST), after(60_000)).after;
  for (const [one, other] of [
    [NOT_FOUND, FAILED],
    [FAILED, NOT_FOUND],
  ] as const) {
    const open = askedInTurn(lost, one, other);
    assert.deepEqual([open.tried, open.state, open.pieces !== null], [[], "processing", true]);
    assert.deepEqual(askedInTurn(lost, one, other, one).tried, ["north"]);
    assert.deepEqual(askedInTurn(lost, one, other, other).tried, ["north"]);
  }
});

test("what its vendor called failed is never called again there, although no outcome of the call was recorded", () => {
  const begun = decideBegin({ service: TOP_UP, order: purchase(), route: "north", pieceCount: 1, at: AT }).after;
  const gone = askedInTurn(begun, FAILED, NOT_FOUND, NOT_FOUND);
  assert.deepEqual([gone.tried, gone.pieces], [["north"], null], "another vendor gets it, as a new attempt");
});

test("one part's receipt does not deliver a message whose attempt is not recorded yet", () => {
  for (const order of [message(), message({ attempt: 1, route: "north" })]) {
    const change = decideReport(SMS, order, report("delivered", "n-1"), { attempt: 1, piece: 0 }, AT);
    assert.deepEqual([change?.after.state, change?.money], ["queued", undefined]);
  }
});

test("one part's receipt does not deliver a message that was throttled after an answer was lost", () => {
  const lost = decideOutcome(SMS, message(), answered("north", 1, LOST, undefined), AT).after;
  const busy = decideOutcome(SMS, lost, answered("north", 2, BUSY, undefined), AT).after;
  const change = decideReport(SMS, busy, report("delivered", "n-1"), { attempt: 1, piece: 0 }, AT);
  assert.deepEqual([change?.after.state, change?.money], ["queued", undefined]);
});

test("an earlier try's failure does not end a message whose later try is under way", () => {
  const lost = decideOutcome(SMS, message(), answered("north", 1, LOST), AT).after;
  const again = decideOutcome(SMS, lost, answered("north", 2, LOST), AT).after;
  const failed = decideReport(SMS, again, report("undelivered", "n-1"), { attempt: 1, piece: 0 }, AT);
  assert.equal(failed?.after.state, "queued");
  const delivered = decideReport(SMS, again, report("delivered", "n-1"), { attempt: 1, piece: 0 }, AT);
  assert.equal(delivered?.after.state, "delivered");
});

/** Promotional, its answer lost at 20:10 in Lagos, so that it waits for the morning. */
function deferredAfterLostAnswer(): Order {
  const evening = new Date("2026-11-27T19:10:00.000Z");
  const payload = { ...STORED_SMS, route: "promotional" };
  const order = message({ payload, expiresAt: new Date("2026-11-28T02:00:00.000Z") });
  const lost = decideOutcome(SMS, order, answered("north", 1, LOST), evening).after;
  const deferred = due(SMS, lost, evening).after;
  assert.equal(deferred.state, "scheduled");
  return deferred;
}

test("a message that waits for the morning after a lost answer is delivered by its report", () => {
  const change = decideReport(SMS, deferredAfterLostAnswer(), report("delivered", "n-1"), { attempt: 1, piece: 0 }, AT);
  assert.deepEqual([change?.after.state, change?.money], ["delivered", "post"]);
});

test("a message whose validity runs out while it waits for the morning ends", () => {
  const morning = new Date("2026-11-28T07:00:00.000Z");
  const unknown = due(SMS, deferredAfterLostAnswer(), morning);
  assert.deepEqual([unknown.after.state, unknown.money], ["unknown", undefined]);
  const ended = due(SMS, unknown.after, unknown.dueAt!);
  assert.deepEqual([ended.after.state, ended.money], ["failed", "void"]);
});

test("a message that may have left is not refused for the hour, but waits for its report", () => {
  const payload = { ...STORED_SMS, route: "promotional", quiet_hours: "fail" };
  const lost = decideOutcome(SMS, message({ payload }), answered("north", 1, LOST), AT).after;
  const change = due(SMS, lost, new Date("2026-11-27T19:10:00.000Z"));
  assert.deepEqual([change.after.state, change.money], ["unknown", undefined]);
});

test("a report that decides counts however long the timeline is, one that says nothing new is dropped", () => {
  const order = message({ ...SMS_ORDER, version: 5_000 });
  const delivered = decideReport(SMS, order, report("delivered", "1"), { attempt: 1, piece: 0 }, AT)!;
  assert.equal(delivered.after.state, "delivered");
  assert.equal(decideReport(SMS, delivered.after, report("delivered", "1"), { attempt: 1, piece: 0 }, AT), undefined);
});
