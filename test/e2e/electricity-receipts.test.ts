import assert from "node:assert/strict";
import { test } from "node:test";
import { readAudit } from "../../src/accounts/audit.repo.ts";
import { makeTestKey } from "../../src/testing/account.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { type Bought, buy, type Purchase, purchaseBecomes, purchaseIn } from "./purchases.ts";
import { type Message, type Money, type Problem, phone, startRig } from "./rig.ts";

/** What a successful purchase leaves to its customer: the receipt, and the token once more. */
const rig = await startRig();

const customer = () => rig.subscriber({ balance: "100000.00", also: { electricity: "scale" } });
const subscriber = await customer();
const other = await customer();

const NAME = `<script>alert("1")</script> & ỌLÁ'S`;
const METER = "13333333333";
await rig.vendors.changeMeter(METER, { name: NAME, address: "1 <b>Close</b>" });
const bodyFor = (meter: string, to: string, more: object = {}) => ({
  meter_number: meter,
  disco: "eko-electric",
  amount: 5_000,
  to,
  ...more,
});
const purchase = purchaseIn(
  await buy(subscriber, "/electricity/purchase", bodyFor(METER, phone(1), { reference: "a receipt" })),
);
const token = purchase.tokens?.[0]?.value ?? "";
assert.match(token, /^(\d{4} ){4}\d{4}$/);

const receipt = (accept: string | undefined, { id }: { id: string } = purchase, key = subscriber.key) =>
  fetch(`${rig.gateway.base}/electricity/receipt/${id}`, {
    headers: { "x-api-key": key, ...(accept !== undefined && { accept }) },
  });

interface Receipt {
  readonly receipt_number: string;
  readonly customer: { readonly name: string; readonly phone: string };
  readonly meter_number: string;
  readonly tokens: readonly { readonly value: string }[];
  readonly units_kwh: string;
  readonly breakdown: { readonly energy: Money; readonly vat: Money };
  readonly amount: Money;
  readonly discount: Money;
  readonly fee: Money & { readonly tax: string };
  readonly total: Money & { readonly tax: string };
}

test("a receipt as JSON has name, meter, token in groups of four, units, VAT, arrears, fee with its VAT and number", async () => {
  for (const accept of [undefined, "*/*", "application/json"]) {
    const answer = await receipt(accept);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
    const body = (await answer.json()) as Receipt;
    assert.equal(body.receipt_number, purchase.id);
    assert.equal(body.customer.name, NAME);
    assert.equal(body.customer.phone, phone(1));
    assert.equal(body.meter_number, METER);
    assert.deepEqual(
      body.tokens.map(({ value }) => value),
      [token],
    );
    assert.match(body.units_kwh, /^\d+(\.\d)?$/);
    assert.deepEqual([body.breakdown.energy.amount, body.breakdown.vat.amount], ["4651.16", "348.84"]);
    assert.deepEqual(
      [body.amount, body.fee, body.total].map(({ amount }) => amount),
      ["5000.00", "20.00", "5020.00"],
    );
    assert.deepEqual([body.fee.tax, body.total], ["1.39", purchase.price]);
  }
});

