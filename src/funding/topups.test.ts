import assert from "node:assert/strict";
import { test } from "node:test";
import { readAudit, verifyAudit } from "../accounts/audit.repo.ts";
import { signatureOf } from "../providers/paystack/wire/signature.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeFundingRig, PAYSTACK_KEY, referenceOf, type TopupAnswer } from "../testing/funding-rig.ts";
import { ledgerFindings } from "../testing/ledger-findings.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makeFundingRig(db);

const events = async (topup: TopupAnswer) =>
  (
    await db.query<{ detail: { paid: string } }>(
      "select e.detail from events e join topups t on t.account_id = e.account_id and t.id = e.order_id where e.type = 'wallet.topped_up' and t.instructions->>'url' = $1",
      [topup.payment_url],
    )
  ).rows;

test("a payment page is paid, reported five times, and credited once with one event", async () => {
  const before = await rig.balance();
  const topup = await rig.topUp("5000.00");
  assert.equal(topup.status, "pending");
  assert.match(topup.payment_url ?? "", /\/checkout\//);
  const { delivered } = await rig.control("/pay", { reference: referenceOf(topup), times: 5 });
  assert.deepEqual(delivered, [200, 200, 200, 200, 200]);
  await Promise.all([rig.verifier.runOnce(), rig.verifier.runOnce(), rig.verifier.runOnce()]);
  await rig.control("/report", { reference: referenceOf(topup), times: 5 });
  await rig.verifier.runOnce();

  const paid = await rig.read(topup.id);
  assert.equal(paid.status, "successful");
  assert.equal(paid.paid?.amount, "5000.00");
  assert.equal(paid.amount_differs, undefined);
  assert.equal((await rig.balance()) - before, 500_000n);
  assert.deepEqual(
    (await events(topup)).map(({ detail }) => detail.paid),
    ["5000.00"],
  );
});

test("a wrong signature is answered 401, and nothing of the callback is kept", async () => {
  const topup = await rig.topUp("700.00");
  const reference = referenceOf(topup);
  const { delivered } = await rig.control("/pay", { reference, wrong_signature: true, times: 2 });
  assert.deepEqual(delivered, [401, 401]);
  const { rows } = await db.query("select state, reported_at from funding_payments where reference = $1", [reference]);
  assert.deepEqual(rows, [{ state: "awaited", reported_at: null }]);

  const body = JSON.stringify({ event: "charge.success", data: { reference: "T-forged" } });
  const post = (headers: Record<string, string>) =>
    fetch(`${rig.base}/callbacks/paystack`, { method: "POST", body, headers });
  for (const headers of [
    {},
    { "x-paystack-signature": "" },
    { "x-paystack-signature": signatureOf("sk_live_other", body) },
    { "x-paystack-signature": signatureOf(PAYSTACK_KEY, JSON.stringify(JSON.parse(`${body} `), null, 1)) },
  ]) {
    const answer = await post({ "content-type": "application/json", ...headers } as Record<string, string>);
    assert.equal(answer.status, 401);
    assert.equal(((await answer.json()) as { code: string }).code, "invalid_signature");
  }
  const kept = await db.query("select 1 from funding_payments where reference = 'T-forged'");
  assert.equal(kept.rowCount, 0);
});

test("a callback is about the very bytes: spaces and order of the body are the vendor's own", async () => {
  const topup = await rig.topUp("300.00");
  await rig.control("/pay", { reference: referenceOf(topup), times: 0 });
  const body = `{ "data":{"reference":"${referenceOf(topup)}",\n "amount":3e4},"event" :"charge.success"}\n`;
  const answer = await fetch(`${rig.base}/callbacks/paystack`, {
    method: "POST",
    body,
    headers: { "x-paystack-signature": signatureOf(PAYSTACK_KEY, body) },
  });
  assert.equal(answer.status, 200);
  await rig.verifier.runOnce();
  assert.equal((await rig.read(topup.id)).status, "successful");
});

test("a callback that is signed and unreadable is told so, one about another event is taken and credits nothing, and a huge one is refused", async () => {
  const send = async (body: string) =>
    (
      await fetch(`${rig.base}/callbacks/paystack`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", "x-paystack-signature": signatureOf(PAYSTACK_KEY, body) },
      })
    ).status;
  const count = async () => (await db.query("select 1 from funding_payments")).rowCount;
  const before = await count();
  assert.equal(await send('{"event":"charge.success","data":{'), 400);
  assert.equal(await send('{"event":"charge.success","data":{"reference":"a\\u0000b"}}'), 400);
  assert.equal(await send('{"event":"charge.success","data":{"reference":7}}'), 400);
  assert.equal(await send('{"event":"charge.dispute.create","data":{"reference":"x"}}'), 200);
  assert.equal(await send(`{"event":"charge.success","pad":"${"x".repeat(100_000)}"}`), 413);
  assert.equal(await count(), before);
});

