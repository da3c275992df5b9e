import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, test } from "node:test";
import { DISCOS } from "../../kernel/discos.ts";
import type { Outcome, Provider, ProviderTask } from "../../ports/provider.ts";
import type { PurchasePayload } from "../../ports/purchase-payload.ts";
import { testVendors } from "../../simulators/vendors/rig.ts";
import type { ScenarioName } from "../../simulators/vendors/scenarios.ts";
import { freePort } from "../../testing/gateway.ts";
import { inAWord, PURCHASES, purchaseTask, RecordingSink, TEST_DEPS } from "../../testing/purchase-task.ts";
import { waitFor } from "../../testing/wait-for.ts";
import { buypower } from "./index.ts";

const teardown: (() => Promise<void> | void)[] = [];
after(async () => {
  for (const end of teardown.reverse()) await end();
});
const { ports, client } = await testVendors({ after: (end: () => void) => void teardown.push(end) });
const TOKEN = "simulated-buypower-token";

async function build(settings: object = {}): Promise<Provider<PurchasePayload>> {
  const baseUrl = `http://127.0.0.1:${ports.buypower}`;
  const given = { baseUrl, token: TOKEN, responseTimeoutMs: 400, checkSignature: true, ...settings };
  const built = buypower.build("test-buypower", given, TEST_DEPS);
  assert.ok(built.ok);
  await built.value.start(new RecordingSink());
  return built.value as Provider<PurchasePayload>;
}
const provider = await build();

let meters = 0;
const nextMeter = (): string => `1${String(++meters).padStart(10, "0")}`;
const taskFor = (changes: object = {}, meter = nextMeter()): ProviderTask<PurchasePayload> =>
  purchaseTask(provider, { ...PURCHASES.electricity, ...changes }, meter);

/** Asks until the answer is the wanted one. */
const requeried = (task: ProviderTask<PurchasePayload>, wanted: string): Promise<Outcome> =>
  waitFor(`a requery that says ${wanted}`, async () => {
    const outcome = await provider.requery!(task);
    return inAWord(outcome) === wanted && outcome;
  });

const tokensOf = (outcome: Outcome): readonly { kind: string; value: string; units_kwh?: string }[] => {
  const facts = "facts" in outcome ? outcome.facts : undefined;
  return (facts?.tokens ?? []) as { kind: string; value: string; units_kwh?: string }[];
};

/** The matrix: the first answer, the last word of the requeries, and how often the vendor sold it. */
const MATRIX: readonly (readonly [ScenarioName, first: string, last: string, times: number])[] = [
  ["success", "done", "done", 1],
  ["pending_then_delivered", "accepted", "done", 1],
  ["pending_then_failed", "accepted", "rejected route vendor_failed", 0],
  ["pending_forever", "accepted", "accepted", 0],
  ["timeout_then_delivered", "unknown", "done", 1],
  ["timeout_then_failed", "unknown", "rejected route vendor_failed", 0],
  ["never_received", "unknown", "not_found", 0],
  ["never_received_silent", "unknown", "not_found", 0],
  ["http_500_then_delivered", "unknown", "done", 1],
  ["http_503_then_delivered", "unknown", "done", 1],
  ["html_then_delivered", "unknown", "done", 1],
  ["empty_then_failed", "unknown", "rejected route vendor_failed", 0],
  ["unlisted_code_then_delivered", "unknown", "done", 1],
  ["unlisted_code_then_failed", "unknown", "rejected route vendor_failed", 0],
  // The vendor has no word for a reversal.
  ["delivered_then_reversed", "done", "rejected route vendor_failed", 1],
  ["failed_then_delivered", "unknown", "done", 1],
  ["duplicate", "unknown", "not_found", 0],
  ["reference_used", "unknown", "done", 1],
  ["float_low", "rejected route no_route alarm", "not_found", 0],
  ["below_minimum", "unknown", "not_found", 0],
  ["requery_fails", "accepted", "done", 1],
  ["credentials_refused", "rejected route no_route alarm", "not_found", 0],
  ["reference_expired", "unknown", "not_found", 0],
  ["slow_drip", "unknown", "done", 1],
  ["half_json", "unknown", "done", 1],
  ["wrong_length", "unknown", "done", 1],
  ["odd_numbers", "done", "done", 1],
  ["delivered_twice", "done", "done", 2],
  ["product_down", "rejected order vendor_failed", "not_found", 0],
];
for (const [scenario, first, last, times] of MATRIX)
  test(`${scenario}: first ${first}, then ${last}, and it was sold ${times} times`, async () => {
    const task = taskFor();
    await client.scenario("buypower", scenario, { recipient: task.recipient, afterMs: 100, on: "vend" });
    assert.equal(inAWord(await provider.send(task, 0)), first);
    await requeried(task, last);
    const vends = await client.vends("buypower", { recipient: task.recipient });
    assert.equal(vends.filter(({ stages }) => stages.some(({ state }) => state === "delivered")).length, times);
  });

