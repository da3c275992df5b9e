import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Network } from "../../kernel/networks.ts";
import type { Outcome, Provider, ProviderTask } from "../../ports/provider.ts";
import type { PurchasePayload } from "../../ports/purchase-payload.ts";
import { testVendors } from "../../simulators/vendors/rig.ts";
import type { ScenarioName } from "../../simulators/vendors/scenarios.ts";
import { DESCRIPTIONS } from "../../simulators/vtpass/codes.ts";
import { freePort } from "../../testing/gateway.ts";
import { inAWord, PURCHASES, purchaseTask, RecordingSink, TEST_DEPS } from "../../testing/purchase-task.ts";
import { waitFor } from "../../testing/wait-for.ts";
import { vtpass } from "./index.ts";
import { STATUSES } from "./statuses.ts";

const teardown: (() => Promise<void> | void)[] = [];
after(async () => {
  for (const end of teardown.reverse()) await end();
});
const { ports, client } = await testVendors({ after: (end: () => void) => void teardown.push(end) });
const KEYS = { apiKey: "simulated-api-key", publicKey: "PK_simulated", secretKey: "SK_simulated" };

function build(settings: object = {}): Provider<PurchasePayload> {
  const baseUrl = `http://127.0.0.1:${ports.vtpass}`;
  const built = vtpass.build("test-vtpass", { baseUrl, ...KEYS, responseTimeoutMs: 400, ...settings }, TEST_DEPS);
  assert.ok(built.ok);
  return built.value as Provider<PurchasePayload>;
}
const provider = build();
const sink = new RecordingSink();
await provider.start(sink);

/** A phone for each case: the vendor refuses what looks like a repeat. */
let phones = 0;
const nextPhone = (): string => `23480312${String(++phones).padStart(5, "0")}`;
let meters = 0;
const nextMeter = (): string => `1${String(++meters).padStart(10, "0")}`;

const taskFor = (product: keyof typeof PURCHASES): ProviderTask<PurchasePayload> =>
  purchaseTask(provider, PURCHASES[product], product === "electricity" ? nextMeter() : nextPhone());

/** Asks until the answer is another than `accepted` or `unknown`, or the simulator has come to the last stage. */
const requeried = (task: ProviderTask<PurchasePayload>, wanted: string): Promise<Outcome> =>
  waitFor(`a requery that says ${wanted}`, async () => {
    const outcome = await provider.requery!(task);
    return inAWord(outcome) === wanted && outcome;
  });

/** The matrix: the first answer, the last word of the requeries, and how often the phone or meter got it. */
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
  ["delivered_then_reversed", "done", "reversed", 1],
  ["failed_then_delivered", "rejected route vendor_failed", "done", 1],
  ["duplicate", "throttled", "not_found", 0],
  ["reference_used", "unknown", "done", 1],
  ["float_low", "rejected route no_route alarm", "not_found", 0],
  ["below_minimum", "rejected order amount_out_of_bounds", "not_found", 0],
  ["requery_fails", "accepted", "done", 1],
  ["credentials_refused", "rejected route no_route alarm", "not_found", 0],
  ["reference_expired", "rejected route no_route alarm", "not_found", 0],
  ["slow_drip", "unknown", "done", 1],
  ["half_json", "unknown", "done", 1],
  ["wrong_length", "unknown", "done", 1],
  ["odd_numbers", "done", "done", 1],
  ["delivered_twice", "done", "done", 2],
  ["product_down", "rejected route no_route", "not_found", 0],
  ["number_invalid", "rejected order invalid_number", "not_found", 0],
  ["wrong_network", "rejected order wrong_network", "not_found", 0],
];
for (const [scenario, first, last, times] of MATRIX)
  for (const product of ["airtime", "data", "electricity"] as const)
    test(`${product}, ${scenario}: first ${first}, then ${last}, and it came ${times} times`, async () => {
      const task = taskFor(product);
      await client.scenario("vtpass", scenario, { recipient: task.recipient, afterMs: 100 });
      assert.equal(inAWord(await provider.send(task, 0)), first);
      await requeried(task, last);
      if (product === "electricity") {
        // A second vend under one reference has no second token here: what the vendor took counts.
        const vends = await client.vends("vtpass", { recipient: task.recipient });
        assert.equal(vends.filter(({ stages }) => stages.some(({ state }) => state === "delivered")).length, times);
      } else assert.equal((await client.phone(task.recipient))[product].length, times);
    });

test("a plan that is gone, or sold at a new price, is refused before anything is bought, and the catalogue is fetched anew", async () => {
  for (const scenario of ["plan_gone", "price_raised"] as const) {
    const before = sink.planChanges;
    const plan = (await provider.plans?.data?.())?.find(
      ({ code }) => code.startsWith("airtel-data:") && code.endsWith("-30d"),
    );
    assert.ok(plan);
    const payload = {
      ...PURCHASES.data,
      network: "airtel",
      plan: { ...PURCHASES.data.plan, code: plan.code },
    } as const;
    const task = purchaseTask(provider, payload, nextPhone());
    await client.scenario("vtpass", scenario, { recipient: task.recipient });
    assert.equal(inAWord(await provider.send(task, 0)), "rejected order plan_not_found");
    assert.equal(sink.planChanges, before + 1);
    assert.equal(
      (await provider.plans?.data?.())?.some(({ code }) => code === plan.code),
      false,
    );
  }
});

