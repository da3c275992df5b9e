import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../kernel/duration.ts";
import { closesAt, isOpen, NEVER_OPENED } from "./window.ts";

const WRITTEN = new Date("2026-11-27T09:00:00.000Z");
const after = (ms: number) => new Date(WRITTEN.getTime() + ms);
const window = { lastInboundAt: WRITTEN, refusedAt: null };

test("a window is open up to, and not at, 24 hours after the person wrote", () => {
  assert.ok(isOpen(window, after(0)));
  assert.ok(isOpen(window, after(DAY_MS - 1)));
  assert.ok(!isOpen(window, after(DAY_MS)));
  assert.deepEqual(closesAt(window), after(DAY_MS));
});

test("the vendor's refusal closes a window at once", () => {
  const refused = { ...window, refusedAt: after(1_000) };
  assert.ok(!isOpen(refused, after(2_000)));
  assert.deepEqual(closesAt(refused), after(1_000));
});

test("a window that nobody opened is closed, and never closes", () => {
  assert.ok(!isOpen(NEVER_OPENED, WRITTEN));
  assert.equal(closesAt(NEVER_OPENED), null);
});
