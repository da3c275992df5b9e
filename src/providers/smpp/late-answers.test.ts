import assert from "node:assert/strict";
import { test } from "node:test";
import { LateAnswers } from "./late-answers.ts";
import { until } from "./test-rig.ts";

test("only so many late answers are waited for: the oldest is forgotten first", () => {
  const late = new LateAnswers(2, 60_000);
  for (const sequence of [1, 2, 3]) late.expect(sequence, () => {});
  assert.deepEqual(
    [1, 2, 3].map((sequence) => late.has(sequence)),
    [false, true, true],
  );
  assert.ok(late.take(2));
  assert.equal(late.take(2), undefined);
  late.clear();
});

test("a late answer is waited for only so long", async () => {
  const late = new LateAnswers(10, 50);
  late.expect(1, () => {});
  await until("it is forgotten", () => !late.has(1));
});
