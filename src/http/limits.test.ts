import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryCounters } from "../counters/memory-counters.ts";
import { makeRig, type Rig, StandingClock } from "../testing/http-rig.ts";
import { makeLimits } from "./limits.ts";

const post = ({ app, key }: Rig, url: string, payload: object) =>
  app.inject({ method: "POST", url, headers: { "x-api-key": key }, payload });
const GOOD = { to: "+2348031234567", message: "x" };

test("accounts, modes and policies are counted apart", async () => {
  const limits = makeLimits(new MemoryCounters(new StandingClock()));
  for (const subject of ["a:test", "a:live", "b:test"]) {
    for (const policy of ["sms-send", "read"]) assert.equal((await limits.take(subject, policy, 1, 1)).allowed, true);
  }
  assert.equal((await limits.take("a:test", "read", 1, 1)).allowed, false);
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
  const memory = new MemoryCounters(clock);
  const limits = makeLimits({
    consume: async (consumptions) => memory.consume(consumptions),
    giveBack: async (taken) => memory.giveBack(taken),
  });
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
