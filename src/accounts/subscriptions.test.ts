import assert from "node:assert/strict";
import { test } from "node:test";
import own from "../../afara.config.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { kobo, parseKobo } from "../kernel/kobo.ts";
import { openLedgerAccounts, postTransfer, readWallet } from "../ledger/ledger.repo.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { ledgerFindings } from "../testing/ledger-findings.ts";
import { insertAccount } from "./accounts.repo.ts";
import { readAudit } from "./audit.repo.ts";
import { proRated } from "./fees.ts";
import { makeRenewals } from "./renewals.ts";
import { subscribe, waiveFees } from "./subscriptions.repo.ts";
import { makeSubscriptions } from "./subscriptions.ts";

const database = await makeTestDatabase();
const db = database.open();

/** November 2026 has 30 days. */
let now = new Date();
const clock = { now: () => now, monotonicMs: () => now.getTime() };
const lines: string[] = [];
const write = (_fields: object, message: string) => void lines.push(message);
const log = { debug: write, info: write, warn: write, error: write };

/** SMS as shipped (free, 15,000 and 150,000 naira) and a service without a free plan. */
const config = { services: { sms: own.services.sms!, chat: own.services.chat! } };
const subscriptions = makeSubscriptions({
  db,
  clock,
  config,
  configured: [...Object.keys(config.services), "electricity"],
});
const renew = makeRenewals({ db, clock, log, config });
const ACTOR = { kind: "operator", name: "tester" } as const;

async function account(balance: string): Promise<Uuid> {
  const id = newUuid();
  await insertAccount(db, { id, name: "Test" });
  await openLedgerAccounts(db, id, "live", ["wallet", "funding"]);
  if (parseKobo(balance) > 0n)
    await postTransfer(db, {
      accountId: id,
      id: newUuid(),
      mode: "live",
      kind: "credit",
      debit: "funding",
      credit: "wallet",
      amountKobo: parseKobo(balance),
      reason: "what the test begins with",
      at: now,
    });
  return id;
}

const balance = async (id: Uuid) => (await readWallet(db, id, "live"))?.availableKobo;
const planOf = async (id: Uuid, service = "sms") => {
  const found = await subscriptions.find(id, service);
  return found.ok ? found.value.plan.id : undefined;
};
const acts = async (id: Uuid) =>
  (await readAudit(db, { subject: encodeId("acc", id), limit: 100 })).map(
    ({ action, details }): Readonly<Record<string, unknown>> => ({ action, ...details }),
  );

async function charged(id: Uuid, plan: string, service = "sms"): Promise<bigint> {
  const changed = await subscriptions.change(id, service, plan, ACTOR);
  assert.ok(changed.ok, changed.ok ? "" : changed.error.detail);
  return changed.value.chargedKobo;
}

test("a month's fee is charged by the days that are left in Lagos, this one included, half a kobo up", () => {
  const fee = parseKobo("15000.00");
  assert.equal(proRated(fee, new Date("2026-10-31T23:00:00.000Z")), 1_500_000n); // 1 November, 00:00
  assert.equal(proRated(fee, new Date("2026-11-01T22:59:59.999Z")), 1_500_000n); // 1 November, the last moment
  assert.equal(proRated(fee, new Date("2026-11-01T23:00:00.000Z")), 1_450_000n); // 2 November
  assert.equal(proRated(fee, new Date("2026-11-30T22:59:59.999Z")), 50_000n); // 30 November
  assert.equal(proRated(kobo(100), new Date("2028-02-15T12:00:00.000Z")), 52n); // 15 of 29 days: 51.72
  assert.equal(proRated(kobo(1), new Date("2026-11-16T12:00:00.000Z")), 1n); // exactly half
});

test("subscribing charges the rest of the month once, and the same plan again nothing", async () => {
  now = new Date("2026-11-16T12:00:00.000Z"); // 15 of 30 days
  const id = await account("10000.00");
  assert.equal(await charged(id, "growth"), 750_000n);
  assert.equal(await charged(id, "growth"), 0n);
  assert.equal(await balance(id), 250_000n);
  assert.deepEqual(await acts(id), [
    { action: "subscription.start", service: "sms", plan: "growth", charged: "7500.00" },
  ]);
});

