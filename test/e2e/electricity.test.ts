import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeId } from "../../src/kernel/ids.ts";
import { parseKobo } from "../../src/kernel/kobo.ts";
import type { ScenarioName } from "../../src/simulators/vendors/scenarios.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { type Bought, buy, eventsOf, meterTokens, type Purchase, purchaseBecomes, purchaseIn } from "./purchases.ts";
import { type Money, phone, startRig } from "./rig.ts";

/** Two vendors, so that one can stand in for the other. */
const rig = await startRig((config) => ({
  ...config,
  routes: [
    ...config.routes,
    { provider: "buypower-simulator", service: "electricity", modes: ["test"], window: 200, ratePerSecond: 1_000 },
  ],
}));

interface Meter {
  readonly verification_id: string;
  readonly meter_number: string;
  readonly meter_type: string;
  readonly customer: { readonly name: string; readonly address: string | null };
  readonly expires_at: string;
}

const DISCO = "ikeja-electric";
const PURCHASE = "/electricity/purchase";
/** The plan's fee. */
const FEE = parseKobo("20.00");
const VENDORS = ["vtpass", "buypower"] as const;

const customer = (balance = "100000.00") => rig.subscriber({ balance, also: { electricity: "scale" } });
const subscriber = await customer();
const other = await customer();

let meters = 0;
/** A meter that nothing was bought for yet, and its customer's phone. */
function nextMeter() {
  meters += 1;
  return { meter: `1${String(2_000_000_000 + meters)}`, to: phone(meters) };
}
const bodyFor = ({ meter, to }: { meter: string; to: string }, more: object = {}) => ({
  meter_number: meter,
  disco: DISCO,
  amount: 2_000,
  to,
  ...more,
});
const verify = (body: object, who: Pick<typeof subscriber, "post"> = subscriber) =>
  who.post<Meter & Bought>("/electricity/verify", body);
const verified = async (meter: string): Promise<Meter> => {
  const { status, body } = await verify({ meter_number: meter, disco: DISCO });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
/** Whichever vendor is chosen meets it. */
const meets = (recipient: string, scenario: ScenarioName, more: object = {}) =>
  Promise.all(VENDORS.map((vendor) => rig.vendors.scenario(vendor, scenario, { recipient, ...more })));
const spentSince = async (before: { balance: bigint }) => before.balance - (await subscriber.wallet()).balance;
/** As if it were a quarter of an hour later. */
const expire = ({ verification_id }: Meter) =>
  rig.db.query("update meter_verifications set verified_at = verified_at - interval '16 minutes' where id = $1", [
    decodeId("ver", verification_id),
  ]);

test("a meter is verified under the disco's usual names, with spaces, and found postpaid when it is", async () => {
  const { status, body } = await verify({ meter_number: "1234-5678 901", disco: "IKEDC" });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.meter_number, "12345678901");
  assert.match(body.customer.name, /^TEST CUSTOMER/);
  const aheadMs = Date.parse(body.expires_at) - Date.now();
  assert.ok(aheadMs > 14 * 60_000 && aheadMs <= 15 * 60_000);
  const postpaid = await verify({ meter_number: "20000000002", disco: DISCO });
  assert.deepEqual([postpaid.status, postpaid.body.meter_type], [200, "postpaid"]);
});

test("a verification is of use to its own account and for its own meter alone", async () => {
  const place = nextMeter();
  const { verification_id } = await verified(place.meter);
  const before = await other.wallet();
  const foreign = await buy(other, PURCHASE, bodyFor(place, { verification_id }));
  assert.deepEqual([foreign.status, foreign.body.code], [404, "not_found"]);
  assert.deepEqual(await other.wallet(), before);
  const another = await buy(subscriber, PURCHASE, bodyFor(nextMeter(), { verification_id }));
  assert.deepEqual([another.status, another.body.code], [400, "validation_failed"]);
  assert.deepEqual(
    another.body.errors?.map(({ pointer }) => pointer),
    ["/verification_id"],
  );
  const own = await buy(subscriber, PURCHASE, bodyFor(place, { verification_id }));
  assert.equal(own.status, 201, JSON.stringify(own.body));
});

/** Every question whose meter it is. */
const asked = async () =>
  (await Promise.all(VENDORS.map((vendor) => rig.vendors.calls(vendor)))).flat().filter(isCheck);