test("a receipt as a page runs nothing and fetches nothing, whatever a vendor calls the customer", async () => {
  const answer = await receipt("text/html,application/xhtml+xml,*/*;q=0.8");
  assert.match(answer.headers.get("content-type") ?? "", /^text\/html; charset=utf-8/);
  assert.match(answer.headers.get("content-security-policy") ?? "", /^default-src 'none'; style-src 'sha256-[^']+'; /);
  const page = await answer.text();
  assert.ok(page.includes(token) && page.includes("₦348.84") && page.includes(purchase.id));
  assert.ok(page.includes("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; ỌLÁ&#39;S"));
  assert.doesNotMatch(page, /<script|<b>|<img|<link|https?:|src=|url\(/);
});

test("a receipt as PDF is one", async () => {
  const answer = await receipt("application/pdf");
  assert.equal(answer.headers.get("content-type"), "application/pdf");
  assert.equal(answer.headers.get("content-disposition"), `inline; filename="receipt-${purchase.id}.pdf"`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.match(bytes.toString("latin1"), /^%PDF-1\.\d[\s\S]*%%EOF\s*$/);
});

test("a receipt in another form is not acceptable", async () => {
  const answer = await receipt("image/png");
  assert.equal(answer.status, 406);
  assert.equal(((await answer.json()) as Problem).code, "not_acceptable");
});

test("another account has neither the receipt nor the token", async () => {
  for (const accept of ["application/json", "text/html", "application/pdf"])
    assert.equal((await receipt(accept, purchase, other.key)).status, 404);
  const resent = await other.post<Problem>(`/electricity/resend/${purchase.id}`, { channel: "sms" });
  assert.equal(resent.status, 404);
});

test("a key that may not vend sees tokens masked, in the receipt as in the status, and resends none", async () => {
  const { accountId } = subscriber;
  const key = await makeTestKey(rig.db, { secret: rig.secret, accountId, mode: "test", scopes: ["read"] });
  const masked = `**** **** **** **** ${token.slice(-4)}`;
  const body = (await (await receipt("application/json", purchase, key)).json()) as Receipt;
  assert.equal(body.tokens[0]?.value, masked);
  assert.ok((await (await receipt("text/html", purchase, key)).text()).includes(masked));
  const reader = rig.as(key);
  assert.equal((await reader.get<Purchase>(`/electricity/status/${purchase.id}`)).body.tokens?.[0]?.value, masked);
  const resent = await reader.post<Problem>(`/electricity/resend/${purchase.id}`, { channel: "sms" });
  assert.deepEqual([resent.status, resent.body.code], [403, "scope_missing"]);
});

test("what is not successful has no receipt, and no token to send again", async () => {
  await rig.vendors.scenario("vtpass", "pending_forever", { recipient: "17777777777" });
  const processing = await buy(subscriber, "/electricity/purchase", bodyFor("17777777777", phone(2)), {
    prefer: "respond-async",
  });
  const answered = await buy(subscriber, "/electricity/purchase", bodyFor("70000000007", phone(3)));
  const reversed = await purchaseBecomes(subscriber, answered.body, "reversed");
  for (const { id, status } of [processing.body, reversed]) {
    const answer = await receipt("application/pdf", { id });
    assert.equal(answer.status, 409);
    assert.equal(((await answer.json()) as Problem).code, "invalid_state");
    const resent = await subscriber.post<Bought>(`/electricity/resend/${id}`, { channel: "sms" });
    assert.deepEqual([resent.status, resent.body.code], [409, "invalid_state"]);
    assert.match(resent.body.detail ?? "", new RegExp(`is ${status}: only a successful one has tokens`));
  }
  const { body: list } = await subscriber.get<{ data: readonly Purchase[] }>("/electricity/purchases?status=reversed");
  assert.deepEqual(
    list.data.map(({ id, charge, tokens }) => ({ id, charge, tokens })),
    [{ id: reversed.id, charge: "refunded", tokens: undefined }],
  );
});

interface Resent {
  readonly message_id: string;
  readonly purchase_id: string;
  readonly to: string;
  readonly status: string;
  readonly price: Money;
  readonly code?: string;
  readonly limit?: number;
}
const resend = (body: object, headers: Record<string, string> = {}, id = purchase.id) =>
  subscriber.post<Resent>(`/electricity/resend/${id}`, body, headers);

test("a token is sent again to the customer or to another phone: whole on the handset, masked elsewhere, and written down", async () => {
  const fresh = purchaseIn(await buy(subscriber, "/electricity/purchase", bodyFor("14444444444", phone(10))));
  const own = fresh.tokens?.[0]?.value ?? "";
  for (const [to, elsewhere] of [
    [undefined, false],
    [phone(11), true],
  ] as const) {
    const before = await subscriber.wallet();
    const { status, body } = await resend({ channel: "sms", ...(to && { to }) }, {}, fresh.id);
    assert.equal(status, 202, JSON.stringify(body));
    assert.deepEqual([body.purchase_id, body.to, body.price.amount], [fresh.id, to ?? phone(10), "3.20"]);
    const [message] = await waitFor("the message", async () => {
      const messages = await subscriber.handset(to ?? phone(10));
      return messages.length > 0 ? messages : undefined;
    });
    assert.ok(message);
    assert.equal(message.message_id, body.message_id);
    assert.ok(message.text.includes(own));
    const shown = await subscriber.ended(body.message_id);
    assert.ok(!shown.message.includes(own) && shown.message.includes(`**** ${own.slice(-4)}`));
    assert.ok((await subscriber.wallet()).balance < before.balance);
    const [entry] = await readAudit(rig.db, { subject: fresh.id, limit: 1 });
    assert.deepEqual(
      [entry?.action, entry?.actor.kind, entry?.details],
      ["electricity.resend", "key", { channel: "sms", message: body.message_id, to_another_phone: elsewhere }],
    );
  }
});

test("a purchase's token is sent again five times a day, and a repeat under the same key counts for nothing", async () => {
  const fresh = purchaseIn(await buy(subscriber, "/electricity/purchase", bodyFor("15555555555", phone(20))));
  const key = { "idempotency-key": "resend it" };
  const first = await resend({ channel: "sms" }, key, fresh.id);
  assert.equal(first.status, 202);
  const another = await resend({ channel: "sms", to: phone(21) }, key, fresh.id);
  assert.deepEqual([another.status, another.body.code], [422, "idempotency_key_reused"]);
  const others = await Promise.all(Array.from({ length: 7 }, () => resend({ channel: "sms" }, {}, fresh.id)));
  const refused = others.filter(({ status }) => status !== 202);
  assert.equal(refused.length, 3);
  for (const { status, body } of refused) assert.deepEqual([status, body.code, body.limit], [429, "quota_exceeded", 5]);
  const repeat = await resend({ channel: "sms" }, key, fresh.id);
  assert.deepEqual(
    [repeat.status, repeat.body.message_id, repeat.headers.get("idempotent-replayed")],
    [202, first.body.message_id, "true"],
  );
  const { body } = await subscriber.get<{ data: readonly Message[] }>(
    `/sms/messages?to=${encodeURIComponent(phone(20))}`,
  );
  assert.equal(body.data.length, 5);
  const written = (await readAudit(rig.db, { subject: fresh.id, limit: 10 })).map(({ action }) => action);
  const resent = written.filter((action) => action === "electricity.resend").length;
  const withdrawn = written.filter((action) => action === "electricity.resend_refused").length;
  assert.deepEqual([resent, withdrawn], [6, 1]);
});

test("repeats of a resend that come all at once are one message, and every one is answered with it", async () => {
  const fresh = purchaseIn(await buy(subscriber, "/electricity/purchase", bodyFor("15555555556", phone(40))));
  const key = { "idempotency-key": "all at once" };
  const answers = await Promise.all(Array.from({ length: 20 }, () => resend({ channel: "sms" }, key, fresh.id)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  assert.equal(new Set(answers.map(({ body }) => body.message_id)).size, 1);
});

test("a resend that the wallet can't pay is not counted", async () => {
  const poor = await rig.subscriber({ balance: "5020.00", also: { electricity: "scale" } });
  const fresh = purchaseIn(await buy(poor, "/electricity/purchase", bodyFor("16666666666", phone(30))));
  const answer = await poor.post<Problem>(`/electricity/resend/${fresh.id}`, { channel: "sms" });
  assert.deepEqual([answer.status, answer.body.code], [402, "insufficient_balance"]);
  const { rows } = await rig.db.query<{ sent: number }>("select sent from token_resends where account_id = $1", [
    poor.accountId,
  ]);
  assert.deepEqual(rows, [{ sent: 0 }]);
});

rig.provesItsLedger();
