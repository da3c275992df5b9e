import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../kernel/duration.ts";
import { retryAfterMs, waitMs } from "./schedule.ts";

const now = new Date("2026-11-27T09:00:00Z");
const waitsOf = (mode: "live" | "test", chance: number) => {
  const waits: number[] = [];
  for (let step = 0; ; step++) {
    const wait = waitMs(mode, step, chance);
    if (wait === undefined) return waits;
    waits.push(wait);
  }
};

test("a live event is tried ten times in 75.6 hours", () => {
  const waits = waitsOf("live", 0.5);
  assert.equal(waits.length + 1, 10);
  assert.deepEqual(
    waits.map((ms) => ms / SECOND_MS),
    [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  );
  const hours = waits.reduce((sum, ms) => sum + ms, 0) / HOUR_MS;
  assert.ok(Math.abs(hours - 75.6) < 0.05, `${hours} hours`);
});

test("a test event is tried ten times in ten minutes", () => {
  const waits = waitsOf("test", 0.5);
  assert.equal(waits.length + 1, 10);
  assert.ok(waits.reduce((sum, ms) => sum + ms, 0) < 10 * MINUTE_MS);
});

test("each wait is up to a fifth longer or shorter", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(8), (chance, step) => {
      const [wait, middle] = [waitMs("live", step, chance)!, waitMs("live", step, 0.5)!];
      assert.ok(wait >= middle * 0.8 - 1 && wait <= middle * 1.2 + 1, `${wait}, not about ${middle}`);
    }),
  );
});

/** What receivers and the proxies before them send, and what is made of it. */
const RETRY_AFTER: readonly (readonly [header: string | undefined, seconds: number | undefined])[] = [
  [undefined, undefined],
  ["", undefined],
  ["120", 120],
  [" 120 ", 120],
  ["0", 1],
  ["-1", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["Fri, 27 Nov 2026 09:02:00 GMT", 120],
  ["Friday, 27-Nov-26 09:02:00 GMT", 120],
  ["Fri Nov 27 09:02:00 2026 GMT", 120],
  ["Thu, 26 Nov 2026 09:00:00 GMT", 1],
  ["Sat, 28 Nov 2026 09:00:00 GMT", 3_600],
  ["86400", 3_600],
  ["30000", 3_600],
  ["99999999999999999999", 3_600],
];
for (const [header, seconds] of RETRY_AFTER)
  test(`Retry-After: ${header} is ${seconds === undefined ? "ignored" : `${seconds} s`}`, () => {
    assert.equal(retryAfterMs(header, now), seconds === undefined ? undefined : seconds * SECOND_MS);
  });
