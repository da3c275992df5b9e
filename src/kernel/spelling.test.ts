import assert from "node:assert/strict";
import { test } from "node:test";
import { editDistance, nearest } from "./spelling.ts";

const DISTANCES: readonly [from: string, to: string, steps: number][] = [
  ["", "", 0],
  ["", "abc", 3],
  ["message", "message", 0],
  ["mesage", "message", 1],
  ["messsage", "message", 1],
  ["massage", "message", 1],
  ["mesasge", "message", 1],
  ["kitten", "sitting", 3],
];
for (const [from, to, steps] of DISTANCES) {
  test(`from "${from}" to "${to}" it is ${steps} steps`, () => {
    assert.equal(editDistance(from, to), steps);
    assert.equal(editDistance(to, from), steps);
  });
}

test("the nearest words come first, and far ones not at all", () => {
  assert.deepEqual(nearest("mesage", ["metadata", "message", "messages", "to"]), ["message", "messages"]);
  assert.deepEqual(nearest("zzz", ["message", "metadata"]), []);
});

test("an endless word is not compared", () => {
  assert.deepEqual(nearest("m".repeat(1_000_000), ["message"]), []);
});
