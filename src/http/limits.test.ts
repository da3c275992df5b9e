import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeRig, type Rig, StandingClock } from "../testing/http-rig.ts";
import { MemoryLimits } from "./limits.ts";

const post = ({ app, key }: Rig, url: string, payload: object) =>
  app.inject({ method: "POST", url, headers: { "x-api-key": key }, payload });
const GOOD = { to: "+2348031234567", message: "x" };

test("exactly the limit passes in a window, whatever the times and points", () => {
  const steps = fc.array(fc.record({ waitMs: fc.nat(40_000), points: fc.integer({ min: 0, max: 5 }) }));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), steps, (limit, requests) => {
      const clock = new StandingClock();
      const limits = new MemoryLimits(clock);
      const passed = new Map<number, number>();
      for (const { waitMs, points } of requests) {
        clock.advance(waitMs);
        const minute = Math.floor(clock.now().getTime() / 60_000);
        const before = passed.get(minute) ?? 0;
        const decision = limits.take("acc:test", "sms-send", limit, points);
        assert.equal(decision.allowed, before + points <= limit);
        if (decision.allowed) passed.set(minute, before + points);
        assert.equal(decision.remaining, limit - (passed.get(minute) ?? 0));
      }
    }),
  );
});

test("who sleeps for the seconds told passes, from every millisecond of a window", () => {
  fc.assert(
    fc.property(fc.nat(59_999), (offsetMs) => {
      const clock = new StandingClock();
      clock.advance(offsetMs);
      const limits = new MemoryLimits(clock);
      limits.take("acc:test", "p", 1, 1);
      const refused = limits.take("acc:test", "p", 1, 1);
      assert.equal(refused.allowed, false);
      assert.ok(refused.resetSeconds >= 1 && refused.resetSeconds <= 60);
      clock.advance(refused.resetSeconds * 1000);
      assert.equal(limits.take("acc:test", "p", 1, 1).allowed, true);
    }),
  );
});

test("accounts, modes and policies are counted apart", () => {
  const limits = new MemoryLimits(new StandingClock());
  for (const subject of ["a:test", "a:live", "b:test"]) {
    for (const policy of ["sms-send", "read"]) assert.equal(limits.take(subject, policy, 1, 1).allowed, true);
  }
  assert.equal(limits.take("a:test", "read", 1, 1).allowed, false);
});

test("points given back can be used again, those of an ended window or of a refusal can not", () => {
  const clock = new StandingClock();
  const limits = new MemoryLimits(clock);
  const first = limits.take("a:test", "p", 1, 1);
  const refused = limits.take("a:test", "p", 1, 1);
  limits.giveBack(refused);
  assert.equal(limits.take("a:test", "p", 1, 1).allowed, false);
  limits.giveBack(first);
  assert.equal(limits.take("a:test", "p", 1, 1).allowed, true);
  clock.advance(60_000);
  limits.take("a:test", "p", 1, 1);
  limits.giveBack(first);
  assert.equal(limits.take("a:test", "p", 1, 1).allowed, false);
});

test("every authenticated answer says what is left, refusals included", async () => {
  const rig = await makeRig({ limit: 3 });
  rig.clock.advance(18_000);
  const remaining: unknown[] = [];
  for (const payload of [GOOD, { to: 1 }, GOOD]) {
    const { headers } = await post(rig, "/sms/send", payload);
    assert.equal(headers["ratelimit-policy"], '"sms-send";q=3;w=60');
    assert.equal(headers["x-ratelimit-limit"], "3");
    assert.equal(headers["x-ratelimit-reset"], "42");
    assert.equal(headers.ratelimit, `"sms-send";r=${headers["x-ratelimit-remaining"]};t=42`);
    remaining.push(headers["x-ratelimit-remaining"]);
  }
  assert.deepEqual(remaining, ["2", "1", "0"]);
});

test("over the limit is 429 with a Retry-After after which a request passes", async () => {
  const rig = await makeRig({ limit: 1 });
  assert.equal((await post(rig, "/sms/send", GOOD)).statusCode, 202);
  const refused = await post(rig, "/sms/send", GOOD);
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.headers["x-ratelimit-remaining"], "0");
  assert.partialDeepStrictEqual(refused.json(), {
    code: "rate_limited",
    policy: "sms-send",
    limit: 1,
    retryable: true,
  });
  assert.match(String(refused.headers["retry-after"]), /^\d+$/);
  rig.clock.advance(Number(refused.headers["retry-after"]) * 1000);
  assert.equal((await post(rig, "/sms/send", GOOD)).statusCode, 202);
});

