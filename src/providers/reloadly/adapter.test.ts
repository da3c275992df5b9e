import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome, ProviderTask } from "../../ports/provider.ts";
import type { PurchasePayload } from "../../ports/purchase-payload.ts";
import type { ScenarioName } from "../../simulators/vendors/scenarios.ts";
import { freePort } from "../../testing/gateway.ts";
import { inAWord, PURCHASES, purchaseTask, RecordingSink } from "../../testing/purchase-task.ts";
import { RELOADLY_SELLS, reloadlyRig } from "../../testing/reloadly-rig.ts";
import { waitFor } from "../../testing/wait-for.ts";
import { ERRORS } from "./errors.ts";

const { client, build, nextPhone, taskFor, calls } = await reloadlyRig();
const provider = build();
const sink = new RecordingSink();
await provider.start(sink);

/** The task as the engine hands it over once the vendor has named it. */
const named = (task: ProviderTask<PurchasePayload>, outcome: Outcome): ProviderTask<PurchasePayload> =>
  "providerReference" in outcome && outcome.providerReference !== undefined
    ? { ...task, providerReference: outcome.providerReference }
    : task;

const requeried = (task: ProviderTask<PurchasePayload>, wanted: string): Promise<Outcome> =>
  waitFor(`a requery that says ${wanted}`, async () => {
    const outcome = await provider.requery!(task);
    return inAWord(outcome) === wanted && outcome;
  });

/** The matrix: the first answer, the last word of the requeries, and how often the phone got it. */
const MATRIX: readonly (readonly [ScenarioName, first: string, last: string, times: number])[] = [
  ["success", "accepted", "done", 1],
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
  ["delivered_then_reversed", "accepted", "reversed", 1],
  ["failed_then_delivered", "accepted", "done", 1],
  ["duplicate", "throttled", "not_found", 0],
  ["reference_used", "unknown", "done", 1],
  ["float_low", "rejected route no_route alarm", "not_found", 0],
  ["callback_twice", "accepted", "done", 1],
  ["callback_out_of_order", "accepted", "done", 1],
  ["callback_forged", "accepted", "done", 1],
  ["callback_replayed", "accepted", "done", 1],
  ["callback_missing", "accepted", "done", 1],
  ["callback_late", "accepted", "done", 1],
  ["requery_fails", "accepted", "done", 1],
  // The token has expired: the call is repeated with a fresh one, and meets no scenario any more.
  ["credentials_refused", "accepted", "done", 1],
  ["reference_expired", "rejected route route_misconfigured alarm", "not_found", 0],
  ["slow_drip", "unknown", "done", 1],
  ["half_json", "unknown", "done", 1],
  ["wrong_length", "unknown", "done", 1],
  ["odd_numbers", "accepted", "done", 1],
  ["delivered_twice", "accepted", "done", 2],
  ["product_down", "rejected route no_route", "not_found", 0],
  ["number_invalid", "rejected order invalid_number", "not_found", 0],
  ["wrong_network", "rejected order wrong_network", "not_found", 0],
];
for (const [scenario, first, last, times] of MATRIX)
  for (const product of ["airtime", "data"] as const)
    test(`${product}, ${scenario}: first ${first}, then ${last}, and it came ${times} times`, async () => {
      const task = taskFor(provider, product);
      await client.scenario("reloadly", scenario, { recipient: task.recipient, afterMs: 100 });
      const outcome = await provider.send(task, 0);
      assert.equal(inAWord(outcome), first);
      await requeried(named(task, outcome), last);
      // By our own reference the vendor says the same.
      await requeried(task, last);
      assert.equal((await client.phone(task.recipient))[product].length, times);
    });

