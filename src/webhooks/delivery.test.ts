import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../kernel/duration.ts";
import { type Again, afterFailure, type FailedAttempt, UNTRIED } from "./delivery.ts";

const start = new Date("2026-11-27T09:00:00Z");
const after = (ms: number) => new Date(start.getTime() + ms);
const failure = { status: 500, error: "http_error", durationMs: 1 } as const;
const failed = (more: Partial<FailedAttempt>): Again =>
  afterFailure({ mode: "live", tries: UNTRIED, outcome: failure, at: start, holdsUp: false, chance: 0.5, ...more });
const secondsTo = (date: Date | null, from = start) => date && (date.getTime() - from.getTime()) / SECOND_MS;

test("it is tried again by the schedule, ten times, and then given up", () => {
  let again: Again = { ...UNTRIED, dueAt: start };
  let attempts = 0;
  for (let at = start; again.dueAt; at = again.dueAt!) {
    again = failed({ tries: again, at });
    attempts += 1;
    if (!again.dueAt) break;
  }
  assert.deepEqual([attempts, again.attempts, again.holds, again.dueAt], [10, 10, false, null]);
});

test("an attempt before its time takes nothing from the schedule", () => {
  const second = failed({ tries: failed({}), at: after(5 * SECOND_MS) });
  assert.equal(secondsTo(second.dueAt), 305);
  const early = failed({ tries: second, at: after(MINUTE_MS) });
  assert.deepEqual([early.step, early.attempts, secondsTo(early.dueAt)], [second.step, 3, 305]);
});

test("while others wait behind it, it is tried every minute", () => {
  const second = failed({ tries: failed({}), at: after(5 * SECOND_MS), holdsUp: true });
  assert.equal(secondsTo(second.dueAt), 65);
  assert.equal(secondsTo(second.plannedAt), 305);
});

test("after half an hour of failures its order goes on", () => {
  const tries = { ...failed({}), plannedAt: after(2 * HOUR_MS) };
  assert.equal(failed({ tries, at: after(30 * MINUTE_MS - 1), holdsUp: true }).holds, true);
  const passed = failed({ tries, at: after(30 * MINUTE_MS), holdsUp: true });
  assert.deepEqual([passed.holds, secondsTo(passed.dueAt)], [false, 7_200]);
});

test("Retry-After counts where it is later", () => {
  assert.equal(secondsTo(failed({ outcome: { ...failure, retryAfter: "60" } }).dueAt), 60);
  assert.equal(secondsTo(failed({ outcome: { ...failure, retryAfter: "1" } }).dueAt), 5);
});
