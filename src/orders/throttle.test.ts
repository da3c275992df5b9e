import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../ports/provider.ts";
import { Throttle } from "./throttle.ts";

const BUSY: Outcome = { kind: "throttled", retryAfterMs: 1_000, detail: "RMSGQFUL", ofRoute: true };
const TAKEN: Outcome = { kind: "accepted", providerReference: "1" };

function makeThrottle(chance = 0.999) {
  let nowMs = 10_000;
  const throttle = new Throttle(
    () => nowMs,
    () => chance,
  );
  return {
    throttle,
    pass: (ms: number) => {
      nowMs += ms;
    },
    hear: (recipient: string, ...outcomes: Outcome[]) => throttle.heard(recipient, outcomes, nowMs),
  };
}

/** Three recipients in a row: the vendor throttles, not one of them. */
function throttled(rig: ReturnType<typeof makeThrottle>): number | undefined {
  rig.hear("a", BUSY);
  rig.hear("b", BUSY);
  return rig.hear("c", BUSY);
}

test("one recipient who is throttled slows nobody down, however often; three in a row are the vendor's trouble", () => {
  const rig = makeThrottle();
  for (let times = 0; times < 50; times++) assert.equal(rig.hear("a", BUSY), undefined);
  rig.hear("b", BUSY);
  rig.hear("d", TAKEN);
  rig.hear("a", BUSY);
  assert.equal(rig.hear("b", BUSY), undefined, "somebody was served between");
  assert.equal(rig.throttle.rests, false);
  assert.equal(rig.hear("c", BUSY), 1_000);
  assert.equal(rig.throttle.rests, true);
});

test("rests grow to a minute while nothing is taken, and begin anew after", () => {
  const rig = makeThrottle();
  const rests = [throttled(rig)];
  for (let times = 0; times < 8; times++) {
    rig.pass(rests.at(-1)!);
    assert.deepEqual([rig.throttle.rests, rig.throttle.probes], [false, true]);
    rests.push(rig.hear(`probe-${times}`, BUSY));
  }
  assert.deepEqual(
    rests.map((ms) => Math.round(ms! / 1_000)),
    [1, 2, 4, 8, 16, 32, 60, 60, 60],
  );
  rig.pass(60_000);
  rig.hear("e", TAKEN);
  assert.equal(rig.throttle.probes, false);
  assert.equal(throttled(rig), 1_000);
});

test("rests are spread, and never shorter than the vendor asks for", () => {
  const rig = makeThrottle(0);
  throttled(rig);
  rig.pass(1_000);
  assert.equal(rig.hear("d", BUSY), 1_000, "half of two seconds");
  rig.pass(1_000);
  assert.equal(rig.hear("e", BUSY), 2_000);
  rig.pass(2_000);
  assert.equal(rig.hear("f", { ...BUSY, retryAfterMs: 300_000 } as Outcome), 300_000);
});

test("a window full of refusals is one throttling: what had left before the rest says nothing new", () => {
  const rig = makeThrottle();
  const sentAtMs = 10_000;
  throttled(rig);
  for (let more = 0; more < 47; more++) assert.equal(rig.throttle.heard(`more-${more}`, [BUSY], sentAtMs), undefined);
  rig.pass(1_000);
  assert.equal(rig.throttle.share, 0.5);
});

test("the rate is halved, and comes back step by step", () => {
  const rig = makeThrottle();
  assert.equal(rig.throttle.share, 1);
  throttled(rig);
  rig.pass(1_000);
  rig.hear("d", TAKEN);
  assert.equal(rig.throttle.share, 0.5);
  rig.pass(2_000);
  assert.equal(rig.throttle.share, 0.6);
  throttled(rig);
  rig.pass(1_000);
  assert.equal(rig.throttle.share, 0.3);
  rig.pass(20_000);
  assert.equal(rig.throttle.share, 1);
});

test("what the vendor did not say of all that we send slows nothing down", () => {
  const rig = makeThrottle();
  for (const recipient of ["a", "b", "c", "d"])
    assert.equal(rig.hear(recipient, { kind: "throttled", retryAfterMs: 1_000, detail: "no slot" }), undefined);
  assert.equal(rig.throttle.rests, false);
});

test("a part that was throttled counts, though others of its message were taken", () => {
  const rig = makeThrottle();
  rig.hear("a", TAKEN, BUSY);
  rig.hear("b", TAKEN, BUSY);
  assert.equal(rig.hear("c", TAKEN, BUSY), 1_000);
});
