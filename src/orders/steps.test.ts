import assert from "node:assert/strict";
import { test } from "node:test";
import { SMS_STEPS } from "../sms/sms.steps.ts";
import { type Answer, faultsOf, holdsByState, isFinal, type StepTable, stepFor } from "./steps.ts";

/** Sold only here: paid when it is done, undone afterwards. */
const GOOD: StepTable = {
  states: {
    queued: { final: false, hold: "pending" },
    sent: { final: false, hold: "settled" },
    done: { final: true, hold: "settled" },
    failed: { final: true, hold: "settled" },
  },
  steps: {
    queued: {
      begun: { to: "queued" },
      accepted: { to: "sent", money: "post" },
      rejected: { to: "failed", money: "void" },
    },
    sent: { done: { to: "done" } },
    done: { reversed: { to: "failed", money: "refund" } },
    failed: { "report:done": { to: "failed", money: "loss" } },
  },
  published: new Set(["done"]),
};

/** The good table with one step more, or changed. */
const withStep = (state: string, answer: Answer, to: string, money?: "post" | "void" | "refund"): StepTable => ({
  ...GOOD,
  steps: { ...GOOD.steps, [state]: { ...GOOD.steps[state], [answer]: { to, ...(money ? { money } : {}) } } },
});

test("the life of an SMS has no fault", () => {
  assert.deepEqual(faultsOf(SMS_STEPS), []);
  assert.deepEqual(faultsOf(GOOD), []);
});

const BROKEN: readonly [why: string, table: StepTable, told: RegExp][] = [
  ["a step to a state that is none", withStep("queued", "done", "finished"), /queued × done leads to finished/],
  ["steps of a state that is none", withStep("lost", "done", "done"), /lost has steps but no facts/],
  ["an end without its money", withStep("queued", "expired", "failed"), /queued × expired: money is decided/],
  [
    "money before the end of its hold",
    withStep("queued", "again", "queued", "post"),
    /queued × again: money is decided/,
  ],
  [
    "money decided twice",
    withStep("sent", "rejected", "failed", "void"),
    /sent × rejected: the hold was decided before/,
  ],
  ["a hold that opens again", withStep("sent", "again", "queued"), /sent × again: the hold was decided before/],
  ["an end that is left", withStep("done", "again", "sent"), /done is final/],
  ["an end that changes without money", withStep("done", "rejected", "failed"), /done is final/],
];

for (const [why, table, told] of BROKEN)
  test(`${why} is found in a table`, () => {
    const faults = faultsOf(table);
    assert.equal(faults.length, 1, faults.join("; "));
    assert.match(faults[0]!, told);
  });

test("every state of an SMS but its ends can be left, and every end can be reached", () => {
  const reached = new Set(
    Object.values(SMS_STEPS.steps).flatMap((steps) => Object.values(steps).map((step) => step?.to)),
  );
  for (const state of Object.keys(SMS_STEPS.states))
    if (isFinal(SMS_STEPS, state)) assert.ok(reached.has(state), `nothing leads to ${state}`);
    else assert.ok(Object.keys(SMS_STEPS.steps[state] ?? {}).length > 0, `nothing leads out of ${state}`);
});

test("what became of an order's hold is told by its state where every way there agrees, else by both words", () => {
  const holds = Object.fromEntries([...holdsByState(SMS_STEPS)].map(([state, words]) => [state, [...words].sort()]));
  assert.deepEqual(holds, {
    scheduled: ["pending"],
    queued: ["pending"],
    sending: ["pending"],
    unknown: ["pending"],
    sent: ["posted"],
    delivered: ["posted"],
    undelivered: ["posted"],
    expired: ["posted", "voided"],
    rejected: ["posted", "voided"],
    failed: ["voided"],
    cancelled: ["voided"],
  });
  // Later money (a refund) leaves the hold as it was decided, however many steps ago.
  assert.deepEqual([...holdsByState(GOOD).get("failed")!].sort(), ["posted", "voided"]);
});

test("an answer that is not in the table has no step", () => {
  assert.equal(stepFor(SMS_STEPS, "delivered", "report:undelivered"), undefined);
  assert.equal(stepFor(SMS_STEPS, "no state", "done"), undefined);
});
