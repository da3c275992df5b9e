import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { TimerWheel } from "./wheel.ts";

test("whatever the delays and however late the ticks, each action runs once, never early, and those of one moment in order", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const delays = fc.array(fc.nat(500), { minLength: 1, maxLength: 30 });
  const steps = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 10, maxLength: 30 });
  fc.assert(
    fc.property(delays, steps, (delaysMs, stepsMs) => {
      let nowMs = 7;
      const wheel = new TimerWheel({ now: () => new Date(nowMs), monotonicMs: () => nowMs });
      const ran: { readonly index: number; readonly atMs: number }[] = [];
      for (const [index, delayMs] of delaysMs.entries()) wheel.after(delayMs, () => ran.push({ index, atMs: nowMs }));
      for (const stepMs of [...stepsMs, 1_000]) {
        nowMs += stepMs;
        t.mock.timers.tick(20);
      }
      wheel.stop();
      assert.deepEqual(
        ran.map(({ index }) => index).sort((a, b) => a - b),
        delaysMs.map((_, index) => index),
      );
      for (const { index, atMs } of ran) assert.ok(atMs >= 7 + delaysMs[index]!);
      for (const [place, { index }] of ran.entries()) {
        const before = ran[place - 1];
        if (before && delaysMs[before.index] === delaysMs[index]) assert.ok(before.index < index);
      }
    }),
  );
});

test("an action may ask for another, also when it was the last one", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let nowMs = 0;
  const wheel = new TimerWheel({ now: () => new Date(nowMs), monotonicMs: () => nowMs });
  const ran: string[] = [];
  wheel.after(10, () => {
    ran.push("first");
    wheel.after(10, () => ran.push("second"));
  });
  for (let tick = 0; tick < 10; tick++) {
    nowMs += 20;
    t.mock.timers.tick(20);
  }
  assert.deepEqual(ran, ["first", "second"]);
});