for (const [name, amount] of [
  ["less", 400_000],
  ["more", 650_001],
] as const)
  test(`when ${name} is paid than was asked for, what was paid is credited and flagged`, async () => {
    const before = await rig.balance();
    const topup = await rig.topUp(5000);
    await rig.control("/pay", { reference: referenceOf(topup), amount });
    await rig.verifier.runOnce();
    const paid = await rig.read(topup.id);
    assert.equal(paid.status, "successful");
    assert.equal(paid.amount?.amount, "5000.00");
    assert.equal(paid.amount_differs, true);
    assert.equal((await rig.balance()) - before, BigInt(amount));
    const [entry] = await readAudit(db, { subject: topup.id, limit: 1 });
    assert.equal(entry?.action, "wallet.top_up");
    assert.equal(entry.details.amount_differs, true);
    assert.equal(entry.details.requested, "5000.00");
  });

test("another currency than naira never credits: the payment is kept for the operator", async () => {
  const before = await rig.balance();
  const topup = await rig.topUp("900.00");
  await rig.control("/pay", { reference: referenceOf(topup), currency: "GHS" });
  await rig.verifier.runOnce();
  await rig.control("/report", { reference: referenceOf(topup) });
  await rig.verifier.runOnce();
  assert.equal(await rig.balance(), before);
  const [entry] = await readAudit(db, { subject: referenceOf(topup), limit: 1 });
  assert.equal(entry?.action, "wallet.payment_kept");
  assert.match(entry.reason ?? "", /GHS/);
});

test("a repeated Idempotency-Key is answered from the first top-up, and another request under it is refused", async () => {
  const headers = { "idempotency-key": "top-up-1" };
  const request = { amount: "1200.00", method: "link" };
  const calls = rig.calls("/transaction/initialize");
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => rig.call("POST", "/wallet/topups", request, headers)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  assert.equal(answers.filter(({ headers: h }) => h.get("idempotent-replayed") === "true").length, 4);
  assert.ok(rig.calls("/transaction/initialize") > calls);
  const other = await rig.call<{ code: string }>("POST", "/wallet/topups", { ...request, amount: "1.00" }, headers);
  assert.equal(other.status, 422);
  assert.equal(other.body.code, "idempotency_key_reused");
});

test("amounts are exact and within bounds", async () => {
  const codeOf = async (amount: unknown) => {
    const { status, body } = await rig.call<{ code: string }>("POST", "/wallet/topups", { amount, method: "link" });
    return `${status} ${body.code}`;
  };
  assert.equal(await codeOf(1500.5), "400 amount_not_exact");
  assert.equal(await codeOf("1500.505"), "400 amount_not_exact");
  assert.equal(await codeOf("99.99"), "422 amount_out_of_bounds");
  assert.equal(await codeOf("1000000.01"), "422 amount_out_of_bounds");
  assert.equal(await codeOf("1,500"), "400 validation_failed");
  assert.equal(await codeOf(-5), "400 validation_failed");
  assert.equal(await codeOf(1e300), "400 validation_failed");
});

