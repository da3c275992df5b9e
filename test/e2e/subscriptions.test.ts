import assert from "node:assert/strict";
import { test } from "node:test";
import { insertAccount } from "../../src/accounts/accounts.repo.ts";
import { newUuid, type Uuid } from "../../src/kernel/ids.ts";
import { parseKobo } from "../../src/kernel/kobo.ts";
import { openLedgerAccounts, postTransfer } from "../../src/ledger/ledger.repo.ts";
import { makeTestKey } from "../../src/testing/account.ts";
import { assertProblem, type Problem, phone, startRig } from "./rig.ts";

const FREE_QUOTA = 3;
const rig = await startRig((config) => {
  const { sms } = config.services;
  assert.ok(sms);
  const plans = sms.plans.map((plan) => (plan.id === "free" ? { ...plan, quota: FREE_QUOTA } : plan));
  return { ...config, services: { ...config.services, sms: { ...sms, plans } } };
});

/** An account without any plan, with a key of each mode and money in both wallets. */
async function customer(live: string) {
  const accountId = newUuid();
  await insertAccount(rig.db, { id: accountId, name: "Customer" });
  await fund(accountId, "live", live);
  await fund(accountId, "test", "1000.00");
  const key = (mode: "live" | "test") => makeTestKey(rig.db, { secret: rig.secret, accountId, mode });
  const [liveKey, testKey] = [await key("live"), await key("test")];
  const call = <Body = Problem>(method: string, path: string, body?: unknown, apiKey = liveKey) =>
    rig.gateway.call<Body>(method, path, body, { "x-api-key": apiKey });
  return { accountId, liveKey, testKey, test: rig.as(testKey), live: rig.as(liveKey), call };
}

async function fund(accountId: Uuid, mode: "live" | "test", amount: string): Promise<void> {
  await openLedgerAccounts(rig.db, accountId, mode, ["wallet", "funding"]);
  const [id, at, amountKobo] = [newUuid(), new Date(), parseKobo(amount)];
  const transfer = { accountId, id, mode, kind: "credit", debit: "funding", credit: "wallet" } as const;
  if (amountKobo > 0n) await postTransfer(rig.db, { ...transfer, amountKobo, reason: "what the test begins with", at });
}

interface Subscription {
  readonly service: string;
  readonly plan: { readonly id: string; readonly fee: { readonly amount: string } };
  readonly renews_at: string;
  readonly charged: { readonly amount: string };
}

test("services are told without a key and may be cached: each endpoint with its rate, each plan with its price", async () => {
  const answer = await fetch(`${rig.gateway.base}/services`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("cache-control"), "public, max-age=60");
  const list = (await answer.json()) as {
    object: string;
    has_more: boolean;
    data: {
      object: string;
      service: string;
      name: string;
      category: string;
      version: string;
      path_prefix: string;
      available: boolean;
      endpoints: { method: string; path: string; purpose: string; policy: string; rate_per_minute: number }[];
      plans: { id: string; free: boolean; quota: number | null; limits: Record<string, number>; prices: object }[];
    }[];
  };
  const services = list.data;
  assert.deepEqual([list.object, list.has_more], ["list", false]);
  assert.deepEqual(
    services.map(({ service, category, version, path_prefix, available }) => [
      service,
      category,
      version,
      path_prefix,
      available,
    ]),
    [
      ["sms", "messaging", "v1", "/sms", true],
      ["airtime", "fintech", "v1", "/airtime", true],
      ["electricity", "fintech", "v1", "/electricity", true],
      ["cable", "fintech", "v1", "/cable", true],
      ["chat", "messaging", "v1", "/chat", true],
    ],
  );
  const [sms, airtime] = services;
  assert.ok(sms);
  for (const { available, endpoints, plans } of services)
    assert.deepEqual([endpoints.length > 0, plans.length > 0], [available, true]);
  assert.deepEqual(
    airtime?.endpoints.find(({ path }) => path === "/airtime/topup"),
    {
      method: "POST",
      path: "/airtime/topup",
      purpose: "Top up a phone with airtime",
      policy: "airtime-vend",
      rate_per_minute: 30,
    },
  );
  assert.deepEqual(
    sms.endpoints.find(({ path }) => path === "/sms/send"),
    { method: "POST", path: "/sms/send", purpose: "Send one SMS", policy: "sms-send", rate_per_minute: 60 },
  );
  assert.ok(sms.endpoints.some(({ path }) => path === "/sms/status/{message_id}"));
  for (const { path, rate_per_minute: rate, purpose } of sms.endpoints)
    assert.ok(rate > 0 && purpose.length > 5 && path.startsWith("/sms/"), path);
  assert.deepEqual(
    sms.plans.map(({ id, free, quota, limits }) => [id, free, quota, limits["sms-send"]]),
    [
      ["free", true, FREE_QUOTA, 60],
      ["growth", false, null, 600],
      ["scale", false, null, 10_000_000],
    ],
  );
  assert.deepEqual(sms.plans[1]?.prices, {
    per: "segment",
    transactional: { default: { amount: "3.60", currency: "NGN" } },
    promotional: { default: { amount: "3.20", currency: "NGN" } },
  });
});

