import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { StandingClock } from "../testing/http-rig.ts";
import { type Consumed, type Limit, MemoryCounters } from "./memory-counters.ts";

const minute = (name: string, limit = 1): Limit => ({ name, limit, windowSeconds: 60 });
const hour = (name: string, limit = 1): Limit => ({ name, limit, windowSeconds: 3_600 });
const consumeOne = (counters: MemoryCounters, limits: readonly Limit[], points = 1): Consumed =>
  counters.consume([{ limits, points }])[0]!;

test("exactly the limit passes in a window, whatever the times and points", () => {
  const steps = fc.array(fc.record({ waitMs: fc.nat(40_000), points: fc.integer({ min: 0, max: 5 }) }));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), steps, (limit, requests) => {
      const clock = new StandingClock();
      const counters = new MemoryCounters(clock);
      const passed = new Map<number, number>();
      for (const { waitMs, points } of requests) {
        clock.advance(waitMs);
        const window = Math.floor(clock.now().getTime() / 60_000);
        const before = passed.get(window) ?? 0;
        const { allowed, remaining } = consumeOne(counters, [minute("a", limit)], points);
        assert.equal(allowed, before + points <= limit);
        if (allowed) passed.set(window, before + points);
        assert.equal(remaining[0]!.remaining, limit - (passed.get(window) ?? 0));
      }
    }),
  );
});

test("who sleeps for the seconds told passes, from every millisecond of a window", () => {
  fc.assert(
    fc.property(fc.nat(3_599_999), fc.constantFrom(minute("a"), hour("a")), (offsetMs, count) => {
      const clock = new StandingClock();
      clock.advance(offsetMs);
      const counters = new MemoryCounters(clock);
      consumeOne(counters, [count]);
      const refused = consumeOne(counters, [count]);
      assert.equal(refused.allowed, false);
      const { resetSeconds } = refused.remaining[0]!;
      assert.ok(resetSeconds >= 1 && resetSeconds <= count.windowSeconds);
      clock.advance(resetSeconds * 1_000);
      assert.equal(consumeOne(counters, [count]).allowed, true);
    }),
  );
});

test("names and lengths of window are counted apart", () => {
  const counters = new MemoryCounters(new StandingClock());
  for (const count of [minute("a"), minute("b"), hour("a")]) assert.equal(consumeOne(counters, [count]).allowed, true);
  assert.equal(consumeOne(counters, [minute("a")]).allowed, false);
});

test("what one of two limits refuses is counted against neither, and it is told which had room", () => {
  const counters = new MemoryCounters(new StandingClock());
  const both = [hour("account", 5), hour("all", 1)];
  assert.deepEqual(
    consumeOne(counters, both).remaining.map(({ remaining }) => remaining),
    [4, 0],
  );
  const refused = consumeOne(counters, both);
  assert.deepEqual(
    refused.remaining.map(({ remaining, hadRoom }) => [remaining, hadRoom]),
    [
      [4, true],
      [0, false],
    ],
  );
});

test("of takes that come together each is counted for itself, in their order", () => {
  const counters = new MemoryCounters(new StandingClock());
  const consumption = { limits: [hour("a", 2)], points: 1 };
  assert.deepEqual(
    counters.consume([consumption, consumption, consumption]).map(({ allowed }) => allowed),
    [true, true, false],
  );
});

test("points given back can be used again, those of an ended window or of a refusal can not", () => {
  const clock = new StandingClock();
  const counters = new MemoryCounters(clock);
  const first = consumeOne(counters, [minute("a")]);
  counters.giveBack([consumeOne(counters, [minute("a")])]);
  assert.equal(consumeOne(counters, [minute("a")]).allowed, false);
  counters.giveBack([first]);
  assert.equal(consumeOne(counters, [minute("a")]).allowed, true);
  clock.advance(60_000);
  consumeOne(counters, [minute("a")]);
  counters.giveBack([first]);
  assert.equal(consumeOne(counters, [minute("a")]).allowed, false);
});

test("memory is bounded, and a name that is counted all the time is not forgotten", () => {
  const counters = new MemoryCounters(new StandingClock(), 10);
  for (let number = 0; number < 1_000; number += 1) {
    consumeOne(counters, [hour("pumped", 10_000)]);
    consumeOne(counters, [hour(`once ${number}`)]);
  }
  assert.equal(consumeOne(counters, [hour("pumped", 10_000)], 0).remaining[0]!.remaining, 9_000);
  assert.equal(consumeOne(counters, [hour("once 0")], 0).remaining[0]!.remaining, 1, "the oldest was forgotten");
});
