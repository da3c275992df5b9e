import assert from "node:assert/strict";
import { test } from "node:test";
import { parseKobo } from "../../src/kernel/kobo.ts";
import { pauseRoute, resumeRoute } from "../../src/orders/nodes.repo.ts";
import { makeTestKey } from "../../src/testing/account.ts";
import { startStopwatch } from "../../src/testing/stopwatch.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { arrivals, type Bought, buy, type Purchase, purchaseBecomes } from "./purchases.ts";
import { assertProblem, type Problem, phone, startRig } from "./rig.ts";

const rig = await startRig();

const TOPUP = "/airtime/topup";
/** Naira of a ₦500 top-up of an MTN number on the plan that the accounts here have. */
const PRICE = parseKobo("485.00");
let phones = 0;
/** A handset that nothing was bought for yet. */
function nextPhone(): string {
  phones += 1;
  return phone(phones);
}

const customer = (balance = "100000.00") => rig.subscriber({ balance, also: { airtime: "scale" } });
const subscriber = await customer();
const other = await customer();

const isReplayed = (answer: { readonly headers: Headers }) => answer.headers.get("idempotent-replayed") === "true";
const idsOf = (answers: readonly { readonly body: Bought }[]) => new Set(answers.map(({ body }) => body.id));
const listed = async (path: string) =>
  (await subscriber.get<{ data: readonly Purchase[]; has_more: boolean; next_cursor?: string }>(path)).body;

const AMOUNTS: readonly (readonly [what: string, amount: string, status: number, code: string | undefined])[] = [
  ["the least", "50", 201, undefined],
  ["the most, as a string with kobo", '"50000.00"', 201, undefined],
  ["an exponent, which is a JSON integer", "1e3", 201, undefined],
  ["a fraction of zero, which is a JSON integer", "100.0", 201, undefined],
  ["an exponent in a string", '"1e3"', 400, "validation_failed"],
  ["a fraction", "100.5", 400, "amount_not_exact"],
  ["less than a kobo", '"100.005"', 400, "amount_not_exact"],
  ["kobo", '"100.50"', 422, "amount_out_of_bounds"],
  ["a naira too little", "49", 422, "amount_out_of_bounds"],
  ["a kobo too much", '"50000.01"', 422, "amount_out_of_bounds"],
  ["nothing", "0", 422, "amount_out_of_bounds"],
  ["a negative number", "-500", 400, "validation_failed"],
  ["a negative string", '"-500"', 400, "validation_failed"],
  ["2^53 + 1", "9007199254740993", 400, "validation_failed"],
  ["2^53 + 1 in a string", '"9007199254740993"', 400, "validation_failed"],
  ["a number that is infinite", "1e999", 400, "validation_failed"],
  ["thousands", '"1,000"', 400, "validation_failed"],
  ["a boolean", "true", 400, "validation_failed"],
];
for (const [what, amount, status, code] of AMOUNTS)
  test(`an amount of ${amount} (${what}) is answered with ${code ?? "the purchase"}`, async () => {
    const before = await subscriber.wallet();
    const response = await fetch(`${rig.gateway.base}${TOPUP}`, {
      method: "POST",
      headers: { "x-api-key": subscriber.key, "content-type": "application/json" },
      body: `{"to":"${nextPhone()}","amount":${amount},"reference":"amount ${what}"}`,
    });
    const body = (await response.json()) as Bought;
    assert.deepEqual([response.status, body.code], [status, code], JSON.stringify(body));
    if (code === "amount_out_of_bounds")
      assert.deepEqual([body.minimum_amount?.amount, body.maximum_amount?.amount], ["50.00", "50000.00"]);
    if (code !== undefined) assert.deepEqual(await subscriber.wallet(), before);
  });

for (const [name, network] of [
  ["mtn", "mtn"],
  ["airtel", "airtel"],
  ["glo", "glo"],
  ["9mobile", "9mobile"],
  ["t2", "9mobile"],
  ["etisalat", "9mobile"],
])
  test(`a top-up for the network ${name} is bought at ${network}, and nothing is guessed`, async () => {
    const { status, body } = await buy(subscriber, TOPUP, { to: nextPhone(), amount: 100, network: name });
    assert.deepEqual([status, body.network, body.network_guess], [201, network, undefined]);
  });

