import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { backoffMs, credentialsBackoffMs } from "./backoff.ts";
import { RateLimit } from "./rate.ts";

test("the wait grows from at most the minimum to at most the maximum, and jitter may make it any part of that", () => {
  const longest = [1, 2, 3, 4, 5, 60].map((failures) => backoffMs(failures, 500, 6_000, 1));
  assert.deepEqual(longest, [500, 1_000, 2_000, 4_000, 6_000, 6_000]);
  assert.equal(backoffMs(5, 500, 6_000, 0), 0);
});

test("after refused credentials at least five minutes pass", () => {
  assert.deepEqual([0, 1].map(credentialsBackoffMs), [300_000, 600_000]);
});

test("whoever waits as told never sends more than 110 % of the rate in any second", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.array(fc.nat({ max: 50 }), { minLength: 50, maxLength: 300 }),
      (rate, pauses) => {
        let nowMs = 0;
        const limit = new RateLimit(rate, () => nowMs);
        const sent: number[] = [];
        for (const pause of pauses) {
          nowMs += pause;
          for (let waitMs = limit.take(); waitMs > 0; waitMs = limit.take()) nowMs += waitMs;
          sent.push(nowMs);
        }
        sent.forEach((at, index) => {
          const within = sent.slice(index).filter((other) => other < at + 1_000).length;
          assert.ok(within <= rate + Math.max(1, rate / 10) + 1, `${within} in a second at ${rate}/s`);
        });
      },
    ),
  );
});
