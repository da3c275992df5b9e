import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Answer, faultsOf, isFinal, type Step, stepFor } from "../orders/steps.ts";
import { SMS_STEPS } from "./sms.steps.ts";

const STATES = Object.keys(SMS_STEPS.states);
const ANSWERS = [...new Set(Object.values(SMS_STEPS.steps).flatMap((steps) => Object.keys(steps) as Answer[]))];

const stepsFrom = (state: string): readonly Step[] =>
  ANSWERS.flatMap((answer) => stepFor(SMS_STEPS, state, answer) ?? []);

test("the table has no fault: every step leads to a state, and money is decided exactly when the hold is", () => {
  assert.deepEqual(faultsOf(SMS_STEPS), []);
});

test("the check of the table finds a final state with steps, a step to nowhere, and money decided twice or never", () => {
  const broken = {
    ...SMS_STEPS,
    steps: {
      ...SMS_STEPS.steps,
      queued: { accepted: { to: "sent" }, cancelled: { to: "gone", money: "void" } },
      sent: { "report:delivered": { to: "delivered", money: "post" } },
      delivered: { again: { to: "queued" } },
      lost: {},
    },
  } as const;
  const faults = faultsOf(broken);
  for (const place of ["queued × accepted", "queued × cancelled", "sent × report:delivered", "delivered", "lost"])
    assert.ok(
      faults.some((fault) => fault.startsWith(place)),
      `${place} is among ${faults.join("; ")}`,
    );
});

test("the states are those of the contract, and the final ones never change", () => {
  const open = ["scheduled", "queued", "sending", "unknown", "sent"];
  const final = ["delivered", "undelivered", "expired", "rejected", "failed", "cancelled"];
  assert.deepEqual(STATES.toSorted(), [...open, ...final].sort());
  for (const state of STATES) assert.equal(isFinal(SMS_STEPS, state), final.includes(state), state);
  for (const state of final)
    for (const step of Object.values(SMS_STEPS.steps[state] ?? {}) as Step[])
      assert.deepEqual([step.to, step.money], [state, "loss"], "only what was done for nothing is booked");
});

test("every open state can be left, and every state but the first two is reached", () => {
  for (const state of STATES.filter((name) => !isFinal(SMS_STEPS, name)))
    assert.ok(
      stepsFrom(state).some((step) => step.to !== state),
      state,
    );
  const reached = new Set(STATES.flatMap((state) => stepsFrom(state).map((step) => step.to)));
  assert.deepEqual(
    STATES.filter((state) => !reached.has(state)),
    [],
  );
});

const MONEY: readonly (readonly [state: string, answer: Answer, to: string, money: Step["money"]])[] = [
  ["sending", "accepted", "sent", "post"],
  ["queued", "accepted", "sent", "post"],
  ["sending", "rejected", "rejected", "void"],
  ["sending", "exhausted", "failed", "void"],
  ["sending", "part_refused", "undelivered", "post"],
  ["sending", "unknown", "unknown", undefined],
  ["unknown", "timed_out", "failed", "void"],
  ["unknown", "report:delivered", "delivered", "post"],
  ["unknown", "accepted", "sent", "post"],
  ["sending", "report:delivered", "delivered", "post"],
  ["sent", "report:rejected", "rejected", undefined],
  ["sent", "report:expired", "expired", undefined],
  ["scheduled", "cancelled", "cancelled", "void"],
  ["queued", "cancelled", "cancelled", "void"],
  ["queued", "expired", "expired", "void"],
  ["scheduled", "suspended", "failed", "void"],
  ["failed", "accepted", "failed", "loss"],
  ["failed", "report:delivered", "failed", "loss"],
  ["cancelled", "accepted", "cancelled", "loss"],
  ["cancelled", "report:delivered", "cancelled", "loss"],
  ["failed", "report:undelivered", "failed", undefined],
];
for (const [state, answer, to, money] of MONEY) {
  test(`${state} × ${answer} leads to ${to} and ${money ? `${money}s the hold` : "leaves the money as it is"}`, () => {
    const step = stepFor(SMS_STEPS, state, answer);
    assert.deepEqual([step?.to ?? state, step?.money], [to, money]);
  });
}

for (const state of ["sending", "unknown", "sent"]) {
  test(`a message that is ${state} can't be cancelled`, () => {
    assert.equal(stepFor(SMS_STEPS, state, "cancelled"), undefined);
  });
}

test("whatever answers come in whatever order, the hold is settled at most once, and exactly once at the end", () => {
  fc.assert(
    fc.property(
      fc.constantFrom<string>("queued", "scheduled"),
      fc.array(fc.constantFrom(...ANSWERS), { maxLength: 60 }),
      (first, answers) => {
        let state = first;
        let settled = 0;
        for (const answer of answers) {
          const step = stepFor(SMS_STEPS, state, answer);
          if (!step) continue;
          assert.ok(!isFinal(SMS_STEPS, state) || step.money === "loss");
          if (step.money === "post" || step.money === "void") settled += 1;
          state = step.to;
        }
        assert.equal(settled, SMS_STEPS.states[state]?.hold === "settled" ? 1 : 0);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("what is told to subscribers is what the contract lists as events", () => {
  assert.deepEqual(
    [...SMS_STEPS.published].sort(),
    "cancelled delivered expired failed rejected sent undelivered unknown".split(" "),
  );
});
