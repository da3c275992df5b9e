import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { lagosMonth } from "../../src/kernel/lagos.ts";
import { assertProblem, type Bulk, type Message, type Money, type Page, type Problem, phone, startRig } from "./rig.ts";

const FREE_QUOTA = 5;
const rig = await startRig((config) => {
  const { sms } = config.services;
  assert.ok(sms);
  const plans = sms.plans.map((plan) => (plan.id === "free" ? { ...plan, quota: FREE_QUOTA } : plan));
  return { ...config, services: { ...config.services, sms: { ...sms, plans } } };
});

test("200 sends at once from a wallet that pays for 50: exactly 50 are accepted, 150 refused, and it ends at zero", async () => {
  const subscriber = await rig.subscriber({ balance: "160.00" });
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      subscriber.post<Message & Problem>("/sms/send", { to: phone(index), message: `Number ${index}` }),
    ),
  );
  const accepted = answers.filter((answer) => answer.status === 202);
  const refused = answers.filter((answer) => answer.status === 402);
  assert.deepEqual([accepted.length, refused.length], [50, 150]);
  for (const answer of refused) {
    assertProblem(answer);
    assert.equal(answer.body.code, "insufficient_balance");
  }
  for (const { body } of accepted) await subscriber.reached(body.id, "delivered");
  assert.deepEqual(await subscriber.wallet(), { balance: 0n, held: 0n, available: 0n });
  const { body: page } = await subscriber.get<Page>("/sms/messages?limit=100");
  assert.equal(page.data.length, 50);
});

test("too little money is refused with 402 that says what it costs and what there is", async () => {
  const subscriber = await rig.subscriber({ balance: "1.20" });
  const refused = await subscriber.refused({ to: phone(1), message: "a".repeat(161) });
  assert.deepEqual([refused.status, refused.code, refused.retryable], [402, "insufficient_balance", false]);
  assert.match(refused.detail, /costs ₦6\.40; ₦1\.20 is available/);
  const { price, available } = refused as Problem & { price?: Money & { tax?: string }; available?: Money };
  assert.deepEqual([price?.amount, available?.amount], ["6.40", "1.20"]);
  assert.match(price?.tax ?? "", /^0\.\d{2}$/);
  assert.deepEqual(await subscriber.wallet(), { balance: 120n, held: 0n, available: 120n });
});

test("the last kobo can be spent, and money that comes back can be spent again", async () => {
  const subscriber = await rig.subscriber({ balance: "3.20" });
  const rejected = await subscriber.send({ to: "+2348000000001", message: "x" });
  await subscriber.reached(rejected.id, "rejected");
  const { id } = await subscriber.send({ to: phone(1), message: "x" });
  assert.equal((await subscriber.refused({ to: phone(1), message: "x" })).code, "insufficient_balance");
  await subscriber.reached(id, "delivered");
  assert.equal((await subscriber.wallet()).available, 0n);
});

test("a price contains 7.5 % VAT and is that of the caller's plan", async () => {
  for (const [plan, amount, tax] of [
    ["free", "4.00", "0.28"],
    ["growth", "3.60", "0.25"],
    ["scale", "3.20", "0.22"],
  ] as const) {
    const subscriber = await rig.subscriber({ plan });
    const { id, price } = await subscriber.send({ to: phone(2), message: "x" });
    assert.deepEqual(price, { amount, currency: "NGN", tax });
    await subscriber.reached(id, "delivered");
  }
});

test("a plan's monthly quota is exact under load, and its refusal says when it renews", async () => {
  const subscriber = await rig.subscriber({ plan: "free" });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      subscriber.post<Message & Problem>("/sms/send", { to: phone(index), message: "x" }),
    ),
  );
  const refused = answers.filter((answer) => answer.status === 429);
  assert.deepEqual([answers.length - refused.length, refused.length], [FREE_QUOTA, 20 - FREE_QUOTA]);
  for (const answer of refused) {
    assertProblem(answer);
    assert.equal(answer.body.code, "quota_exceeded");
    // 00:00 in Lagos is 23:00 UTC of the day before.
    const renewsAt = new Date(answer.body.renews_at ?? "");
    assert.match(renewsAt.toISOString(), /T23:00:00\.000Z$/);
    assert.ok(renewsAt > new Date());
    assert.notEqual(lagosMonth(renewsAt), lagosMonth(new Date()));
    assert.equal(lagosMonth(new Date(renewsAt.getTime() - 1)), lagosMonth(new Date()));
  }
  for (const { status, body } of answers) if (status === 202) await subscriber.reached(body.id, "delivered");
});