test("a fresh verification is taken at its word: the vendors are not asked again", async () => {
  const place = nextMeter();
  const { verification_id } = await verified(place.meter);
  const before = await asked();
  assert.equal((await buy(subscriber, PURCHASE, bodyFor(place, { verification_id }))).status, 201);
  assert.equal((await asked()).length, before.length);
  assert.equal((await buy(subscriber, PURCHASE, bodyFor(nextMeter()))).status, 201);
  assert.equal((await asked()).length, before.length + 1, "without one they are");
});
const isCheck = ({ path }: { readonly path: string }) => /merchant-verify|check\/meter/.test(path);

test("a meter that has another customer by now is refused with meter_changed, and bought for with the new verification", async () => {
  const place = nextMeter();
  const before = await verified(place.meter);
  await expire(before);
  await rig.vendors.changeMeter(place.meter, { name: "SOMEBODY ELSE" });
  const wallet = await subscriber.wallet();
  const refused = await buy(subscriber, PURCHASE, bodyFor(place, { verification_id: before.verification_id }));
  assert.deepEqual([refused.status, refused.body.code], [409, "meter_changed"]);
  assert.deepEqual(await subscriber.wallet(), wallet);
  const { verification } = refused.body as unknown as { verification: Meter };
  assert.equal(verification.customer.name, "SOMEBODY ELSE");
  const bought = await buy(subscriber, PURCHASE, bodyFor(place, { verification_id: verification.verification_id }));
  assert.equal(bought.status, 201, JSON.stringify(bought.body));
  assert.equal(purchaseIn(bought).customer?.name, "SOMEBODY ELSE");
});

test("a name that is written or masked differently is no other customer", async () => {
  const place = nextMeter();
  await rig.vendors.changeMeter(place.meter, { name: "OBI ADA-MARIA" });
  for (const name of ["Ada Maria, Obi", "OB* AD*-M****"]) {
    const before = await verified(place.meter);
    await expire(before);
    await rig.vendors.changeMeter(place.meter, { name });
    const body = bodyFor(place, { verification_id: before.verification_id, allow_duplicate: true });
    const bought = await buy(subscriber, PURCHASE, body);
    assert.equal(bought.status, 201, JSON.stringify(bought.body));
    await rig.vendors.changeMeter(place.meter, { name: "OBI ADA-MARIA" });
  }
});

test("a vendor that can't say whose meter it is is passed over; when none can, nothing is bought", async () => {
  const { meter, to } = nextMeter();
  await rig.vendors.scenario("vtpass", "biller_down", { recipient: meter });
  const { verification_id } = await verified(meter);
  const { rows } = await rig.db.query("select provider from meter_verifications where id = $1", [
    decodeId("ver", verification_id),
  ]);
  assert.deepEqual(rows, [{ provider: "buypower-simulator" }]);
  const before = await subscriber.wallet();
  await meets(meter, "biller_down");
  const refused = await buy(subscriber, PURCHASE, bodyFor({ meter, to }));
  assert.deepEqual([refused.status, refused.body.code], [503, "provider_unavailable"]);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.deepEqual(await subscriber.wallet(), before);
});

test("a key or reference that another request has used is refused as such, whatever the vendors say, and they are not asked", async () => {
  const place = nextMeter();
  const key = { "idempotency-key": "used for two thousand" };
  const named = await buy(subscriber, PURCHASE, bodyFor(place, { reference: "used" }), key);
  assert.equal(named.status, 201, JSON.stringify(named.body));
  const before = await asked();
  const wallet = await subscriber.wallet();
  for (const isDown of [false, true]) {
    if (isDown) await meets(place.meter, "biller_down");
    const reused = await buy(subscriber, PURCHASE, bodyFor(place, { amount: 3_000 }), key);
    assert.deepEqual(
      [reused.status, reused.body.code, reused.body.order_id, reused.body.retryable],
      [422, "idempotency_key_reused", named.body.id, false],
    );
    const taken = await buy(subscriber, PURCHASE, bodyFor(place, { amount: 3_000, reference: "used" }));
    assert.deepEqual(
      [taken.status, taken.body.code, taken.body.order_id],
      [409, "reference_already_used", named.body.id],
    );
  }
  const repeat = await buy(subscriber, PURCHASE, bodyFor(place, { reference: "used" }));
  assert.deepEqual(
    [repeat.status, repeat.body.id, repeat.headers.get("idempotent-replayed")],
    [201, named.body.id, "true"],
  );
  assert.equal((await asked()).length, before.length);
  assert.deepEqual(await subscriber.wallet(), wallet);
});

