import assert from "node:assert/strict";
import { test } from "node:test";
import { readAudit } from "../accounts/audit.repo.ts";
import type { Uuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import { FAULT_KINDS, type FaultKind } from "../simulators/paystack/faults.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeFundingRig, referenceOf, type TopupAnswer } from "../testing/funding-rig.ts";
import { ledgerFindings } from "../testing/ledger-findings.ts";
import { waitFor } from "../testing/wait-for.ts";
import { settle } from "./credit.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makeFundingRig(db);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const VERIFY = "/transaction/verify";

const stateOf = async (reference: string): Promise<string | undefined> =>
  (await db.query<{ state: string }>("select state from funding_payments where reference = $1", [reference])).rows[0]
    ?.state;

test("a page that was paid without a report is found by the schedule", async () => {
  const topup = await rig.topUp("800.00");
  await rig.control("/pay", { reference: referenceOf(topup), times: 0 });
  await rig.verifier.runOnce();
  assert.equal((await rig.read(topup.id)).status, "pending", "it is not due before a minute");
  rig.clock.advance(MINUTE);
  await rig.verifier.runOnce();
  assert.equal((await rig.read(topup.id)).status, "successful");
});

test("a page that nobody pays is asked about ever less often, once more at its end, and then it has expired", async () => {
  const topup = await rig.topUp("800.00");
  const before = rig.calls(referenceOf(topup));
  for (let minute = 0; minute < 24 * 60 - 1; minute += 1) {
    rig.clock.advance(MINUTE);
    if (minute < 60 || minute % 30 === 0) await rig.verifier.runOnce();
  }
  assert.equal((await rig.read(topup.id)).status, "pending");
  const asked = rig.calls(referenceOf(topup)) - before;
  assert.ok(asked >= 20 && asked <= 32, `asked ${asked} times in a day`);
  rig.clock.advance(MINUTE);
  await rig.verifier.runOnce();
  assert.equal(rig.calls(referenceOf(topup)) - before, asked + 1);
  assert.equal((await rig.read(topup.id)).status, "expired");
  assert.equal(await stateOf(referenceOf(topup)), "given_up");
  rig.clock.advance(24 * HOUR);
  await rig.verifier.runOnce();
  assert.equal(rig.calls(referenceOf(topup)) - before, asked + 1);

  const balance = await rig.balance();
  await rig.control("/pay", { reference: referenceOf(topup) });
  await rig.verifier.runOnce();
  assert.equal((await rig.read(topup.id)).status, "successful", "late money is money");
  assert.equal((await rig.balance()) - balance, 80_000n);
});

test("an attempt that failed is not the end: the payer tries another card", async () => {
  const topup = await rig.topUp("800.00");
  await rig.control("/status", { reference: referenceOf(topup), status: "failed" });
  rig.clock.advance(MINUTE);
  await rig.verifier.runOnce();
  assert.equal((await rig.read(topup.id)).status, "pending");
  await rig.control("/pay", { reference: referenceOf(topup) });
  await rig.verifier.runOnce();
  assert.equal((await rig.read(topup.id)).status, "successful");
});

/** What leaves the answer whole and true. */
const HARMLESS: readonly FaultKind[] = ["slow", "amount_as_text"];

for (const kind of FAULT_KINDS.filter((fault) => !HARMLESS.includes(fault)))
  test(`an answer with the fault ${kind} credits nothing, and is asked for again`, async () => {
    const topup = await rig.topUp("600.00");
    const before = await rig.balance();
    rig.faults({ path: VERIFY, kind, times: 2 });
    const { delivered } = await rig.control("/pay", { reference: referenceOf(topup) });
    assert.deepEqual(delivered, [200], "the report is kept whatever Paystack's API does");
    await rig.verifier.runOnce();
    assert.equal(await rig.balance(), before);
    assert.equal((await rig.read(topup.id)).status, "pending");
    rig.clock.advance(5_000);
    await rig.verifier.runOnce();
    assert.equal(await rig.balance(), before);
    rig.clock.advance(15_000);
    await rig.verifier.runOnce();
    assert.equal((await rig.balance()) - before, 60_000n);
  });

test("an amount in digits is an amount", async () => {
  const topup = await rig.topUp("600.00");
  rig.faults({ path: VERIFY, kind: "amount_as_text", times: 1 });
  await rig.control("/pay", { reference: referenceOf(topup) });
  await rig.verifier.runOnce();
  assert.equal((await rig.read(topup.id)).paid?.amount, "600.00");
});

for (const kind of ["error_500", "html", "truncated", "silent", "hang_up", "other_reference"] as const)
  test(`when the page can't be opened (${kind}) there is no top-up, and the same key works later`, async () => {
    const count = async () => (await db.query("select 1 from topups")).rowCount;
    const before = await count();
    const headers = { "idempotency-key": `fault ${kind}` };
    const request = { amount: 500, method: "link" };
    rig.faults({ path: "/transaction/initialize", kind, times: 1 });
    const refused = await rig.call<{ code: string }>("POST", "/wallet/topups", request, headers);
    assert.deepEqual([refused.status, refused.body.code], [503, "provider_unavailable"]);
    assert.equal(refused.headers.get("retry-after"), "5");
    assert.equal(await count(), before);
    assert.equal((await rig.call("POST", "/wallet/topups", request, headers)).status, 201);
  });

test("a payment that was given back is kept for the operator", async () => {
  const topup = await rig.topUp("800.00");
  const before = await rig.balance();
  await rig.control("/pay", { reference: referenceOf(topup), times: 0 });
  await rig.control("/status", { reference: referenceOf(topup), status: "reversed" });
  rig.clock.advance(MINUTE);
  await rig.verifier.runOnce();
  assert.equal(await rig.balance(), before);
  assert.equal(await stateOf(referenceOf(topup)), "kept");
});

test("an account number is opened once, whoever asks at the same time, and kept", async () => {
  const owner = await makeFundingRig(db);
  const made = await Promise.all(Array.from({ length: 5 }, () => owner.topUp("1000.00", "bank_transfer")));
  const numbers = new Set(made.map(({ bank_account: account }) => account?.account_number));
  assert.equal(numbers.size, 1);
  assert.match([...numbers][0] ?? "", /^\d{10}$/);
  await owner.topUp("2000.00", "bank_transfer");
  assert.deepEqual([owner.calls("/dedicated_account"), owner.calls("POST /customer")], [1, 1]);
});

test("an account number whose answer was lost is found again and not opened twice", async () => {
  const owner = await makeFundingRig(db);
  owner.faults({ path: "/dedicated_account", kind: "silent", times: 1 });
  const lost = await owner.call("POST", "/wallet/topups", { amount: 500, method: "bank_transfer" });
  assert.equal(lost.status, 503);
  const topup = await owner.topUp(500, "bank_transfer");
  assert.equal(topup.bank_account?.account_number, [...owner.simulator.bank.customers.values()][0]?.accountNumber);
  assert.equal(owner.calls("/dedicated_account"), 1);
});

test("a transfer completes the announced top-up of its amount, another the oldest with a flag, and one that nobody announced is a top-up of its own", async () => {
  const owner = await makeFundingRig(db);
  const first = await owner.topUp("1000.00", "bank_transfer");
  owner.clock.advance(1_000);
  const second = await owner.topUp("2000.00", "bank_transfer");
  const number = first.bank_account?.account_number;
  const transfer = async (amount: number) => {
    const { reference, delivered } = await owner.control("/transfer", { account_number: number, amount, times: 5 });
    assert.deepEqual(delivered, [200, 200, 200, 200, 200]);
    await owner.verifier.runOnce();
    return reference;
  };
  await transfer(200_000);
  assert.equal((await owner.read(second.id)).status, "successful");
  assert.equal((await owner.read(first.id)).status, "pending");
  await transfer(70_000);
  const paid = await owner.read(first.id);
  assert.deepEqual([paid.status, paid.paid?.amount, paid.amount_differs], ["successful", "700.00", true]);
  await transfer(12_345);
  const { body } = await owner.call<{ data: TopupAnswer[] }>("GET", "/wallet/topups");
  assert.equal(body.data.length, 3);
  const unannounced = body.data.find(({ amount }) => amount === undefined);
  assert.deepEqual(
    [unannounced?.status, unannounced?.paid?.amount, unannounced?.amount_differs],
    ["successful", "123.45", undefined],
  );
  assert.equal(await owner.balance(), 282_345n);
});

test("a transfer that was announced and does not come expires after three days", async () => {
  const owner = await makeFundingRig(db);
  const topup = await owner.topUp("1000.00", "bank_transfer");
  owner.clock.advance(72 * HOUR - 1);
  await owner.verifier.runOnce();
  assert.equal((await owner.read(topup.id)).status, "pending");
  owner.clock.advance(1);
  await owner.verifier.runOnce();
  assert.equal((await owner.read(topup.id)).status, "expired");
});

test("a payment of nobody we know is kept for the operator and credits no wallet", async () => {
  const { bank } = rig.simulator;
  const stranger = bank.customer("stranger@example.ng");
  const made = bank.transfer({ ...stranger, accountNumber: "0000000001" }, 50_000, "NGN");
  const wallets = async () =>
    (await db.query<{ sum: bigint }>("select sum(credits_posted)::bigint from ledger_accounts where kind = 'wallet'"))
      .rows[0]?.sum;
  const before = await wallets();
  await rig.simulator.report(made, { times: 3 });
  await rig.verifier.runOnce();
  assert.equal(await stateOf(made.reference), "kept");
  assert.equal(await wallets(), before);
  const entries = await readAudit(db, { subject: made.reference, limit: 10 });
  assert.deepEqual(
    entries.map(({ action, details }) => [action, details.paid]),
    [["wallet.payment_kept", "500.00"]],
  );
});

test("a report that Paystack never confirms goes to the operator after three days", async () => {
  const transaction = rig.simulator.bank.initialise(
    "elsewhere",
    rig.simulator.bank.customer("x@example.ng"),
    100,
    "NGN",
  );
  assert.ok(transaction);
  await rig.simulator.report(transaction);
  await rig.verifier.runOnce();
  for (let hour = 0; hour < 71; hour += 1) {
    rig.clock.advance(HOUR);
    await rig.verifier.runOnce();
  }
  assert.equal(await stateOf("elsewhere"), "reported");
  rig.clock.advance(2 * HOUR);
  await rig.verifier.runOnce();
  assert.equal(await stateOf("elsewhere"), "kept");
});

test("with fees that the payer bears, the wallet gets what was asked for", async () => {
  const payer = await makeFundingRig(db, { settings: { feesPaidBy: "payer" } });
  const topup = await payer.topUp("5000.00");
  await payer.control("/pay", { reference: referenceOf(topup), amount: 507_614, fees: 7_614 });
  await payer.verifier.runOnce();
  const paid = await payer.read(topup.id);
  assert.deepEqual([paid.paid?.amount, paid.amount_differs], ["5000.00", undefined]);
});

test("a node that dies between the question and the answer delays a payment, and loses none", async () => {
  const topup = await rig.topUp("400.00");
  await rig.control("/pay", { reference: referenceOf(topup) });
  // What a node does first: it takes the payment, and then no more is heard of it.
  await db.query("update funding_payments set due_at = $2, tries = 1 where reference = $1", [
    referenceOf(topup),
    new Date(rig.clock.now().getTime() + 120_000),
  ]);
  await rig.verifier.runOnce();
  assert.equal((await rig.read(topup.id)).status, "pending");
  rig.clock.advance(120_000);
  await rig.verifier.runOnce();
  assert.equal((await rig.read(topup.id)).status, "successful");
});

test("a sandbox's money never gets into a wallet that expects real money", async () => {
  const live = await makeFundingRig(db, { settings: { secretKey: "sk_live_of_the_tests", sandbox: false } });
  Object.assign(live.simulator.options, { secretKey: "sk_live_of_the_tests" });
  const good = await live.topUp("500.00");
  await live.control("/pay", { reference: referenceOf(good) });
  await live.verifier.runOnce();
  assert.equal((await live.read(good.id)).status, "successful");
  Object.defineProperty(live.simulator, "domain", { value: "test" });
  const bad = await live.topUp("500.00");
  await live.control("/pay", { reference: referenceOf(bad) });
  await live.verifier.runOnce();
  assert.equal(await live.balance(live.accountId as Uuid), 50_000n);
  assert.equal(await stateOf(referenceOf(bad)), "kept");
});

test("a report that comes while an older question is under way is followed by a question of its own, at once", async () => {
  const topup = await rig.topUp("350.00");
  rig.clock.advance(MINUTE);
  rig.faults({ path: referenceOf(topup), kind: "slow", times: 1 });
  const asked = rig.calls(referenceOf(topup));
  const running = rig.verifier.runOnce();
  await waitFor("the question", () => rig.calls(referenceOf(topup)) > asked);
  await rig.control("/pay", { reference: referenceOf(topup) });
  await running;
  assert.equal((await rig.read(topup.id)).status, "pending");
  await rig.verifier.runOnce();
  assert.equal((await rig.read(topup.id)).status, "successful");
});

test("a question that is not answered holds up no other payment", async () => {
  const patient = await makeFundingRig(db, { settings: { timeoutMs: 3_000 } });
  const [silent, prompt] = [await patient.topUp("360.00"), await patient.topUp("370.00")];
  patient.clock.advance(MINUTE);
  patient.faults({ path: referenceOf(silent), kind: "silent", times: 1 });
  const asked = patient.calls(referenceOf(silent));
  let isAnswered = false;
  const running = patient.verifier.runOnce().then(() => {
    isAnswered = true;
  });
  await waitFor("the question", () => patient.calls(referenceOf(silent)) > asked);
  await patient.control("/pay", { reference: referenceOf(prompt) });
  patient.verifier.start();
  await waitFor("the other payment", async () => (await patient.read(prompt.id)).status === "successful");
  assert.equal(isAnswered, false, "the first question still waits");
  await running;
  await patient.verifier.stop();
});

test("a payment that several confirm at the same time is credited by one of them", async () => {
  const topup = await rig.topUp("450.00");
  const before = await rig.balance();
  const paid = { kind: "paid", amountKobo: kobo(45_000), paidAt: new Date() } as const;
  const payment = { provider: "paystack", reference: referenceOf(topup) };
  const done = await Promise.all(Array.from({ length: 5 }, () => settle(db, rig.clock, payment, paid)));
  assert.deepEqual(done.toSorted(), ["credited", "repeated", "repeated", "repeated", "repeated"]);
  assert.equal((await rig.balance()) - before, 45_000n);
});

test("after all this the ledger holds", async () => {
  assert.deepEqual(await ledgerFindings(database.connection), []);
});