test("a purchase in progress is asked about when the vendor's list of delays says so", async (t) => {
  t.after(() => client.settings("buypower", { delaySeconds: [1] }));
  await client.settings("buypower", { delaySeconds: [20, 20, 20] });
  const task = taskFor();
  await client.scenario("buypower", "pending_forever", { recipient: task.recipient });
  assert.deepEqual(await provider.send(task, 0), { kind: "accepted", askAgainMs: 20_000 });
  assert.deepEqual(await provider.requery!(task), { kind: "accepted" }, "a requery brings no list, and says 201");
});

test("the same orderId again is never sold again, and the requery tells the first", async () => {
  const task = taskFor();
  const first = await provider.send(task, 0);
  assert.equal(inAWord(await provider.send(task, 0)), "unknown");
  assert.deepEqual(tokensOf(await provider.requery!(task)), tokensOf(first));
  assert.equal((await client.vends("buypower", { recipient: task.recipient })).length, 1);
});

test("a delivered purchase without its token is incomplete until a requery brings the token", async () => {
  const task = taskFor();
  await client.scenario("buypower", "token_late", { recipient: task.recipient, afterMs: 200 });
  const first = await provider.send(task, 0);
  assert.equal(inAWord(first), "incomplete");
  assert.deepEqual(tokensOf(first), []);
  assert.equal(tokensOf(await requeried(task, "done")).length, 1);
});

test("a token that never comes leaves the purchase incomplete", async () => {
  const task = taskFor();
  await client.scenario("buypower", "no_token_ever", { recipient: task.recipient });
  assert.equal(inAWord(await provider.send(task, 0)), "incomplete");
  assert.equal(inAWord(await provider.requery!(task)), "incomplete");
});

for (const [scenario, kinds] of [
  ["success", ["credit"]],
  ["key_change", ["kct1", "kct2", "credit"]],
  ["bonus_token", ["credit", "bonus"]],
] as const)
  test(`${scenario}: the meter takes each token once, in the order told, with its units: ${kinds.join(", ")}`, async () => {
    const task = taskFor();
    await client.scenario("buypower", scenario, { recipient: task.recipient });
    const tokens = tokensOf(await provider.send(task, 0));
    assert.deepEqual(
      tokens.map(({ kind }) => kind),
      kinds,
    );
    for (const { kind, value, units_kwh } of tokens) {
      const entered = await client.enterToken(task.recipient, value);
      assert.ok(entered.result === "accepted" && entered.kind === kind);
      if (units_kwh !== undefined) assert.equal(Number(units_kwh), Number(entered.unitsKwh));
      assert.deepEqual(await client.enterToken(task.recipient, value), { result: "used" });
    }
    assert.ok(tokens.find(({ kind }) => kind === "credit")?.units_kwh);
    assert.deepEqual(tokensOf(await provider.requery!(task)), tokens, "a requery tells the same tokens");
  });

test("energy, VAT and debt add up to what was paid, as numbers, as texts and with the noise of floats", async () => {
  for (const scenario of ["success", "odd_numbers"] as const) {
    const meter = nextMeter();
    await client.changeMeter(meter, { arrearsKobo: "123456" });
    const task = taskFor({ amount_kobo: "500051" }, meter);
    await client.scenario("buypower", scenario, { recipient: meter });
    for (const outcome of [await provider.send(task, 0), await provider.requery!(task)]) {
      assert.ok(outcome.kind === "done");
      assert.deepEqual(outcome.facts?.breakdown, { energy: "3503.21", vat: "262.74", arrears: "1234.56" });
      assert.equal(outcome.facts?.cost, "5000.51");
      assert.match(String(outcome.facts?.receipt_number), /^\d+$/);
      assert.match(String(outcome.providerReference), /^\d+$/);
    }
  }
});

test("what a purchase cost us is what the vendor took from the wallet", async () => {
  const before = await provider.balance?.();
  const outcome = await provider.send(taskFor({ amount_kobo: "200000" }), 0);
  assert.equal((before ?? 0n) - ((await provider.balance?.()) ?? 0n), 200_000n);
  assert.equal("facts" in outcome && outcome.facts?.cost, "2000.00");
});

test("each of our discos is sold under the vendor's code, and one that is away is shown as such", async (t) => {
  t.after(() => client.settings("buypower", { discosDown: [] }));
  for (const disco of Object.keys(DISCOS)) assert.equal(inAWord(await provider.send(taskFor({ disco }), 0)), "done");
  await client.settings("buypower", { discosDown: ["PH"] });
  const discos = await provider.billers?.electricity?.();
  assert.deepEqual([...(discos?.keys() ?? [])].sort(), Object.keys(DISCOS).sort());
  assert.deepEqual(
    [...(discos ?? [])].filter(([, isUp]) => !isUp).map(([disco]) => disco),
    ["portharcourt-electric"],
  );
});