test("without a network that of the first digits is taken and told as a guess; first digits of nobody are asked about", async () => {
  const airtel = await buy(subscriber, TOPUP, { to: "08021234567", amount: 100 }, { prefer: "respond-async" });
  assert.equal(airtel.body.network_guess, "airtel"); // the vendor may have said it by now, so the other is not looked at
  const known = await purchaseBecomes(subscriber, airtel.body, "successful");
  assert.deepEqual([known.network_guess, known.network], ["airtel", "airtel"]);
  const unknown = await buy(subscriber, TOPUP, { to: "07071234567", amount: 100 });
  assert.deepEqual(
    [unknown.status, unknown.body.code, unknown.body.errors?.[0]?.pointer],
    [400, "validation_failed", "/network"],
  );
  assert.equal((await buy(subscriber, TOPUP, { to: "07071234567", amount: 100, network: "glo" })).status, 201);
});

test("faults are told together, and nobody's number but a Nigerian mobile one is topped up", async () => {
  const { status, body } = await buy(subscriber, TOPUP, { to: "0803", amount: 10 });
  assert.equal(status, 422);
  assert.deepEqual(
    body.errors?.map(({ pointer, code }) => [pointer, code]),
    [
      ["/to", "invalid_phone_number"],
      ["/amount", "amount_out_of_bounds"],
    ],
  );
  const abroad = await buy(subscriber, TOPUP, { to: "+447911123456", amount: 100 });
  assert.equal(abroad.body.code, "destination_not_supported");
  assert.equal((await buy(subscriber, TOPUP, { to: nextPhone(), amount: 100, netwrok: "mtn" })).status, 400);
});

test("a purchase without a key and a reference is refused; a reference serves as the key", async () => {
  const body = { to: nextPhone(), amount: 500 };
  const nameless = await subscriber.post<Bought>(TOPUP, body);
  assert.deepEqual([nameless.status, nameless.body.code], [400, "idempotency_key_required"]);
  const named = { ...body, reference: "till-1" };
  const first = await subscriber.post<Bought>(TOPUP, named);
  const again = await subscriber.post<Bought>(TOPUP, named);
  assert.deepEqual([first.status, again.status], [201, 201]);
  assert.deepEqual([isReplayed(first), isReplayed(again)], [false, true]);
  assert.deepEqual(again.body, first.body);
  const another = await subscriber.post<Bought>(TOPUP, { ...named, amount: 600 });
  assert.deepEqual(
    [another.status, another.body.code, another.body.order_id],
    [409, "reference_already_used", first.body.id],
  );
});

test("the same key 20 times at once makes one purchase, and all are answered from it", async () => {
  const before = await subscriber.wallet();
  const body = { to: nextPhone(), amount: 500 };
  const headers = { "idempotency-key": "twenty at once" };
  const answers = await Promise.all(Array.from({ length: 20 }, () => buy(subscriber, TOPUP, body, headers)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(idsOf(answers).size, 1);
  assert.equal(answers.filter(isReplayed).length, 19);
  assert.equal((await arrivals(subscriber, body.to)).airtime.length, 1);
  assert.equal((await subscriber.wallet()).balance, before.balance - PRICE);
  const reused = await buy(subscriber, TOPUP, { ...body, amount: 600 }, headers);
  assert.deepEqual([reused.status, reused.body.code], [422, "idempotency_key_reused"]);
});

test("20 purchases at once on a wallet that pays for 7 are exactly 7", async () => {
  const poor = await customer("3400.00"); // 7 × 485.00 = 3,395.00
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => buy(poor, TOPUP, { to: nextPhone(), amount: 500 })),
  );
  const counts = Map.groupBy(answers, ({ status }) => status);
  assert.deepEqual([counts.get(201)?.length, counts.get(402)?.length], [7, 13]);
  for (const { body } of counts.get(402) ?? []) assert.equal(body.code, "insufficient_balance");
  assert.deepEqual(await poor.wallet(), { balance: 500n, held: 0n, available: 500n });
});

test("the same for the same phone under ten keys at once is bought once; the others name it", async () => {
  const body = { to: nextPhone(), amount: 500 };
  const answers = await Promise.all(Array.from({ length: 10 }, () => buy(subscriber, TOPUP, body)));
  const [bought, ...more] = answers.filter(({ status }) => status === 201);
  assert.equal(more.length, 0);
  const refused = answers.filter(({ status }) => status === 409);
  assert.equal(refused.length, 9);
  for (const { body } of refused) assert.deepEqual([body.code, body.order_id], ["possible_duplicate", bought?.body.id]);
  assert.equal((await arrivals(subscriber, body.to)).airtime.length, 1);
  const meant = await buy(subscriber, TOPUP, { ...body, allow_duplicate: true });
  assert.equal(meant.status, 201);
  assert.notEqual(meant.body.id, bought?.body.id);
  assert.equal((await buy(subscriber, TOPUP, { ...body, amount: 600 })).status, 201, "another amount is no repeat");
  assert.equal((await buy(other, TOPUP, body)).status, 201, "nor is another account's");
});