/** What an error means for airtime, in a word. */
function expected(meaning: (typeof ERRORS)[string]): string {
  if (meaning.kind === "amount") return "rejected route amount_out_of_bounds";
  if (meaning.kind !== "rejected") return meaning.kind;
  return `rejected ${meaning.scope} ${meaning.code}${meaning.alarm ? " alarm" : ""}`;
}
for (const [code, meaning] of Object.entries(ERRORS))
  test(`the error ${code} on the wire is what the table says of it, and nothing was bought`, async (t) => {
    t.after(() => client.settings("reloadly", { errorCode: null }));
    await client.settings("reloadly", { errorCode: code });
    const task = taskFor(provider, "airtime");
    const outcome = await provider.send(task, 0);
    assert.equal(inAWord(outcome), expected(meaning));
    // Words about our own trouble are for the operator.
    if (outcome.kind === "rejected") assert.equal(outcome.detail.includes(code), outcome.alarm === undefined);
    assert.deepEqual(await client.vends("reloadly", { recipient: task.recipient }), []);
  });

test("an error that is not listed decides nothing", async (t) => {
  t.after(() => client.settings("reloadly", { errorCode: null }));
  for (const code of ["SOMETHING_NEW", "constructor", "__proto__", "x".repeat(5_000)]) {
    await client.settings("reloadly", { errorCode: code });
    assert.equal(inAWord(await provider.send(taskFor(provider, "airtime"), 0)), "unknown");
  }
});

test("an amount that is not sold is the route's trouble for airtime; a bundle of that amount is gone", async () => {
  const airtime = taskFor(provider, "airtime");
  await client.scenario("reloadly", "below_minimum", { recipient: airtime.recipient });
  assert.equal(inAWord(await provider.send(airtime, 0)), "rejected route amount_out_of_bounds");
  const data = purchaseTask(
    provider,
    { ...RELOADLY_SELLS.data, plan: { ...RELOADLY_SELLS.data.plan, code: "345:501.00" } } as const,
    nextPhone(),
  );
  assert.equal(inAWord(await provider.send(data, 0)), "rejected order plan_not_found");
  const unreadable = purchaseTask(
    provider,
    { ...RELOADLY_SELLS.data, plan: { ...RELOADLY_SELLS.data.plan, code: "mtn-data:1gb" } } as const,
    nextPhone(),
  );
  assert.equal(inAWord(await provider.send(unreadable, 0)), "rejected order plan_not_found");
});

test("a plan that is gone, or sold at a new price, is refused before anything is bought, and the catalogue is fetched anew", async () => {
  for (const scenario of ["plan_gone", "price_raised"] as const) {
    const before = sink.planChanges;
    const plan = (await provider.plans?.data?.())?.find(({ code }) => code.startsWith("646:"));
    assert.ok(plan);
    const payload = {
      ...RELOADLY_SELLS.data,
      network: "airtel",
      plan: { ...RELOADLY_SELLS.data.plan, code: plan.code, name: plan.name },
    } as const;
    const task = purchaseTask(provider, payload, nextPhone());
    await client.scenario("reloadly", scenario, { recipient: task.recipient });
    assert.equal(inAWord(await provider.send(task, 0)), "rejected order plan_not_found");
    assert.equal(sink.planChanges, before + 1);
    const codes = (await provider.plans?.data?.())?.map(({ code }) => code);
    assert.equal(codes?.includes(plan.code), false);
  }
});

test("plans are the fixed amounts with their descriptions, by network, and nothing else of the list", async () => {
  const plans = (await provider.plans?.data?.()) ?? [];
  const mtn = plans.filter(({ group }) => group === "mtn");
  assert.deepEqual(mtn[3], { code: "345:750.50", group: "mtn", name: "1.5GB 30 Days", costKobo: 75_050n });
  assert.deepEqual(new Set(plans.map(({ group }) => group)), new Set(["mtn", "airtel", "glo", "9mobile"]));
  assert.ok(
    plans.every(({ code }) => !code.startsWith("1206:")),
    "no PINs",
  );
});

test("each network's airtime goes to its own operator, found in the list or told by the settings", async () => {
  for (const [network, operatorId] of [
    ["mtn", 341],
    ["airtel", 342],
    ["glo", 344],
    ["9mobile", 340],
  ] as const) {
    const task = purchaseTask(provider, { ...PURCHASES.airtime, network }, nextPhone());
    assert.equal(inAWord(await provider.send(task, 0)), "accepted");
    const [vend] = await client.vends("reloadly", { reference: task.reference! });
    assert.equal(vend?.details.operatorId, operatorId);
  }
  const told = build({ operators: { mtn: 342 } });
  const task = purchaseTask(told, PURCHASES.airtime, nextPhone());
  await told.send(task, 0);
  assert.equal((await client.vends("reloadly", { reference: task.reference! }))[0]?.details.operatorId, 342);
});