test("the list has the newest first, pages by cursor, and can be filtered by status", async () => {
  const page = await rig.call<{ data: TopupAnswer[]; next_cursor: string }>("GET", "/wallet/topups?limit=2");
  const rest = await rig.call<{ data: TopupAnswer[] }>(
    "GET",
    `/wallet/topups?limit=100&after=${page.body.next_cursor}`,
  );
  const ids = [...page.body.data, ...rest.body.data].map(({ id }) => id);
  assert.deepEqual(ids, ids.toSorted().reverse());
  const successful = await rig.call<{ data: TopupAnswer[] }>("GET", "/wallet/topups?status=successful");
  assert.ok(successful.body.data.length >= 4);
  assert.ok(successful.body.data.every(({ status }) => status === "successful"));
});

test("another account's top-up, and text that is no id, are not found", async () => {
  const stranger = await makeFundingRig(db);
  const topup = await rig.topUp("150.00");
  for (const id of [topup.id, "trf_x", "msg_01kb3v9q4ze1xb8m6t2r5y7w0n"])
    assert.equal((await stranger.call("GET", `/wallet/topups/${id}`)).status, 404);
});

test("in test mode the play wallet is credited at once, and Paystack hears nothing", async () => {
  const test = await makeFundingRig(db, { mode: "test", without: "provider" });
  const headers = { "idempotency-key": "k" };
  for (const method of ["link", "bank_transfer"]) {
    const body = { amount: "250.50", method };
    const { status, body: topup } = await test.call("POST", "/wallet/topups", body, { "idempotency-key": method });
    assert.equal(status, 201);
    assert.match(topup.id, /^trf_/);
    assert.deepEqual([topup.status, topup.mode, topup.paid?.amount], ["successful", "test", "250.50"]);
  }
  await Promise.all(
    Array.from({ length: 5 }, () => test.call("POST", "/wallet/topups", { amount: 100, method: "link" }, headers)),
  );
  assert.equal(await test.balance(), 2n * 25_050n + 10_000n);
  assert.equal(test.simulator.calls.length, 0);
});

test("a live key on a gateway without a provider is told whom to ask", async () => {
  const bare = await makeFundingRig(db, { without: "provider" });
  const answer = await bare.call<{ code: string; retryable: boolean }>("POST", "/wallet/topups", {
    amount: 500,
    method: "link",
  });
  assert.deepEqual([answer.status, answer.body.code, answer.body.retryable], [503, "provider_unavailable", false]);
});

test("after all this the ledger and the chain of the audit log hold", async () => {
  assert.deepEqual(await ledgerFindings(database.connection), []);
  assert.equal((await verifyAudit(db)).broken, undefined);
});

test("the ledger's proof finds a top-up without its transfer, and a transfer without its top-up", async () => {
  const rules = async (sql: string) => {
    await db.query(sql);
    return new Set((await ledgerFindings(database.connection)).map(({ rule }) => rule));
  };
  const rule = "each successful top-up has its transfer, and each transfer of a top-up its top-up";
  const { rows } = await db.query<{ id: string; paid_kobo: bigint }>(
    "select id, paid_kobo from topups where state = 'successful' limit 1",
  );
  const { id, paid_kobo: paid } = rows[0]!;
  assert.ok((await rules(`update topups set paid_kobo = paid_kobo + 1 where id = '${id}'`)).has(rule));
  assert.ok(
    (await rules(`update topups set state = 'expired', paid_kobo = null, completed_at = null where id = '${id}'`)).has(
      rule,
    ),
  );
  await db.query(
    `update topups set state = 'successful', paid_kobo = ${paid}, completed_at = now() where id = '${id}'`,
  );
  assert.deepEqual(await ledgerFindings(database.connection), []);
  assert.ok((await rules(`update transfers set reason = 'something else' where id = '${id}'`)).has(rule));
});
