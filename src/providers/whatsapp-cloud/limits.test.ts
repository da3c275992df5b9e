import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SendLimits } from "./limits.ts";

function rig(settings: { perNumberPerSecond?: number; pairEveryMs?: number; pairBurst?: number } = {}) {
  const time = { ms: 1_000 };
  const limits = new SendLimits(
    { perNumberPerSecond: 1_000, pairEveryMs: 6_000, pairBurst: 3, ...settings },
    () => time.ms,
  );
  return { time, take: (recipient: string, number = "1") => limits.take(number, recipient) };
}

test("a person gets a burst at once, then one each time that the wait is over, which is told exactly", () => {
  const { time, take } = rig();
  assert.deepEqual([take("a"), take("a"), take("a")], [0, 0, 0]);
  assert.equal(take("a"), 6_000);
  time.ms += 6_000;
  assert.deepEqual([take("a"), take("a")], [0, 6_000]);
});

test("those who wait are each told a time of their own, at which they pass", () => {
  const { time, take } = rig();
  for (let one = 0; one < 3; one++) take("a");
  const waits = Array.from({ length: 5 }, () => take("a"));
  assert.deepEqual(waits, [6_000, 12_000, 18_000, 24_000, 30_000]);
  for (const _ of waits) {
    time.ms += 6_000;
    assert.equal(take("a"), 0);
  }
});

test("after a burst the whole of it is paid back before the next", () => {
  const { time, take } = rig();
  for (let one = 0; one < 3; one++) take("a");
  time.ms += 18_000;
  assert.deepEqual([take("a"), take("a"), take("a"), take("a")], [0, 0, 0, 6_000]);
});

test("persons and numbers don't count for each other", () => {
  const { take } = rig({ pairBurst: 1 });
  assert.deepEqual([take("a"), take("b"), take("a", "2"), take("a")], [0, 0, 0, 6_000]);
});

test("no limit of pairs is no limit", () => {
  const { take } = rig({ pairEveryMs: 0, pairBurst: 1 });
  for (let one = 0; one < 50; one++) assert.equal(take("a"), 0);
});

test("whoever waits as told passes, and a number never exceeds 110 % of its rate in any second", () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 1_000 }), (perSecond) => {
      const { time, take } = rig({ perNumberPerSecond: perSecond, pairEveryMs: 0 });
      let sent = 0;
      while (time.ms < 2_000) {
        const wait = take("a");
        if (wait === 0) sent += 1;
        else {
          time.ms += wait;
          if (time.ms < 2_000) {
            assert.equal(take("a"), 0);
            sent += 1;
          }
        }
      }
      assert.ok(sent <= perSecond * 1.1 + 1, `${sent} of ${perSecond}`);
      assert.ok(sent >= perSecond * 0.5, `${sent} of ${perSecond}`);
    }),
    { numRuns: 50 },
  );
});

test("what is remembered is bounded: who wrote longest ago is forgotten first", () => {
  const { take } = rig({ perNumberPerSecond: 1_000, pairBurst: 1 });
  const { length } = Array.from({ length: 100_000 }, (_, index) => take(`x${index}`, `n${index}`));
  assert.equal(length, 100_000);
  assert.equal(take("x0", "n0"), 6_000);
  take("new", "new");
  assert.equal(take("x0", "n0"), 0);
  assert.ok(take("x99999", "n99999") > 0);
});