test("what failed may be bought again at once", async () => {
  const body = { to: "+2348000000012", amount: 500 };
  assert.equal((await buy(subscriber, TOPUP, body)).body.code, "wrong_network");
  assert.equal((await buy(subscriber, TOPUP, body)).body.code, "wrong_network");
});

test("`validate_only` says the price, makes nothing, needs no key and spends none", async () => {
  const before = await subscriber.wallet();
  const body = { to: nextPhone(), amount: 500 };
  const headers = { "idempotency-key": "only a look" };
  const look = await buy(subscriber, TOPUP, { ...body, validate_only: true }, headers);
  assert.equal(look.status, 200);
  const { valid, object, product, price, discount, network_guess } = look.body;
  assert.deepEqual(
    [valid, object, product, price.amount, price.tax, discount.amount, network_guess],
    [true, "purchase_check", "airtime", "485.00", "33.84", "15.00", "mtn"],
  );
  assert.equal((await subscriber.post(TOPUP, { ...body, validate_only: true })).status, 200);
  assert.deepEqual(await subscriber.wallet(), before);
  assert.equal((await buy(subscriber, TOPUP, body, headers)).status, 201, "the key is still free");

  const poor = await customer("484.99");
  const refused = await buy(poor, TOPUP, { to: nextPhone(), amount: 500, validate_only: true });
  assert.deepEqual([refused.status, refused.body.code], [402, "insufficient_balance"]);
  const unserved = await buy(subscriber, TOPUP, { to: "+2348000000013", amount: 500, validate_only: true });
  assert.deepEqual([unserved.status, unserved.body.code], [503, "provider_unavailable"]);
});

test("`validate_only` looks at likely duplicates, used names and the key's cap too, and at nothing that a repeat would pass", async () => {
  const body = { to: nextPhone(), amount: 500 };
  const key = { "idempotency-key": "looked at first" };
  const named = { ...body, reference: "looked-at-1" };
  const bought = await buy(subscriber, TOPUP, named, key);
  assert.equal(bought.status, 201);
  const look = (what: object, headers?: Record<string, string>) =>
    subscriber.post<Problem>(TOPUP, { ...what, validate_only: true }, headers);
  const other = { to: nextPhone(), amount: 600 };
  for (const [what, headers, code] of [
    [body, undefined, "possible_duplicate"],
    [{ ...other, reference: "looked-at-1" }, undefined, "reference_already_used"],
    [other, key, "idempotency_key_reused"],
  ] as const) {
    const refused = await look(what, headers);
    assertProblem(refused);
    assert.deepEqual([refused.body.code, refused.body.order_id], [code, bought.body.id]);
  }
  for (const [what, headers] of [
    [named, key],
    [named, undefined],
    [{ ...body, allow_duplicate: true }, undefined],
    [{ ...other, reference: "not-used" }, undefined],
  ] as const)
    assert.equal((await look(what, headers)).status, 200, JSON.stringify(what));

  const spender = await customer("1000.00");
  await rig.db.query("update api_keys set spend_cap_kobo = 48499 where account_id = $1", [spender.accountId]);
  const capped = await spender.post<Problem>(TOPUP, { to: nextPhone(), amount: 500, validate_only: true });
  assertProblem(capped);
  const { code, quota, limit_amount, remaining_amount } = capped.body as typeof capped.body & Record<string, unknown>;
  const cap = { amount: "484.99", currency: "NGN" };
  assert.deepEqual(
    [capped.status, code, quota, limit_amount, remaining_amount],
    [429, "quota_exceeded", "key-spend", cap, cap],
  );
});

test("another price than the expected one is refused with the present one, and the expected one is bought", async () => {
  const body = { to: nextPhone(), amount: 500 };
  const refused = await buy(subscriber, TOPUP, { ...body, expected_price: "480.00" });
  assert.deepEqual([refused.status, refused.body.code], [409, "price_changed"]);
  assert.deepEqual(refused.body.price, { amount: "485.00", currency: "NGN", tax: "33.84" });
  assert.equal((await buy(subscriber, TOPUP, { ...body, expected_price: "0.001" })).body.code, "amount_not_exact");
  assert.equal((await buy(subscriber, TOPUP, { ...body, expected_price: 485 })).status, 201);
});