test("a key works as soon as its account has a plan, with the plan's limits and quota, and no longer than that", async () => {
  const { test: sender, call } = await customer("20000.00");
  assert.equal((await sender.refused({ to: phone(1), message: "x" })).code, "not_subscribed");

  const free = await call<Subscription>("PUT", "/subscriptions/sms", { plan: "free" });
  assert.deepEqual([free.status, free.body.plan.id, free.body.charged.amount], [200, "free", "0.00"]);
  for (let sent = 0; sent < FREE_QUOTA; sent++) await sender.send({ to: phone(sent), message: "x" });
  const refused = await sender.post<Problem & { plans: { id: string; quota: number | null }[] }>("/sms/send", {
    to: phone(9),
    message: "x",
  });
  assertProblem(refused);
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.renews_at],
    [429, "quota_exceeded", free.body.renews_at],
  );
  assert.deepEqual(refused.body.plans, [
    { id: "growth", name: "Growth", fee: { amount: "15000.00", currency: "NGN" }, quota: null },
    { id: "scale", name: "Scale", fee: { amount: "150000.00", currency: "NGN" }, quota: null },
  ]);

  const growth = await call<Subscription>("PUT", "/subscriptions/sms", { plan: "growth" });
  assert.equal(growth.status, 200, JSON.stringify(growth.body));
  const next = await sender.post("/sms/send", { to: phone(9), message: "x" });
  assert.deepEqual([next.status, next.headers.get("x-ratelimit-limit")], [202, "600"]);

  assert.equal((await call("DELETE", "/subscriptions/sms")).status, 204);
  assert.equal((await call("DELETE", "/subscriptions/sms")).status, 204);
  assert.equal((await sender.refused({ to: phone(1), message: "x" })).code, "not_subscribed");
});

test("the fee is taken from the live wallet, once; who can't pay it keeps the plan they have", async () => {
  const { live, call } = await customer("15000.00");
  const first = await call<Subscription>("PUT", "/subscriptions/sms", { plan: "growth" });
  const fee = parseKobo(first.body.charged.amount);
  assert.ok(fee >= parseKobo("483.87") && fee <= parseKobo("15000.00"), first.body.charged.amount);
  const again = await call<Subscription>("PUT", "/subscriptions/sms", { plan: "growth" });
  assert.deepEqual([again.status, again.body.charged.amount], [200, "0.00"]);
  assert.equal((await live.wallet()).balance, parseKobo("15000.00") - fee);
  const { body: statement } = await call<{ data: object[] }>("GET", "/wallet/transactions?kind=fee");
  assert.equal(statement.data.length, 1);
  assert.match(JSON.stringify(statement.data[0]), /"reason":"SMS, plan Growth, 20\d\d-\d\d: \d+ of \d+ days"/);

  const poor = await customer("1.00");
  await poor.call("PUT", "/subscriptions/sms", { plan: "free" });
  const refused = await poor.call("PUT", "/subscriptions/sms", { plan: "scale" });
  assertProblem(refused);
  assert.deepEqual([refused.status, refused.body.code], [402, "insufficient_balance"]);
  const kept = await poor.call<Subscription>("GET", "/subscriptions/sms");
  assert.deepEqual([kept.body.plan.id, (await poor.live.wallet()).balance], ["free", 100n]);
});

test("a test key sees the account's plans and can't change them", async () => {
  const { testKey, call } = await customer("0.00");
  await call("PUT", "/subscriptions/sms", { plan: "free" });
  for (const [method, body] of [
    ["PUT", { plan: "scale" }],
    ["DELETE", undefined],
  ] as const) {
    const refused = await call(method, "/subscriptions/sms", body, testKey);
    assertProblem(refused);
    assert.deepEqual([refused.status, refused.body.code], [403, "live_mode_only"]);
  }
  const seen = await call<{ data: Subscription[]; has_more: boolean }>("GET", "/subscriptions", undefined, testKey);
  assert.deepEqual(
    [seen.status, seen.body.has_more, seen.body.data.map(({ service, plan }) => [service, plan.id])],
    [200, false, [["sms", "free"]]],
  );
});

test("what is not there is told: a service, a plan, a subscription", async () => {
  const { call } = await customer("0.00");
  for (const [method, path, body, status, code] of [
    ["PUT", "/subscriptions/cinema", { plan: "free" }, 404, "not_found"],
    ["PUT", "/subscriptions/chat", { plan: "free" }, 422, "plan_not_found"],
    ["PUT", "/subscriptions/sms", { plan: "gold" }, 422, "plan_not_found"],
    ["PUT", "/subscriptions/sms", {}, 400, "validation_failed"],
    ["GET", "/subscriptions/sms", undefined, 404, "not_found"],
    ["DELETE", "/subscriptions/nothing", undefined, 404, "not_found"],
  ] as const) {
    const answer = await call(method, path, body);
    assertProblem(answer);
    assert.deepEqual([answer.status, answer.body.code], [status, code], `${method} ${path}`);
  }
});

rig.provesItsLedger();
