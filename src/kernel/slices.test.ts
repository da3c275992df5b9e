import assert from "node:assert/strict";
import { test } from "node:test";
import { atOnce, CallerGone, makeSlices, type Steps } from "./slices.ts";

/** A clock on which each step of the work takes a while. */
function rig(stepMs: number) {
  let nowMs = 0;
  const log: string[] = [];
  function* work(name: string, steps: number): Steps<string> {
    for (let step = 1; step <= steps; step += 1) {
      nowMs += stepMs;
      log.push(`${name}${step}`);
      yield;
    }
    return name;
  }
  return { log, work, inSlices: makeSlices(() => nowMs) };
}

test("work is done whole, and says what it computed", async () => {
  const { work, inSlices, log } = rig(1);
  assert.equal(await inSlices(work("a", 25)), "a");
  assert.equal(log.length, 25);
  assert.equal(atOnce(work("b", 3)), "b");
});

test("between two slices the event loop serves everybody else, once for each slice whoever's it is", async () => {
  const { work, inSlices, log } = rig(6); // two steps fill a slice
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    log.push("|");
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all([inSlices(work("a", 6)), inSlices(work("b", 6))]);
  isDone = true;
  assert.ok(turns >= 6, `${turns} turns`);
  const between = log.join("").split("|").filter(Boolean);
  for (const slice of between) assert.match(slice, /^(?:[ab]\d){1,2}$/, log.join(""));
  assert.ok(log.indexOf("b1") < log.indexOf("a5"), "in turn");
});

test("when its caller has gone the rest of the work is not done", async () => {
  const { work, inSlices, log } = rig(20);
  const caller = new AbortController();
  const gone = assert.rejects(inSlices(work("a", 10), caller.signal), CallerGone);
  await new Promise((resolve) => setImmediate(resolve));
  caller.abort();
  await gone;
  assert.ok(log.length < 10, log.join(""));
});

test("what the work throws reaches whoever waits for it, and the next is served", async () => {
  const { work, inSlices } = rig(1);
  // biome-ignore lint/correctness/useYield: it fails before it could
  function* broken(): Steps<void> {
    throw new Error("broken");
  }
  await assert.rejects(inSlices(broken()), /broken/);
  assert.equal(await inSlices(work("a", 1)), "a");
});