test("a larger plan charges the difference, a smaller one gives nothing back, and what was paid counts until the month ends", async () => {
  now = new Date("2026-11-01T12:00:00.000Z");
  const id = await account("200000.00");
  assert.equal(await charged(id, "growth"), 1_500_000n);
  now = new Date("2026-11-16T12:00:00.000Z");
  assert.equal(await charged(id, "scale"), 6_750_000n); // half of the 135,000 between them
  assert.equal(await charged(id, "free"), 0n);
  assert.equal(await charged(id, "scale"), 0n);
  assert.ok((await subscriptions.cancel(id, "sms", ACTOR)).ok);
  assert.equal(await planOf(id), undefined);
  assert.equal(await charged(id, "growth"), 0n);
  assert.equal(await balance(id), parseKobo("200000.00") - 8_250_000n);
});

test("who can't pay is told what it costs and what there is, and nothing has changed", async () => {
  now = new Date("2026-11-16T12:00:00.000Z");
  const id = await account("7499.99");
  assert.equal(await charged(id, "free"), 0n);
  const refused = await subscriptions.change(id, "sms", "growth", ACTOR);
  assert.ok(!refused.ok);
  assert.equal(refused.error.code, "insufficient_balance");
  assert.match(refused.error.detail, /costs ₦7,500\.00 for the rest of this month; ₦7,499\.99 is available/);
  assert.deepEqual([await planOf(id), await balance(id)], ["free", 749_999n]);
  assert.deepEqual(
    (await acts(id)).map(({ action }) => action),
    ["subscription.start"],
  );
});

test("twenty requests at once for one plan charge it once", async () => {
  now = new Date("2026-11-01T12:00:00.000Z");
  const id = await account("100000.00");
  assert.equal(await charged(id, "free"), 0n); // after the first change nothing but the wallet makes them wait
  const answers = await Promise.all(Array.from({ length: 20 }, () => charged(id, "growth")));
  assert.deepEqual(
    answers.filter((kobo) => kobo > 0n),
    [1_500_000n],
  );
  assert.equal(await balance(id), 8_500_000n);
});

test("a service, plan or account that is not there is refused by its name", async () => {
  const id = await account("0.00");
  const codes = await Promise.all([
    subscriptions.change(id, "airtime", "free", ACTOR),
    subscriptions.change(id, "sms", "gold", ACTOR),
    subscriptions.change(newUuid(), "sms", "free", ACTOR),
    subscriptions.cancel(id, "toString", ACTOR),
    subscriptions.find(id, "sms"),
  ]);
  assert.deepEqual(
    codes.map((result) => result.ok || result.error.code),
    ["not_found", "plan_not_found", "not_found", "not_found", "not_found"],
  );
  const none = await subscriptions.cancel(id, "sms", ACTOR);
  assert.deepEqual(none, { ok: true, value: false });
});

test("a service whose code is not there is announced, and one that nobody knows is not there", async () => {
  const id = await account("0.00");
  const detailOf = async (service: string) => {
    const found = await subscriptions.change(id, service, "free", ACTOR);
    return found.ok ? "" : found.error.detail;
  };
  assert.match(await detailOf("electricity"), /^The service "electricity" is announced, and not on offer yet/);
  assert.match(await detailOf("fax"), /^There is no service "fax" on offer here/);
});

test("a new month is charged once, however many nodes look at it at once", async () => {
  now = new Date("2026-11-16T12:00:00.000Z");
  const id = await account("50000.00");
  assert.equal(await charged(id, "growth"), 750_000n);
  await renew();
  assert.equal(await balance(id), 4_250_000n); // this month is settled
  now = new Date("2026-11-30T23:00:00.000Z"); // 1 December, 00:00 in Lagos
  await Promise.all([renew(), renew(), renew()]);
  await renew();
  assert.equal(await balance(id), 2_750_000n);
  assert.deepEqual((await acts(id))[0], {
    action: "subscription.renew",
    service: "sms",
    plan: "growth",
    month: "2026-12",
    charged: "15000.00",
  });
});

