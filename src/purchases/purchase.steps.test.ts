import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOf, stepFor } from "../orders/steps.ts";
import { PURCHASE_STEPS, purchaseStatus } from "./purchase.steps.ts";

test("the table of purchases decides money once, and knows every state that it leads to", () => {
  assert.deepEqual(faultsOf(PURCHASE_STEPS), []);
});

test("what is not certain never moves the money of a purchase", () => {
  for (const state of ["processing", "token_pending"])
    for (const answer of ["accepted", "unknown", "incomplete", "again", "begun", "deferred"] as const)
      assert.equal(stepFor(PURCHASE_STEPS, state, answer)?.money, undefined, `${state} × ${answer}`);
});

test("what a vendor called delivered never goes back to the queue", () => {
  for (const answer of ["again", "begun", "accepted", "unknown"] as const)
    assert.equal(stepFor(PURCHASE_STEPS, "token_pending", answer), undefined);
  assert.equal(purchaseStatus("token_pending"), "processing");
});

test("a delivery after the money went back is our loss, and its reversal undoes the loss", () => {
  assert.deepEqual(stepFor(PURCHASE_STEPS, "failed", "done"), { to: "failed", money: "loss" });
  assert.deepEqual(stepFor(PURCHASE_STEPS, "failed", "reversed"), { to: "failed", money: "loss_undone" });
});
