import assert from "node:assert/strict";
import { test } from "node:test";
import { remembered } from "./remembered.ts";

test("the database is asked once in ten seconds, and again at once after an error", async () => {
  let nowMs = 0;
  let asked = 0;
  const read = remembered({ monotonicMs: () => nowMs }, async () => {
    asked += 1;
    if (asked === 2) throw new Error("away");
    return asked;
  });
  assert.deepEqual(await Promise.all([read(), read()]), [1, 1]);
  nowMs = 9_999;
  assert.equal(await read(), 1);
  nowMs = 10_000;
  await assert.rejects(read());
  assert.equal(await read(), 3);
});