test("where the vendor takes other arrears than it told, the tax of the purchase agrees with its breakdown", async () => {
  for (const [told, taken, tax] of [
    ["0", "150000", "1.40"],
    ["50000", "0", "106.05"],
    ["50000", "100000", "36.28"],
  ] as const) {
    const place = nextMeter();
    await rig.vendors.changeMeter(place.meter, { arrearsKobo: told });
    const { verification_id } = await verified(place.meter);
    await rig.vendors.changeMeter(place.meter, { arrearsKobo: taken, minimumKobo: "0" });
    const before = await subscriber.wallet();
    const bought = await buy(subscriber, PURCHASE, bodyFor(place, { amount: 1_500, verification_id }));
    assert.equal(bought.status, 201, JSON.stringify(bought.body));
    assert.equal(
      parseKobo(purchaseIn(bought).breakdown?.arrears?.amount ?? "0.00"),
      parseKobo(String(Number(taken) / 100)),
    );
    const { price } = await purchaseBecomes(subscriber, bought.body, "successful");
    assert.deepEqual([bought.body.price.tax, price.tax, price.amount], [tax, tax, "1520.00"]);
    assert.equal(await spentSince(before), parseKobo("1520.00"), "what is charged is what was quoted");
  }
});

test("a vendor that is silent for the whole wait: 202, then the token reaches status, event and the customer's phone", async () => {
  const place = nextMeter();
  const before = await subscriber.wallet();
  await meets(place.meter, "timeout_then_delivered");
  const body = bodyFor(place, { notify: { channel: "sms" } });
  const answer = await buy(subscriber, PURCHASE, body, { prefer: "wait=1" });
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  assert.equal(answer.headers.get("location"), `/electricity/status/${answer.body.id}`);
  assert.equal((await subscriber.wallet()).held, parseKobo("2000.00") + FEE, "the money stays held");
  assert.deepEqual(await eventsOf(rig.db, answer.body), []);

  const purchase = await purchaseBecomes(subscriber, answer.body, "successful");
  const [sold] = await meterTokens(subscriber, place.meter);
  assert.ok(sold);
  assert.equal(purchase.tokens?.[0]?.value, sold.value);
  assert.deepEqual(await eventsOf(rig.db, purchase), ["electricity.successful"]);
  const [message] = await waitFor("the customer's message", async () => {
    const messages = await subscriber.handset(place.to);
    return messages.length > 0 ? messages : undefined;
  });
  assert.ok(message);
  assert.ok(message.text.includes(sold.value));
  const { notify } = await purchaseBecomes(subscriber, answer.body, "successful");
  assert.deepEqual([notify?.channel, notify?.message_id], ["sms", message.message_id]);
  assert.equal(await spentSince(before), parseKobo("2000.00") + FEE + parseKobo(notify?.price?.amount ?? ""));
});

test("a vendor that is silent and then says that it failed: the money comes back once, and nobody is told of a token", async () => {
  const place = nextMeter();
  const before = await subscriber.wallet();
  await meets(place.meter, "timeout_then_failed");
  const body = bodyFor(place, { notify: { channel: "sms" } });
  const answer = await buy(subscriber, PURCHASE, body, { prefer: "respond-async" });
  assert.equal(answer.status, 202);
  const purchase = await purchaseBecomes(subscriber, answer.body, "failed");
  assert.ok(purchase.failure);
  assert.deepEqual([purchase.notify, purchase.tokens], [{ channel: "sms", status: "none" }, undefined]);
  assert.deepEqual(await subscriber.wallet(), before);
  assert.deepEqual(await eventsOf(rig.db, purchase), ["electricity.failed"]);
  const again = await subscriber.post<Bought>(PURCHASE, body, { "idempotency-key": "another" });
  assert.equal(again.status, 201, "what failed is no likely repeat");
});

