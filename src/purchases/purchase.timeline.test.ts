import assert from "node:assert/strict";
import { test } from "node:test";
import { decideRequery } from "../orders/decide-requery.ts";
import type { Order } from "../orders/order.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import type { Outcome } from "../ports/provider.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import { purchaseDefinition } from "./purchase.definition.ts";
import { timelineView } from "./purchase.timeline.ts";

const SERVICE = purchaseDefinition("electricity", {});
const PURCHASE: Order = {
  ...SMS_ORDER,
  service: "electricity",
  state: "processing",
  ambiguity: "requery",
  route: "vtpass",
  attempt: 1,
  payload: { product: "airtime", network: "mtn", amount_kobo: "50000", paid_for_kobo: "50000" },
};

const DONE: Outcome = { kind: "done" };
const REVERSED: Outcome = { kind: "reversed", detail: "040 TRANSACTION REVERSAL" };
const FAILED: Outcome = { kind: "rejected", scope: "order", code: "vendor_failed", detail: "016 TRANSACTION FAILED" };

/** What the subscriber reads, as `status: detail`, when the vendor answers one question after another like this. */
function told(...outcomes: readonly Outcome[]): readonly string[] {
  let order = PURCHASE;
  const rows = outcomes.map((outcome, index): TimelineRow => {
    const at = new Date(PURCHASE.createdAt.getTime() + 1_000 * (index + 1));
    const { before, after, detail } = decideRequery({ service: SERVICE, order, outcome, moreRoutes: false, at });
    order = after;
    return {
      version: after.version,
      status: after.state,
      previous_status: before.state,
      type: null,
      sequence: null,
      at,
      detail: detail ?? null,
    };
  });
  return timelineView(order, rows)
    .slice(1)
    .map(({ status, detail }) => (detail === undefined ? status : `${status}: ${detail}`));
}

const FAILURE = "failed: 016 TRANSACTION FAILED";
const LATE = "failed: the vendor delivered it after its money had gone back";
const UNDONE = "failed: the vendor took back what it had delivered late";

test("what the vendor delivers after the money has gone back is told once, however often it says so", () => {
  assert.deepEqual(told(FAILED, DONE), [FAILURE, LATE]);
  assert.deepEqual(told(FAILED, DONE, DONE, DONE), [FAILURE, LATE]);
});

test("that the vendor took its late delivery back is told, and that it delivered again", () => {
  assert.deepEqual(told(FAILED, DONE, REVERSED), [FAILURE, LATE, UNDONE]);
  assert.deepEqual(told(FAILED, DONE, DONE, REVERSED, DONE), [FAILURE, LATE, UNDONE, LATE]);
});

test("a success with less than was bought says what came", () => {
  const short: Outcome = { kind: "done", facts: { delivered_amount: "455.00" } };
  assert.deepEqual(told(short, REVERSED), [
    "successful: the vendor delivered ₦455.00 of ₦500.00",
    "reversed: 040 TRANSACTION REVERSAL",
  ]);
});

test("a reversal of what never came, and a purchase that was delivered in time, have neither line", () => {
  assert.deepEqual(told(FAILED, REVERSED), [FAILURE, "failed: 040 TRANSACTION REVERSAL"]);
  assert.deepEqual(told(DONE, REVERSED), ["successful", "reversed: 040 TRANSACTION REVERSAL"]);
});