test("a delivered prepaid purchase without a token is incomplete until the requery brings the token", async () => {
  const task = taskFor("electricity");
  await client.scenario("vtpass", "token_late", { recipient: task.recipient, afterMs: 200 });
  const first = await provider.send(task, 0);
  assert.equal(inAWord(first), "incomplete");
  assert.ok(!JSON.stringify(first).includes("tokens"));
  const later = await requeried(task, "done");
  assert.equal(tokensOf(later).length, 1);
});

test("a token that never comes leaves the purchase incomplete", async () => {
  const task = taskFor("electricity");
  await client.scenario("vtpass", "no_token_ever", { recipient: task.recipient });
  assert.equal(inAWord(await provider.send(task, 0)), "incomplete");
  assert.equal(inAWord(await provider.requery!(task)), "incomplete");
});

const tokensOf = (outcome: Outcome): readonly { kind: string; value: string }[] => {
  const facts = "facts" in outcome ? outcome.facts : undefined;
  return (facts?.tokens ?? []) as { kind: string; value: string }[];
};

const DISCOS = ["ikeja-electric", "eko-electric", "kano-electric", "portharcourt-electric", "enugu-electric"];
for (const disco of [...DISCOS, "jos-electric", "abuja-electric"])
  for (const [scenario, kinds] of [
    ["success", ["credit"]],
    ["key_change", ["kct1", "kct2", "credit"]],
    ["bonus_token", ["credit", "bonus"]],
  ] as const)
    test(`${disco}, ${scenario}: the meter takes each token once, in the order told: ${kinds.join(", ")}`, async () => {
      const meter = nextMeter();
      const task = purchaseTask(provider, { ...PURCHASES.electricity, disco }, meter);
      await client.scenario("vtpass", scenario, { recipient: meter });
      const outcome = await provider.send(task, 0);
      const tokens = tokensOf(outcome);
      assert.deepEqual(
        tokens.map(({ kind }) => kind),
        kinds,
      );
      for (const { kind, value } of tokens) {
        const entered = await client.enterToken(meter, value);
        assert.equal(entered.result === "accepted" && entered.kind, kind);
        assert.deepEqual(await client.enterToken(meter, value), { result: "used" });
      }
      assert.deepEqual(tokensOf(await provider.requery!(task)), tokens, "a requery tells the same tokens");
    });

test("what a purchase cost us is what the vendor took from the float", async () => {
  for (const product of ["airtime", "data", "electricity"] as const) {
    const before = await provider.balance?.();
    const outcome = await provider.send(taskFor(product), 0);
    const cost = "facts" in outcome ? String(outcome.facts?.cost) : "";
    const taken = (before ?? 0n) - ((await provider.balance?.()) ?? 0n);
    assert.equal(cost, `${taken / 100n}.${String(taken % 100n).padStart(2, "0")}`);
  }
});

test("amounts with kobo, and with the noise of floats, come out to the kobo", async () => {
  const task = purchaseTask(provider, { ...PURCHASES.electricity, amount_kobo: "150051" }, nextMeter());
  await client.scenario("vtpass", "odd_numbers", { recipient: task.recipient });
  const outcome = await provider.send(task, 0);
  assert.ok(outcome.kind === "done");
  // 1 % commission of ₦1,500.51, whole kobo; VAT of 7.5 % inside.
  assert.equal(outcome.facts?.cost, "1485.51");
  assert.deepEqual(outcome.facts?.breakdown, { energy: "1395.82", vat: "104.69" });
  const [vend] = await client.vends("vtpass", { recipient: task.recipient });
  assert.equal(vend?.amountKobo, "150051");
});

test("energy, VAT and debt add up to what was paid, at every disco that tells them", async () => {
  for (const disco of DISCOS) {
    const meter = nextMeter();
    await client.changeMeter(meter, { arrearsKobo: "123456" });
    const task = purchaseTask(provider, { ...PURCHASES.electricity, disco }, meter);
    const outcome = await provider.send(task, 0);
    assert.ok(outcome.kind === "done", disco);
    const breakdown = outcome.facts?.breakdown as Record<"energy" | "vat" | "arrears", string>;
    assert.equal(breakdown.arrears, "1234.56", disco);
    const kobo = Object.values(breakdown).map((naira) => BigInt(naira.replace(".", "")));
    assert.equal(
      kobo.reduce((sum, one) => sum + one, 0n),
      500_000n,
      disco,
    );
  }
});