test("a failure of ours costs nothing, and its headers say so", async () => {
  const rig = await makeRig({ limit: 1 });
  for (const [url, status] of [
    ["/broken", 500],
    ["/unavailable", 503],
  ] as const) {
    const failed = await post(rig, url, {});
    assert.equal(failed.statusCode, status);
    assert.equal(failed.headers["x-ratelimit-remaining"], "1");
  }
  assert.equal((await post(rig, "/sms/send", GOOD)).statusCode, 202);
});

test("a key without the scope spends nothing", async () => {
  const rig = await makeRig({ limit: 1, key: { scopes: ["read"] } });
  for (let count = 0; count < 3; count += 1) {
    const answer = await post(rig, "/sms/send", GOOD);
    assert.equal(answer.statusCode, 403);
    assert.equal(answer.headers["x-ratelimit-remaining"], "1");
  }
});

test("a refused stranger does not touch the customer's counter", async () => {
  const rig = await makeRig({ limit: 1 });
  for (let count = 0; count < 3; count += 1) await rig.app.inject({ method: "POST", url: "/sms/send" });
  assert.equal((await post(rig, "/sms/send", GOOD)).statusCode, 202);
});

test("an endpoint that costs nothing passes when all else is used up", async () => {
  const rig = await makeRig({ limit: 1 });
  for (let count = 0; count < 3; count += 1) {
    const answer = await rig.app.inject({ url: "/limits", headers: { "x-api-key": rig.key } });
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers.ratelimit, undefined);
  }
});

test("a bulk counts once and its recipients one by one, and the tighter limit is told first", async () => {
  const rig = await makeRig({ limit: 10 });
  const bulk = (count: number) => post(rig, "/sms/bulk", { to: Array(count).fill("1"), message: "x" });
  const first = await bulk(4);
  assert.equal(first.statusCode, 200);
  assert.equal(first.headers["ratelimit-policy"], '"sms-recipients";q=10;w=60, "sms-send";q=10;w=60');
  assert.equal(first.headers.ratelimit, '"sms-recipients";r=6;t=60, "sms-send";r=9;t=60');
  assert.equal(first.headers["x-ratelimit-remaining"], "6");

  const refused = await bulk(7);
  assert.equal(refused.statusCode, 429);
  assert.partialDeepStrictEqual(refused.json(), { policy: "sms-recipients", retryable: true });
  assert.equal((await bulk(6)).statusCode, 200, "the refused bulk took none");
});

test("a bulk that no minute can take is not told to wait", async () => {
  const rig = await makeRig({ limit: 10 });
  const refused = await post(rig, "/sms/bulk", { to: Array(11).fill("1"), message: "x" });
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.headers["retry-after"], undefined);
  assert.partialDeepStrictEqual(refused.json(), { code: "rate_limited", retryable: false });
});

test("a counter that answers later decides just the same", async () => {
  const clock = new StandingClock();
  const memory = new MemoryLimits(clock);
  const limits = {
    take: async (...input: Parameters<MemoryLimits["take"]>) => memory.take(...input),
    giveBack: async (...input: Parameters<MemoryLimits["giveBack"]>) => memory.giveBack(...input),
  };
  const rig = await makeRig({ limit: 1, options: { limits, clock } });
  assert.equal((await post(rig, "/broken", {})).headers["x-ratelimit-remaining"], "1");
  assert.equal((await post(rig, "/sms/send", GOOD)).statusCode, 202);
  assert.equal((await post(rig, "/sms/send", GOOD)).statusCode, 429);
});

test("a counter that is away is 503, nothing is let through uncounted", async () => {
  const limits = { take: () => Promise.reject(new Error("away")), giveBack: () => undefined };
  const rig = await makeRig({ options: { limits } });
  const answer = await post(rig, "/sms/send", GOOD);
  assert.equal(answer.statusCode, 503);
  assert.equal(answer.json().code, "overloaded");
});