test("a caller waits as long as it prefers, and learns the outcome from the status or a repeat", async () => {
  const body = { to: "+2348000000004", amount: 700 };
  const headers = { "idempotency-key": "silent vendor" };
  const elapsedMs = startStopwatch();
  const first = await buy(subscriber, TOPUP, body, { ...headers, prefer: "wait=1" });
  assert.ok(elapsedMs() < 15_000);
  assert.deepEqual([first.status, first.body.status], [202, "processing"]);
  assert.equal(first.headers.get("location"), `/airtime/status/${first.body.id}`);
  const meanwhile = await subscriber.get<Purchase>(first.headers.get("location") ?? "");
  assert.deepEqual([meanwhile.status, meanwhile.body.status], [200, "processing"]);
  assert.equal((await subscriber.wallet()).held, parseKobo("679.00"));

  const asked = await buy(subscriber, TOPUP, body, { ...headers, prefer: "respond-async" });
  assert.deepEqual([asked.status, asked.body.id, isReplayed(asked)], [202, first.body.id, true]);
  // The repeat waits like the first.
  const known = await buy(subscriber, TOPUP, body, headers);
  assert.deepEqual([known.status, known.body.status, known.body.id], [201, "successful", first.body.id]);
  const later = await buy(subscriber, TOPUP, body, { ...headers, prefer: "wait=0" });
  assert.deepEqual([later.status, isReplayed(later)], [201, true]);
});

test("a vendor that is silent and then proves a failure returns the money once, and a repeat says so", async () => {
  const careful = await customer("1000.00");
  const body = { to: "+2348000000005", amount: 500 };
  const headers = { "idempotency-key": "failed" };
  const first = await buy(careful, TOPUP, body, { ...headers, prefer: "respond-async" });
  assert.equal(first.status, 202);
  const ended = await purchaseBecomes(careful, first.body, "failed");
  assert.equal(ended.failure?.code, "vendor_failed");
  assert.deepEqual(await careful.wallet(), { balance: 100_000n, held: 0n, available: 100_000n });
  const again = await buy(careful, TOPUP, body, headers);
  assert.deepEqual([again.status, again.body.code, again.body.retryable], [422, "purchase_failed", false]);
  assert.deepEqual([again.body.purchase?.id, isReplayed(again)], [first.body.id, true]);
});

test("nobody sees or repeats another account's purchase", async () => {
  const headers = { "idempotency-key": "mine" };
  const body = { to: nextPhone(), amount: 500 };
  const mine = await buy(subscriber, TOPUP, body, headers);
  const stranger = await other.get<Bought>(`/airtime/status/${mine.body.id}`);
  const absent = await other.get<Bought>("/airtime/status/pur_01kb3v9q4ze1xb8m6t2r5y7w0n");
  assert.deepEqual([stranger.status, stranger.body.code], [404, "not_found"]);
  assert.equal(stranger.body.detail, absent.body.detail);
  const theirs = await buy(other, TOPUP, body, headers);
  assert.equal(theirs.status, 201);
  assert.notEqual(theirs.body.id, mine.body.id);
  assert.deepEqual(
    (await arrivals(other, body.to)).airtime.map(({ purchase_id }) => purchase_id),
    [theirs.body.id],
  );
  const message = await subscriber.send({ to: nextPhone(), message: "Not a purchase" });
  assert.equal((await subscriber.get(`/airtime/status/${message.id.replace("msg_", "pur_")}`)).status, 404);
});

test("buying takes the scope `vend`, reading `read`, and both a subscription", async () => {
  const keyWith = async (scopes: readonly ("read" | "send" | "vend")[]) =>
    rig.as(await makeTestKey(rig.db, { secret: rig.secret, accountId: subscriber.accountId, mode: "test", scopes }));
  const [reader, vendor] = [await keyWith(["read", "send"]), await keyWith(["vend"])];
  const body = { to: nextPhone(), amount: 100 };
  assert.equal((await buy(reader, TOPUP, body)).body.code, "scope_missing");
  assert.equal((await buy(vendor, TOPUP, body)).status, 201);
  assert.equal((await reader.get("/airtime/purchases")).status, 200);
  assert.equal((await vendor.get("/airtime/purchases")).status, 403);
  const unsubscribed = await rig.subscriber({ balance: "1000.00" });
  assert.equal((await buy(unsubscribed, TOPUP, body)).body.code, "not_subscribed");
});