test("who leaves a paid plan before the renewal's turn owes the month that has begun", async () => {
  now = new Date("2026-11-01T09:00:00.000Z");
  const [leaving, going, poor] = [await account("40000.00"), await account("40000.00"), await account("15000.00")];
  for (const id of [leaving, going, poor]) assert.equal(await charged(id, "growth"), 1_500_000n);
  now = new Date("2026-11-30T23:00:00.001Z"); // 1 December in Lagos
  assert.ok((await subscriptions.cancel(leaving, "sms", ACTOR)).ok);
  assert.equal(await charged(going, "free"), 0n);
  assert.ok((await subscriptions.cancel(poor, "sms", ACTOR)).ok);
  assert.deepEqual(
    [await balance(leaving), await balance(going), await balance(poor)],
    [1_000_000n, 1_000_000n, 0n],
    "a wallet that can't pay lets go without",
  );
  assert.equal(await charged(leaving, "growth"), 0n, "what was paid counts until the month ends");
});

test("who can't pay a new month falls back to the free plan, or to none where there is none", async () => {
  now = new Date("2026-12-31T12:00:00.000Z"); // 1 of 31 days
  const id = await account("2000.00");
  assert.equal(await charged(id, "growth"), 48_387n);
  assert.equal(await charged(id, "growth", "chat"), 64_516n);
  const before = await balance(id);
  now = new Date("2026-12-31T23:00:00.000Z");
  await renew();
  assert.deepEqual([await planOf(id), await planOf(id, "chat"), await balance(id)], ["free", undefined, before]);
  const lapses = (await acts(id)).filter(({ action }) => action === "subscription.lapse");
  assert.deepEqual(
    lapses.map((entry) => [entry.service, entry.plan, entry.previous_plan, entry.fee]),
    [
      ["sms", "free", "growth", "15000.00"],
      ["chat", null, "growth", "20000.00"],
    ],
  );
  await renew();
  assert.equal((await acts(id)).filter(({ action }) => action === "subscription.lapse").length, 2);
});

test("a suspended account pays once it may work again, for the days that are left; an account without fees never", async () => {
  now = new Date("2027-01-01T12:00:00.000Z");
  const [suspended, waived] = [await account("50000.00"), await account("50000.00")];
  await waiveFees(db, waived);
  for (const id of [suspended, waived]) await subscribe(db, id, "sms", "growth", now);
  await db.query("update accounts set suspended_at = now() where id = $1", [suspended]);
  await renew();
  assert.deepEqual([await balance(suspended), await balance(waived)], [5_000_000n, 5_000_000n]);
  await db.query("update accounts set suspended_at = null where id = $1", [suspended]);
  now = new Date("2027-01-31T12:00:00.000Z"); // 1 of 31 days
  await renew();
  assert.deepEqual([await balance(suspended), await balance(waived)], [5_000_000n - 48_387n, 5_000_000n]);
  assert.deepEqual([await planOf(suspended), await planOf(waived)], ["growth", "growth"]);
});

test("a plan that is gone from the configuration ends with the month", async () => {
  now = new Date("2027-01-31T12:00:00.000Z");
  const id = await account("0.00");
  await subscribe(db, id, "sms", "gone", now);
  await renew();
  assert.equal(await planOf(id), "free");
});

test("after all this the ledger's proof finds nothing, and a fee too many is found", async () => {
  assert.deepEqual(await ledgerFindings(database.connection), []);
  const id = await account("1.00");
  await openLedgerAccounts(db, id, "live", ["sales:fees"]);
  await postTransfer(db, {
    accountId: id,
    id: newUuid(),
    mode: "live",
    kind: "fee",
    debit: "wallet",
    credit: "sales:fees",
    amountKobo: kobo(1),
    reason: "for nothing",
    at: now,
  });
  assert.deepEqual(
    (await ledgerFindings(database.connection)).map(({ rule }) => rule),
    ["no month's fee is paid twice"],
  );
});
