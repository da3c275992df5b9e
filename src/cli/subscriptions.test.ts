import assert from "node:assert/strict";
import { after, test } from "node:test";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { subscribe } from "../accounts/subscriptions.repo.ts";
import { newUuid } from "../kernel/ids.ts";
import { parseKobo } from "../kernel/kobo.ts";
import { openLedgerAccounts, postTransfer, readWallet } from "../ledger/ledger.repo.ts";
import { makeCli } from "../testing/cli.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeDataDir, startGateway } from "../testing/gateway.ts";
import { ledgerFindings } from "../testing/ledger-findings.ts";
import { sumUsageAgain } from "../testing/past-the-engine.ts";
import { writeTestConfig } from "../testing/test-config.ts";
import { waitFor } from "../testing/wait-for.ts";

const database = await makeTestDatabase();
const db = database.open();
const data = await makeDataDir();
const config = await writeTestConfig(data.dir);
const environment = { AFARA_DATA_DIR: data.dir, AFARA_CONFIG: config.path, DATABASE_URL: database.url };

/** On a plan since before this month, with money; made before the gateway starts. */
const earlier = newUuid();
await insertAccount(db, { id: earlier, name: "Earlier" });
await openLedgerAccounts(db, earlier, "live", ["wallet", "funding"]);
await postTransfer(db, {
  accountId: earlier,
  id: newUuid(),
  mode: "live",
  kind: "credit",
  debit: "funding",
  credit: "wallet",
  amountKobo: parseKobo("15000.00"),
  reason: "what the test begins with",
  at: new Date(),
});
await subscribe(db, earlier, "sms", "growth", new Date(0));
/** Left by a service that was removed. */
await db.query(
  `insert into orders (account_id, id, mode, service, queue, state, priority, due_at, ambiguity, price_kobo, tax_kobo, recipient,
                         payload, created_at, updated_at, ended_at)
     select $1, uuidv7_now(), 'test', 'gone', 'gone:test', 'queued', 0, now(), 'fail', 0, 0, '1', '{}', now(), now(), ended
       from unnest(array[null, null, now()]) ended`,
  [earlier],
);
await sumUsageAgain(db, earlier);
const gateway = await startGateway({ dataDir: data.dir, environment });
after(async () => {
  await gateway.stop();
  await data.remove();
});
const afara = makeCli({ ...environment, USER: "ada" });

async function newAccount(): Promise<string> {
  const { code, json } = await afara(["account", "create", "--name", "Ikoyi Foods", "--json"]);
  assert.equal(code, 0);
  return json<{ id: string }>().id;
}
const subscribeByHand = (account: string, plan: string) =>
  afara(["subscribe", "--account", account, "--service", "sms", "--plan", plan, "--json"]);

test("a subscription counts in the running gateway at once, and so does its end", async () => {
  const account = await newAccount();
  const key = (await afara(["key", "create", "--account", account, "--mode", "test", "--json"])).json<{
    key: string;
  }>();
  const send = async () => {
    const body = { to: "08031234567", message: "Hello" };
    const { status } = await gateway.call("POST", "/sms/send", body, { "x-api-key": key.key });
    return status;
  };
  assert.equal(await send(), 403);

  const subscribed = await subscribeByHand(account, "free");
  assert.equal(subscribed.code, 0);
  assert.partialDeepStrictEqual(subscribed.json(), { account, service: "sms", plan: "free", charged: "0.00" });
  await waitFor("the subscription", async () => (await send()) === 202, 5_000);

  const ended = await afara(["unsubscribe", "--account", account, "--service", "sms", "--json"]);
  assert.deepEqual(ended.json(), { account, service: "sms", plan: null, was_subscribed: true });
  await waitFor("the end of the subscription", async () => (await send()) === 403, 5_000);
  const again = await afara(["unsubscribe", "--account", account, "--service", "sms"]);
  assert.deepEqual([again.code, again.out], [0, `${account} was not subscribed to sms.\n`]);
});