test("while the token is awaited the purchase is processing and says so; then it comes with event and message", async () => {
  const place = nextMeter();
  await meets(place.meter, "token_late", { afterMs: 3_000 });
  const answer = await buy(subscriber, PURCHASE, bodyFor(place, { notify: { channel: "sms" } }), { prefer: "wait=1" });
  assert.deepEqual([answer.status, answer.body.status, answer.body.token_pending], [202, "processing", true]);
  assert.deepEqual(await eventsOf(rig.db, answer.body), ["electricity.token_pending"]);
  assert.deepEqual(await subscriber.handset(place.to), []);
  const purchase = await purchaseBecomes(subscriber, answer.body, "successful");
  assert.equal(purchase.tokens?.length, 1);
  assert.deepEqual(await eventsOf(rig.db, purchase), ["electricity.token_pending", "electricity.successful"]);
  await waitFor("the customer's message", async () => (await subscriber.handset(place.to)).length === 1 || undefined);
});

for (const [scenario, kinds] of [
  ["key_change", ["kct1", "kct2", "credit"]],
  ["bonus_token", ["credit", "bonus"]],
] as const)
  test(`tokens of ${scenario} come in the order in which the meter takes them, in the answer and in the message`, async () => {
    const place = nextMeter();
    await meets(place.meter, scenario);
    const purchase = purchaseIn(await buy(subscriber, PURCHASE, bodyFor(place, { notify: { channel: "sms" } })));
    assert.deepEqual(
      purchase.tokens?.map(({ kind }) => kind),
      kinds,
    );
    const sold = await meterTokens(subscriber, place.meter);
    assert.deepEqual(purchase.tokens?.map(({ value }) => value).sort(), sold.map(({ value }) => value).sort());
    const [message] = await waitFor("the customer's message", async () => {
      const messages = await subscriber.handset(place.to);
      return messages.length > 0 ? messages : undefined;
    });
    const told = [...(message?.text.matchAll(/(?:\d{4} ){4}\d{4}/g) ?? [])].map(([token]) => token);
    assert.deepEqual(
      told,
      purchase.tokens?.map(({ value }) => value),
    );
    for (const { value } of purchase.tokens ?? [])
      assert.equal((await rig.vendors.enterToken(place.meter, value.replaceAll(" ", ""))).result, "accepted");
  });

test("a message that the account can't send is refused in the purchase, which stays as it is", async () => {
  const place = nextMeter();
  const poor = await rig.subscriber({ balance: "2020.00", also: { electricity: "scale" } });
  const bought = purchaseIn(await buy(poor, PURCHASE, bodyFor(place, { notify: { channel: "sms" } })));
  const purchase = await waitFor("the refusal", async () => {
    const now = await purchaseBecomes(poor, bought, "successful");
    return now.notify?.status === "refused" ? now : undefined;
  });
  assert.equal(purchase.notify?.failure?.code, "insufficient_balance");
  assert.equal(purchase.tokens?.length, 1);
  assert.deepEqual(await poor.wallet(), { balance: 0n, held: 0n, available: 0n });
});

test("airtime tells its customer too", async () => {
  const to = phone(800);
  const buyer = await rig.subscriber({ balance: "1000.00", also: { airtime: "scale" } });
  await buy(buyer, "/airtime/topup", { to, amount: 500, notify: { channel: "sms" } });
  const [message] = await waitFor("the customer's message", async () => {
    const messages = await buyer.handset(to);
    return messages.length > 0 ? messages : undefined;
  });
  assert.equal(message?.text, "You have received NGN 500.00 of MTN airtime.");
});

test("another account sees neither the purchase nor the meter's tokens", async () => {
  const place = nextMeter();
  const { id } = purchaseIn(await buy(subscriber, PURCHASE, bodyFor(place)));
  assert.equal((await other.get(`/electricity/status/${id}`)).status, 404);
  assert.deepEqual(await meterTokens(other, place.meter), []);
  assert.equal((await meterTokens(subscriber, place.meter)).length, 1);
  const list = async (who: typeof subscriber) =>
    (await who.get<{ data: readonly Purchase[] }>(`/electricity/purchases?meter_number=${place.meter}`)).body.data;
  assert.deepEqual(
    (await list(subscriber)).map((purchase) => purchase.id),
    [id],
  );
  assert.deepEqual(await list(other), []);
});

test("every disco is listed, and can be bought from while a vendor that sells for it is there", async () => {
  const { body } = await subscriber.get<{ data: readonly { code: string; status: string; minimum_amount: Money }[] }>(
    "/electricity/discos",
  );
  assert.equal(body.data.length, 12);
  assert.deepEqual(
    body.data.filter(({ status }) => status !== "available"),
    [],
  );
});

rig.provesItsLedger();