test("a disco's code can be set, and one that the vendor does not know is shown as not sold", async () => {
  const other = await build({ discoCodes: { "aba-electric": "ABA" } });
  assert.equal((await other.billers?.electricity?.())?.has("aba-electric"), false);
});

test("a meter is found with its name, kind, bounds and debt", async () => {
  const query = { disco: "benin-electric", meterNumber: "50000000005", meterType: "prepaid" } as const;
  assert.deepEqual(await provider.verify?.meter?.(query), {
    kind: "found",
    meterType: "prepaid",
    customer: { name: "TEST CUSTOMER 0005", address: "05 SAMPLE CLOSE" },
    tariff: "R2",
    arrearsKobo: 50_000n,
    minimumKobo: 150_000n,
    maximumKobo: 50_000_000n,
  });
});

test("a meter that does not exist, a postpaid one and a disco that is away are told apart", async () => {
  const ask = async (meterNumber: string) =>
    provider.verify?.meter?.({ disco: "abuja-electric", meterNumber, meterType: "prepaid" });
  assert.equal((await ask("30000000003"))?.kind, "not_found");
  const postpaid = await ask("20000000002");
  assert.equal(postpaid?.kind === "found" && postpaid.meterType, "postpaid");
  await client.scenario("buypower", "biller_down");
  assert.equal((await ask("10000000001"))?.kind, "unavailable");
});

test("a call that can't reach the vendor is certainly not sent, and a requery then proves nothing", async () => {
  const away = await build({ baseUrl: `http://127.0.0.1:${await freePort()}` });
  const outcome = await away.send(taskFor(), 0);
  assert.ok(outcome.kind === "throttled" && outcome.retryAfterMs > 0);
  assert.equal((await away.requery!(taskFor())).kind, "unknown");
  assert.equal(await away.balance?.(), undefined);
  assert.equal(await away.billers?.electricity?.(), undefined);
});

test("nothing is sent once the lease may have passed on, or without a committed reference", async () => {
  const task = taskFor();
  for (const spoilt of [
    { ...task, mayStillSend: () => false },
    { ...task, reference: null },
  ]) {
    const outcome = await provider.send(spoilt, 0);
    assert.deepEqual([outcome.kind, "retryAfterMs" in outcome && outcome.retryAfterMs], ["throttled", 0]);
  }
  assert.deepEqual(await client.vends("buypower", { recipient: task.recipient }), []);
});

test("airtime is not sold here, and the next route may try", async () => {
  const task = purchaseTask<PurchasePayload>(provider, PURCHASES.airtime, "2348031234567");
  assert.equal(inAWord(await provider.send(task, 0)), "rejected route no_route");
});

test("a wrong token is our trouble: the route is refused with an alarm that says nothing of it, and lists are not learned", async () => {
  const stranger = await build({ token: "wrong", checkSignature: false });
  const outcome = await stranger.send(taskFor(), 0);
  assert.equal(inAWord(outcome), "rejected route no_route alarm");
  assert.ok(outcome.kind === "rejected" && outcome.detail === "The vendor could not take it.");
  assert.ok(!JSON.stringify(outcome).includes("wrong"));
  assert.equal(await stranger.billers?.electricity?.(), undefined);
  assert.equal(await stranger.balance?.(), undefined);
});

test("with signatures checked, an answer that another key has signed decides nothing", async () => {
  const stranger = await build({ token: "wrong" });
  assert.equal((await stranger.send(taskFor(), 0)).kind, "unknown");
});

test("a signature is over the bytes as they came, with the mark that some answers begin with", async () => {
  const body = Buffer.from('\ufeff{"responseCode":200,"balance":"12.50"}');
  const headers = { "x-buypower-signature": createHash("sha512").update(body).update(TOKEN).digest("hex") };
  const settings = { baseUrl: "http://127.0.0.1:1", token: TOKEN, checkSignature: true };
  const built = buypower.build("test-buypower", settings, {
    ...TEST_DEPS,
    fetch: async () => new Response(body, { headers }),
  });
  assert.ok(built.ok);
  assert.equal(await built.value.balance?.(), 1_250n);
});

test("an attempt's orderId is the order's own, and each attempt has another", () => {
  const { orderId } = taskFor();
  const ids = [1, 2, 3].map((attempt) => provider.makeReference!({ orderId, attempt }, new Date()));
  assert.equal(new Set(ids).size, 3);
  for (const id of ids) assert.match(id, /^[0-9a-f]{32}-\d$/);
});

test("a wrong token closes the route and is told from the start, whatever nobody has bought yet", async () => {
  const wrong = await build({ token: "wrong", checkSignature: false });
  await waitFor("the vendor's refusal", () => !wrong.ready());
  assert.match(wrong.whyNotReady?.() ?? "", /BuyPower answers 401: is the token right/);
  await wrong.stop();
});
