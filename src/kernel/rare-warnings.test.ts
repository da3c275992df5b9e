import assert from "node:assert/strict";
import { test } from "node:test";
import { makeRareWarnings } from "./rare-warnings.ts";

function makeRig() {
  const logged: object[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (fields: object) => void logged.push(fields) };
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  return { logged, clock, warn: makeRareWarnings(log, clock) };
}

test("the first warning of a kind is logged at once, the next after a minute, with how many were left out", () => {
  const { logged, clock, warn } = makeRig();
  for (let n = 1; n <= 5; n++) warn("a", { n }, "odd");
  warn("b", { n: 0 }, "odd too");
  clock.nowMs = 59_999;
  warn("a", { n: 6 }, "odd");
  clock.nowMs = 60_000;
  warn("a", { n: 7 }, "odd");
  assert.deepEqual(logged, [{ n: 1 }, { n: 0 }, { n: 7, leftOut: 5 }]);
});

test("kinds that a peer makes up without end fill neither memory nor log", () => {
  const { logged, warn } = makeRig();
  for (let kind = 0; kind < 10_000; kind++) warn(`kind ${kind}`, {}, "odd");
  assert.equal(logged.length, 201);
});