test("a success tells the network, what it cost us to the kobo, and the operator's own number", async () => {
  for (const scenario of ["success", "odd_numbers"] as const) {
    const task = taskFor(provider, "airtime");
    await client.scenario("reloadly", scenario, { recipient: task.recipient });
    const before = await provider.balance?.();
    const first = await provider.send(task, 0);
    const outcome = await requeried(named(task, first), "done");
    assert.ok(outcome.kind === "done" && first.kind === "accepted");
    assert.equal(outcome.providerReference, first.providerReference);
    assert.deepEqual(outcome.facts, {
      network: "mtn",
      cost: "485.00",
      receipt_number: `op-${outcome.providerReference}`,
    });
    assert.equal((before ?? 0n) - ((await provider.balance?.()) ?? 0n), 48_500n);
  }
});

test("it is asked for by the vendor's number once that is known, and by our reference before", async () => {
  const task = taskFor(provider, "airtime");
  const first = await provider.send(task, 0);
  assert.ok(first.kind === "accepted");
  const status = `/topups/${first.providerReference}/status`;
  await provider.requery!(task);
  assert.equal((await calls(status)).length, 0);
  await provider.requery!(named(task, first));
  assert.equal((await calls(status)).length, 1);
});

test("what the network failed and the vendor refunded is reversed", async (t) => {
  t.after(() => client.settings("reloadly", { failedAs: "FAILED" }));
  await client.settings("reloadly", { failedAs: "REFUNDED" });
  const task = taskFor(provider, "airtime");
  await client.scenario("reloadly", "pending_then_failed", { recipient: task.recipient, afterMs: 50 });
  await provider.send(task, 0);
  await requeried(task, "reversed");
});

test("one reference is taken once: its repeat is refused without the first result, which the requery finds", async () => {
  const task = taskFor(provider, "airtime");
  assert.equal(inAWord(await provider.send(task, 0)), "accepted");
  assert.equal(inAWord(await provider.send(task, 0)), "unknown");
  await requeried(task, "done");
  assert.equal((await client.phone(task.recipient)).airtime.length, 1);
});

test("a phone that was topped up a moment ago waits as long as the settings say", async (t) => {
  t.after(() => client.settings("reloadly", { rechargeWindowMs: 0 }));
  await client.settings("reloadly", { rechargeWindowMs: 120_000 });
  const task = taskFor(provider, "airtime");
  await provider.send(task, 0);
  const again = purchaseTask(provider, RELOADLY_SELLS.airtime, task.recipient);
  const outcome = await provider.send(again, 0);
  assert.ok(outcome.kind === "throttled");
  assert.equal(outcome.retryAfterMs, 130_000);
});

test("a float that is low is told to the operator alone", async () => {
  const task = taskFor(provider, "airtime");
  await client.scenario("reloadly", "float_low", { recipient: task.recipient });
  const outcome = await provider.send(task, 0);
  assert.ok(outcome.kind === "rejected");
  assert.equal(outcome.detail, "The vendor could not take it.");
  assert.match(outcome.alarm ?? "", /float/);
});

test("a vendor that is not there has certainly taken nothing, and proves nothing when it is asked", async () => {
  const away = build({ baseUrl: `http://127.0.0.1:${await freePort()}` });
  const task = taskFor(away, "airtime");
  assert.equal(inAWord(await away.send(task, 0)), "throttled");
  assert.equal(inAWord(await away.requery!(task)), "unknown");
  assert.equal(await away.balance?.(), undefined);
  assert.equal(await away.plans?.data?.(), undefined);
});

test("electricity is not sold here, which is certain", async () => {
  const task = purchaseTask(provider, PURCHASES.electricity, "10000000001");
  assert.equal(inAWord(await provider.send(task, 0)), "rejected route no_route");
});