test("the list narrows by status, phone, reference and time, and goes on where the page ended", async () => {
  const to = nextPhone();
  const made: string[] = [];
  for (const amount of [100, 200, 300]) {
    const { body } = await buy(subscriber, TOPUP, { to, amount, reference: `list ${amount}`, metadata: { n: "1" } });
    made.unshift(body.id);
  }
  const query = `to=${encodeURIComponent(to)}`;
  const all = await listed(`/airtime/purchases?${query}`);
  assert.deepEqual(
    all.data.map(({ id }) => id),
    made,
  );
  assert.deepEqual(all.data[0]?.metadata, { n: "1" });
  const first = await listed(`/airtime/purchases?${query}&limit=2`);
  assert.deepEqual([first.data.length, first.has_more], [2, true]);
  const rest = await listed(`/airtime/purchases?${query}&limit=2&after=${first.next_cursor}`);
  assert.deepEqual([rest.data.map(({ id }) => id), rest.has_more], [made.slice(2), false]);
  const mixed = await subscriber.get<Bought>(`/airtime/purchases?limit=2&after=${first.next_cursor}`);
  assert.equal(mixed.body.code, "invalid_cursor");

  assert.deepEqual((await listed("/airtime/purchases?reference=list%20200")).data.length, 1);
  const since = all.data[0]?.created_at ?? "";
  assert.deepEqual((await listed(`/airtime/purchases?${query}&created_after=${since}`)).data.length, 1);
  assert.equal((await listed(`/airtime/purchases?${query}&status=failed`)).data.length, 0);
  for (const { status } of (await listed("/airtime/purchases?status=failed")).data) assert.equal(status, "failed");
  assert.equal((await subscriber.get("/airtime/purchases?to=0803")).status, 422);
});

test("while every vendor is paused there is no order, and nothing is held", async () => {
  const used = { "idempotency-key": "used before the pause" };
  assert.equal((await buy(subscriber, TOPUP, { to: nextPhone(), amount: 500 }, used)).status, 201);
  const before = await subscriber.wallet();
  await pauseRoute(rig.db, "vtpass-simulator", "an exercise");
  const body = { to: nextPhone(), amount: 500, validate_only: true };
  await waitFor("the pause", async () => (await buy(subscriber, TOPUP, body)).status === 503);
  const refused = await buy(subscriber, TOPUP, { ...body, validate_only: false });
  assert.deepEqual([refused.status, refused.body.code], [503, "provider_unavailable"]);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  const reused = await buy(subscriber, TOPUP, { ...body, validate_only: false }, used);
  assert.deepEqual([reused.status, reused.body.code], [422, "idempotency_key_reused"], "no retry would help");
  assert.deepEqual(await subscriber.wallet(), before);
  await resumeRoute(rig.db, "vtpass-simulator");
  await waitFor("the end of the pause", async () => (await buy(subscriber, TOPUP, body)).status === 200);
});

test("an account from before the service gets its ledger accounts with the subscription, in both modes, and not twice", async () => {
  const older = await rig.subscriber({ mode: "live", balance: "0.00" });
  const modes = async () => {
    const { rows } = await rig.db.query<{ mode: string }>(
      "select mode from ledger_accounts where account_id = $1 and kind = 'sales:airtime' order by mode",
      [older.accountId],
    );
    return rows.map(({ mode }) => mode);
  };
  assert.deepEqual(await modes(), []);
  for (const _again of [1, 2]) {
    const { status } = await rig.gateway.call(
      "PUT",
      "/subscriptions/airtime",
      { plan: "free" },
      { "x-api-key": older.key },
    );
    assert.equal(status, 200);
    assert.deepEqual(await modes(), ["live", "test"]);
  }
});

test("a gateway that is told to stop answers those who wait, and the purchase goes on", async () => {
  const waiting = buy(subscriber, TOPUP, { to: "+2348000000005", amount: 800 });
  await waitFor("the purchase", async () => (await listed("/airtime/purchases?status=processing")).data.length > 0);
  const elapsedMs = startStopwatch();
  const stopped = rig.gateway.stop();
  const answer = await waiting;
  assert.deepEqual([answer.status, answer.body.status], [202, "processing"]);
  assert.equal(await stopped, 0);
  assert.ok(elapsedMs() < 19_000); // else it would have waited for 20 s
});

rig.provesItsLedger();