test("a gateway that starts charges the month of who has not paid it, once", async () => {
  const paid = () =>
    db.query<{ posted_kobo: bigint }>("select posted_kobo from transfers where account_id = $1 and kind = 'fee'", [
      earlier,
    ]);
  await waitFor("the month's fee", async () => (await paid()).rows.length > 0);
  const { rows } = await paid();
  assert.equal(rows.length, 1);
  const wallet = await readWallet(db, earlier, "live");
  assert.equal(wallet?.balanceKobo, parseKobo("15000.00") - rows[0]!.posted_kobo);
});

test("a fee that the live wallet can't pay, and what is not there, end with exit code 1 and the reason", async () => {
  const account = await newAccount();
  for (const [plan, code, detail] of [
    ["growth", "insufficient_balance", /^Plan Growth costs ₦.* for the rest of this month; ₦0\.00 is available/],
    ["gold", "plan_not_found", /^There is no plan "gold"; there is free, growth, scale\.$/],
  ] as const) {
    const refused = await subscribeByHand(account, plan);
    assert.equal(refused.code, 1);
    assert.partialDeepStrictEqual(refused.json(), { ok: false, code });
    assert.match(refused.json<{ detail: string }>().detail, detail);
  }
  for (const [service, detail] of [
    ["chat", /^There is no plan "free"; there is growth/],
    ["fax", /^There is no service "fax" on offer here; there is sms/],
  ] as const) {
    const refused = await afara(["subscribe", "--account", account, "--service", service, "--plan", "free"]);
    assert.deepEqual([refused.code, detail.test(refused.out)], [1, true], refused.out);
  }
  assert.equal((await subscribeByHand("acc_nobody", "free")).code, 2);
});

test("the plans are a table for people, and JSON for programs; what is not available says so", async () => {
  const { code, out } = await afara(["plans"]);
  assert.equal(code, 0);
  assert.match(out, /^SERVICE +PLAN +NAME +FEE A MONTH +QUOTA A MONTH\n/);
  assert.match(out, /\nsms +growth +Growth +₦15,000\.00 +none\n +transactional ₦.*; promotional ₦/);
  assert.match(out, /\n +discount [\d.]+ %.*; data margin [\d.]+ %\n/);
  assert.match(out, /\nairtime +free +Free +free +50\n/);
  const { plans } = (await afara(["plans", "--json"])).json<{
    plans: { service: string; id: string; fee: string }[];
  }>();
  assert.partialDeepStrictEqual(plans[1], { service: "sms", id: "growth", fee: "15000.00", available: true });
});

test("the doctor finds accounts on a plan that is not in the configuration any more", async (t) => {
  await subscribe(db, earlier, "sms", "gone", new Date());
  t.after(() => subscribe(db, earlier, "sms", "growth", new Date()));
  const { code, out } = await afara(["doctor"]);
  assert.equal(code, 1);
  assert.match(out, /✖ plans +1 account\(s\) on plan "gone" of sms, which is not in the configuration/);
});

test("the doctor counts the open orders of services that are not in the configuration any more", async () => {
  const { out } = await afara(["doctor"]);
  assert.match(
    out,
    /• services +2 open order\(s\) of services that are not configured: gone \(2\); they wait: restore/,
  );
});

test("who subscribed whom is in the audit log, and the local account pays nothing for its plans", async () => {
  const account = await newAccount();
  await subscribeByHand(account, "free");
  const { rows } = await db.query<{ actor: string; action: string }>(
    "select actor, action from audit_log where subject = $1 and action like 'subscription.%'",
    [account],
  );
  assert.deepEqual(rows, [{ actor: "ada", action: "subscription.start" }]);
  const local = await db.query<{ fees_waived: boolean; service: string; plan: string }>(
    `select a.fees_waived, s.service, s.plan from accounts a join subscriptions s on s.account_id = a.id
      where a.name = 'Local' and s.service in ('sms', 'airtime') order by s.service desc`,
  );
  assert.deepEqual(local.rows, [
    { fees_waived: true, service: "sms", plan: "scale" },
    { fees_waived: true, service: "airtime", plan: "scale" },
  ]);
  assert.deepEqual(await ledgerFindings(database.connection), []);
});
