import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../kernel/duration.ts";
import { HEALTHY, type Health, judge } from "./health.ts";
import type { Outcome } from "./outcome.ts";

const start = new Date("2026-11-27T09:00:00Z");
const after = (ms: number) => new Date(start.getTime() + ms);
const delivered: Outcome = { status: 200, durationMs: 1 };
const answered = (status: number, retryAfter?: string): Outcome => ({
  status,
  error: "http_error",
  durationMs: 1,
  ...(retryAfter !== undefined && { retryAfter }),
});
const silent: Outcome = { error: "timed_out", durationMs: 15_000 };
const judged = (health: Health, outcome: Outcome, at = start, isPassedOver = false) =>
  judge(health, { mode: "live", outcome, at, isPassedOver });
const times = (count: number, outcome: Outcome, health: Health = HEALTHY, at = start): Health =>
  Array.from({ length: count }).reduce<Health>((sofar) => judged(sofar, outcome, at).health, health);

test("a success makes it healthy, whatever was before", () => {
  const { health, hasRecovered, disabled } = judged(times(50, silent), delivered, after(1));
  assert.deepEqual([health, hasRecovered, disabled], [HEALTHY, true, undefined]);
});

test("a success after single failures is no recovery", () => {
  assert.equal(judged(times(3, answered(500)), delivered, start).hasRecovered, false);
});

for (const status of [429, 502, 503, 504])
  test(`${status} slows the endpoint down: it rests, each time for twice as long, up to five minutes`, () => {
    let health = HEALTHY;
    let at = start;
    const rests: number[] = [];
    for (let turn = 0; turn < 9; turn++) {
      health = judged(health, answered(status), at).health;
      rests.push((health.restUntil!.getTime() - at.getTime()) / SECOND_MS);
      at = health.restUntil!;
    }
    assert.deepEqual(rests, [5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

test("Retry-After is obeyed where it is longer, for any failure", () => {
  assert.deepEqual(judged(HEALTHY, answered(429, "60")).health.restUntil, after(MINUTE_MS));
  assert.deepEqual(judged(HEALTHY, answered(500, "60")).health.restUntil, after(MINUTE_MS));
  assert.deepEqual(judged(HEALTHY, answered(429, "1")).health.restUntil, after(5 * SECOND_MS));
});

test("other answers are of single events: it rests after twenty in a row", () => {
  assert.equal(times(19, answered(500)).restUntil, null);
  assert.deepEqual(times(20, answered(500)).restUntil, after(5 * SECOND_MS));
});

test("where an answer came, it rests again only after each further hundred: others are to have their turn", () => {
  const after20 = times(20, answered(500));
  const later = after(DAY_MS);
  for (const count of [1, 50, 79])
    assert.equal(times(count, answered(500), after20, later).restUntil, after20.restUntil);
  assert.ok(times(80, answered(500), after20, later).restUntil! > later);
});

test("an event that is passed over leaves it to the next one whether it rests, unless nobody was there or a rest is asked for", () => {
  const tired = times(30, answered(500));
  for (const outcome of [answered(500), answered(503), silent])
    assert.equal(judged(tired, outcome, after(DAY_MS), true).health.restUntil, tired.restUntil);
  for (const outcome of [answered(500, "60"), { error: "connect_failed", durationMs: 1 } as const])
    assert.ok(judged(tired, outcome, after(DAY_MS), true).health.restUntil! > after(DAY_MS));
});

test("without an answer it rests after five in a row", () => {
  assert.equal(times(4, silent).restUntil, null);
  assert.deepEqual(times(5, silent).restUntil, after(5 * SECOND_MS));
});

test("attempts that were under way together end in one rest", () => {
  const first = times(5, silent);
  assert.deepEqual(times(27, silent, first, after(1)).restUntil, first.restUntil);
  assert.equal(times(27, silent, first, after(1)).rests, 1);
});

test("410 disables at once", () => {
  assert.equal(judged(HEALTHY, answered(410)).disabled, "gone");
});

test("five days without a success disable, if there were twenty attempts", () => {
  const manyFailures = times(30, answered(500));
  assert.equal(judged(manyFailures, answered(500), after(5 * DAY_MS - 1)).disabled, undefined);
  assert.equal(judged(manyFailures, answered(500), after(5 * DAY_MS)).disabled, "failing");
  const fewFailures = times(18, answered(500));
  assert.equal(judged(fewFailures, answered(500), after(6 * DAY_MS)).disabled, undefined);
  const oneSuccess = judged(manyFailures, delivered, after(4 * DAY_MS)).health;
  assert.equal(times(30, answered(500), oneSuccess, after(6 * DAY_MS)).failures, 30);
  assert.equal(
    judged(times(30, answered(500), oneSuccess, after(4 * DAY_MS)), silent, after(6 * DAY_MS)).disabled,
    undefined,
  );
});
