import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { type Bulk, phone, type Subscriber, startRig } from "./rig.ts";

const rig = await startRig();

interface Limits {
  readonly limits: readonly {
    readonly policy: string;
    readonly limit: number;
    readonly remaining: number;
    readonly window_seconds: number;
    readonly reset_seconds: number;
  }[];
  readonly quotas: readonly {
    readonly service: string;
    readonly plan: string;
    readonly limit: number;
    readonly remaining: number;
    readonly renews_at: string;
  }[];
}

const limitsOf = async (subscriber: Subscriber): Promise<Limits> => {
  const { status, body } = await subscriber.get<Limits>("/limits");
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

/** What is left of a policy after `work`. Once more when the minute ended meanwhile. */
async function leftAfter(subscriber: Subscriber, policy: string, work: () => Promise<unknown>): Promise<number> {
  const of = async () => (await limitsOf(subscriber)).limits.find((limit) => limit.policy === policy)!;
  for (;;) {
    const before = await of();
    await work();
    const after = await of();
    if (after.reset_seconds <= before.reset_seconds) return after.remaining - before.remaining;
  }
}

test("limits are all those of the plan and those that everybody has, with the month's quota", async () => {
  const free = await limitsOf(await rig.subscriber({ plan: "free" }));
  assert.deepEqual(
    free.limits.map(({ policy, limit, remaining }) => [policy, limit, remaining]),
    [
      ["manage", 60, 60],
      ["read", 300, 300],
      ["sms-bulk", 5, 5],
      ["sms-cancel", 60, 60],
      ["sms-preview", 60, 60],
      ["sms-recipients", 100, 100],
      ["sms-send", 60, 60],
    ],
  );
  for (const { window_seconds: window, reset_seconds: reset } of free.limits)
    assert.ok(window === 60 && Number.isInteger(reset) && reset >= 1 && reset <= 60);
  const [quota] = free.quotas;
  assert.deepEqual(
    [free.quotas.length, quota?.service, quota?.plan, quota?.limit, quota?.remaining],
    [1, "sms", "free", 100, 100],
  );
  assert.ok(Date.parse(quota?.renews_at ?? "") > Date.now());
});

test("a plan without a quota has none, and its own limit goes before everybody's", async () => {
  const scale = await limitsOf(await rig.subscriber({ plan: "scale" }));
  assert.deepEqual(scale.quotas, []);
  assert.equal(scale.limits.find(({ policy }) => policy === "read")?.limit, 10_000_000);
});

test("asking for the limits costs nothing; a send costs one of its own policy and one of the month", async () => {
  const subscriber = await rig.subscriber({ plan: "free" });
  for (const policy of ["read", "sms-send"])
    assert.equal(await leftAfter(subscriber, policy, () => limitsOf(subscriber)), 0);
  const quotaBefore = (await limitsOf(subscriber)).quotas[0]!.remaining;
  let sends = 0;
  const left = await leftAfter(subscriber, "sms-send", () => {
    sends += 1;
    return subscriber.send({ to: phone(sends), message: "One" });
  });
  assert.equal(left, -1);
  assert.equal((await limitsOf(subscriber)).quotas[0]!.remaining, quotaBefore - sends);
});

test("a bulk's recipients count once: its repeat is answered although the minute would not hold them twice", async () => {
  const subscriber = await rig.subscriber({ plan: "free" });
  const to = Array.from({ length: 60 }, (_, index) => phone(100 + index));
  const named: readonly (readonly [body: object, headers: Record<string, string>])[] = [
    [{ to, message: "By key" }, { "idempotency-key": randomUUID() }],
    [{ to: to.slice(0, 35), message: "By reference", reference: "b-1" }, {}],
  ];
  for (const [body, headers] of named) {
    const first = await subscriber.post<Bulk>("/sms/bulk", body, headers);
    assert.equal(first.status, 202, JSON.stringify(first.body));
    const repeat = await subscriber.post<Bulk>("/sms/bulk", body, headers);
    assert.deepEqual([repeat.status, repeat.headers.get("idempotent-replayed")], [202, "true"]);
    assert.deepEqual(repeat.body, first.body);
  }
});

rig.provesItsLedger();

test("a bulk that is refused counts for no recipients: it can be mended and sent within the minute", async () => {
  const subscriber = await rig.subscriber({ plan: "free", balance: "40.00" });
  const send = (recipients: number) =>
    subscriber.post<Bulk>("/sms/bulk", {
      to: Array.from({ length: recipients }, (_, index) => phone(index)),
      message: "Hello",
    });
  const tooDear = async () => assert.equal((await send(60)).status, 402);
  assert.equal(await leftAfter(subscriber, "sms-recipients", tooDear), 0);
  const affordable = async () => assert.equal((await send(10)).status, 202);
  assert.equal(await leftAfter(subscriber, "sms-recipients", affordable), -10);
});
