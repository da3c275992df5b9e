import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeTokenBucket } from "./token-bucket.ts";

function makeTestClock() {
  let nowMs = 1_000;
  return {
    now: () => new Date(0),
    monotonicMs: () => nowMs,
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

test("a rate of 50 a second lets 5 through at once and then one each 20 ms", () => {
  const clock = makeTestClock();
  const bucket = makeTokenBucket(50, clock);
  let taken = 0;
  const takeAll = () => {
    for (; bucket.available(); taken++) bucket.take();
  };
  takeAll();
  assert.equal(taken, 5);
  clock.pass(19);
  assert.equal(bucket.available(), false);
  clock.pass(1);
  takeAll();
  assert.equal(taken, 6);
});

test("a rate below one a second still lets one through", () => {
  const clock = makeTestClock();
  const bucket = makeTokenBucket(0.5, clock);
  assert.equal(bucket.available(), true);
  bucket.take();
  clock.pass(1_999);
  assert.equal(bucket.available(), false);
  clock.pass(1);
  assert.equal(bucket.available(), true);
});

test("an idle hour is not saved up", () => {
  const clock = makeTestClock();
  const bucket = makeTokenBucket(100, clock);
  clock.pass(3_600_000);
  let taken = 0;
  for (; bucket.available(); taken++) bucket.take();
  assert.equal(taken, 10);
});

test("however it is asked, no more than the rate and one burst ever get through", () => {
  const anyPauses = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), anyPauses, (rate, pauses) => {
      const clock = makeTestClock();
      const bucket = makeTokenBucket(rate, clock);
      let taken = 0;
      let passedMs = 0;
      for (const pause of pauses) {
        for (; bucket.available(); taken++) bucket.take();
        clock.pass(pause);
        passedMs += pause;
      }
      assert.ok(taken <= Math.max(1, rate / 10) + (passedMs / 1_000) * rate + 1e-6);
    }),
  );
});