test("a bulk over what is left of the quota is refused whole and uses none of it; its key is not spent", async () => {
  const subscriber = await rig.subscriber({ plan: "free" });
  const headers = { "idempotency-key": randomUUID() };
  const to = Array.from({ length: FREE_QUOTA + 1 }, (_, index) => phone(index));
  const refused = await subscriber.post<Problem>("/sms/bulk", { to, message: "x" }, headers);
  assertProblem(refused);
  assert.deepEqual([refused.status, refused.body.code], [429, "quota_exceeded"]);
  const accepted = await subscriber.post<Bulk>("/sms/bulk", { to: to.slice(1), message: "x" }, headers);
  assert.deepEqual([accepted.status, accepted.body.accepted], [202, FREE_QUOTA]);
  for (const { id } of accepted.body.messages) await subscriber.reached(id, "delivered");
});

test("a repeated request takes neither money nor quota", async () => {
  const subscriber = await rig.subscriber({ plan: "free", balance: "20.00" });
  const headers = { "idempotency-key": randomUUID() };
  const body = { to: phone(3), message: "x" };
  for (let index = 0; index < FREE_QUOTA + 2; index += 1) await subscriber.send(body, headers);
  const left = await subscriber.post<Bulk>("/sms/bulk", {
    to: Array.from({ length: FREE_QUOTA - 1 }, (_, index) => phone(10 + index)),
    message: "x",
  });
  assert.equal(left.status, 202);
  for (const { id } of left.body.messages) await subscriber.reached(id, "delivered");
  assert.equal((await subscriber.wallet()).balance, 2_000n - 400n * BigInt(FREE_QUOTA));
});

test("every answer says the limit and what is left, and a bulk's recipients count against their own", async () => {
  const subscriber = await rig.subscriber({ plan: "growth" });
  const first = await subscriber.post<Message>("/sms/send", { to: phone(4), message: "x" });
  assert.match(first.headers.get("ratelimit-policy") ?? "", /^"sms-send";q=600;w=60/);
  assert.match(first.headers.get("ratelimit") ?? "", /^"sms-send";r=599;t=\d+/);
  assert.equal(first.headers.get("x-ratelimit-limit"), "600");
  assert.equal(first.headers.get("x-ratelimit-remaining"), "599");
  const free = await rig.subscriber({ plan: "free" });
  const to = Array.from({ length: 101 }, (_, index) => phone(index));
  const over = await free.post<Problem>("/sms/bulk", { to, message: "x" });
  assertProblem(over);
  assert.deepEqual([over.status, over.body.code], [429, "rate_limited"]);
  await subscriber.reached(first.body.id, "delivered");
});

test("over the limit a send is refused with a whole number of seconds to wait, and makes no order", async () => {
  const inOneMinute = async () => {
    const minute = () => Math.floor(Date.now() / 60_000);
    for (;;) {
      const subscriber = await rig.subscriber({ plan: "free", balance: "0.00" });
      const begunIn = minute();
      const answers = [];
      for (let index = 0; index < 61; index += 1)
        answers.push(await subscriber.post<Problem>("/sms/send", { to: phone(5), message: "x" }));
      if (minute() === begunIn) return answers; // else the limit began anew amid them
    }
  };
  const answers = await inOneMinute();
  const last = answers.at(-1)!;
  assertProblem(last);
  assert.deepEqual([last.status, last.body.code, last.body.retryable], [429, "rate_limited", true]);
  assert.match(last.headers.get("retry-after") ?? "", /^[1-9]\d?$/);
  assert.deepEqual(new Set(answers.slice(0, 60).map((answer) => answer.status)), new Set([402]));
});

rig.provesItsLedger();