for (const code of Object.keys(DESCRIPTIONS))
  test(`the code ${code} on the wire is what the table says of it`, async (t) => {
    t.after(() => client.settings("vtpass", { accountCode: null }));
    await client.settings("vtpass", { accountCode: code });
    const task = taskFor("airtime");
    for (const [call, ask] of [
      ["pay", () => provider.send(task, 0)],
      ["requery", () => provider.requery!(task)],
    ] as const) {
      const outcome = await ask();
      // Without a transaction 000 and 001 decide nothing.
      const kind = STATUSES[code]?.[call].kind ?? "unknown";
      const expected = { by_status: "unknown", pending: "accepted", failed: "rejected", duplicate: "throttled" };
      assert.equal(outcome.kind, Object.hasOwn(expected, kind) ? expected[kind as keyof typeof expected] : kind, call);
      if (outcome.kind === "rejected" && outcome.alarm) assert.equal(outcome.detail, "The vendor could not take it.");
    }
  });

test("a call that can't reach the vendor is certainly not sent, and a requery then proves nothing", async () => {
  const away = build({ baseUrl: `http://127.0.0.1:${await freePort()}` });
  await away.start(sink);
  const task = taskFor("airtime");
  const outcome = await away.send(task, 0);
  assert.ok(outcome.kind === "throttled" && outcome.retryAfterMs > 0);
  assert.equal((await away.requery!(task)).kind, "unknown");
  assert.equal(await away.balance?.(), undefined);
  assert.equal(await away.plans?.data?.(), undefined);
  assert.equal(await away.billers?.electricity?.(), undefined);
});

test("nothing is sent once the lease may have passed on", async () => {
  const task = { ...taskFor("airtime"), mayStillSend: () => false };
  const outcome = await provider.send(task, 0);
  assert.deepEqual([outcome.kind, "retryAfterMs" in outcome && outcome.retryAfterMs], ["throttled", 0]);
  assert.deepEqual(await client.vends("vtpass", { recipient: task.recipient }), []);
});

test("wrong keys are our trouble: the route is refused with an alarm that says nothing of the keys", async () => {
  const stranger = build({ secretKey: "SK_wrong" });
  await stranger.start(sink);
  const outcome = await stranger.send(taskFor("airtime"), 0);
  assert.equal(inAWord(outcome), "rejected route no_route alarm");
  assert.ok(!JSON.stringify(outcome).includes("SK_wrong"));
});

test("a meter is found with its name, bounds and debt, whatever the disco calls them", async () => {
  for (const disco of [...DISCOS, "abuja-electric"]) {
    const answer = await provider.verify?.meter?.({ disco, meterNumber: "50000000005", meterType: "prepaid" });
    assert.ok(answer?.kind === "found", disco);
    assert.equal(answer.customer.name, "TEST CUSTOMER 0005");
    assert.deepEqual([answer.meterType, answer.arrearsKobo, answer.minimumKobo], ["prepaid", 50_000n, 150_000n], disco);
  }
});

test("a meter that does not exist, a postpaid one and a disco that is away are told apart", async () => {
  const ask = async (meterNumber: string, disco = "abuja-electric") =>
    provider.verify?.meter?.({ disco, meterNumber, meterType: "prepaid" });
  for (const disco of ["ikeja-electric", "eko-electric", "abuja-electric"])
    assert.equal((await ask("30000000003", disco))?.kind, "not_found", disco);
  const postpaid = await ask("20000000002");
  assert.equal(postpaid?.kind === "found" && postpaid.meterType, "postpaid");
  await client.scenario("vtpass", "biller_down");
  assert.equal((await ask("10000000001"))?.kind, "unavailable");
});

test("the catalogue has the plans of all networks with codes that can be bought, and the discos are ours", async () => {
  const plans = (await provider.plans?.data?.()) ?? [];
  assert.deepEqual([...new Set(plans.map(({ group }) => group))].sort(), ["9mobile", "airtel", "glo", "mtn"]);
  const odd = plans.find(({ name }) => name.includes("Xtratalk"));
  assert.equal(odd?.costKobo, 50_050n);
  for (const { code, group, name } of [plans[0]!, plans.at(-1)!]) {
    const payload = {
      product: "data",
      network: group as Network,
      plan: { ...PURCHASES.data.plan, code, name },
    } as const;
    assert.equal(inAWord(await provider.send(purchaseTask(provider, payload, nextPhone()), 0)), "done");
  }
  assert.equal((await provider.billers?.electricity?.())?.size, 12);
});

test("wrong keys close the route and are told from the start, whatever nobody has bought yet", async () => {
  for (const [keys, why] of [
    [{ publicKey: "PK_wrong" }, /VTpass refuses .*credentials are not valid/],
    [{}, undefined],
  ] as const) {
    const wrong = build(keys);
    await wrong.start(new RecordingSink());
    if (why) {
      await waitFor("the vendor's refusal", () => !wrong.ready());
      assert.match(wrong.whyNotReady?.() ?? "", why);
    }
    await wrong.stop();
    assert.equal(wrong.whyNotReady?.() === undefined, why === undefined);
  }
});
