import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeId } from "../../src/kernel/ids.ts";
import { parseKobo } from "../../src/kernel/kobo.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { type CablePurchase, type Card, changeCard, nextCard, plansOf } from "./cable-cards.ts";
import { type Bought, buy, eventsOf, type Purchase, purchaseBecomes, purchaseIn } from "./purchases.ts";
import { phone, startRig } from "./rig.ts";

const rig = await startRig();
const PURCHASE = "/cable/purchase";
/** The plan's fee. */
const FEE = parseKobo("20.00");

const customer = (balance = "1000000.00") => rig.subscriber({ balance, also: { cable: "scale" } });
const subscriber = await customer();
const other = await customer();
const bouquets = await plansOf(subscriber, "gotv");

const bodyFor = (card: string, more: object = {}) => ({
  smartcard_number: card,
  provider: "gotv",
  kind: "renew",
  to: phone(1),
  ...more,
});
const changeFor = (card: string, more: object = {}) =>
  bodyFor(card, { kind: "change", plan_id: planOf("gotv-jolli").plan_id, ...more });
const planOf = (name: string) => {
  const words = name.replace("gotv-", "");
  const plan = bouquets.find((one) => one.name.toLowerCase().includes(words));
  assert.ok(plan, `${name} is in the list`);
  return plan;
};
const verify = (body: object) => subscriber.post<Card & Bought>("/cable/verify", body);
const verified = async (smartcard_number: string, provider = "gotv"): Promise<Card> => {
  const { status, body } = await verify({ smartcard_number, provider });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const read = (purchase: Purchase): CablePurchase => purchase as CablePurchase;
/** As if it were a quarter of an hour later. */
const expire = ({ verification_id }: Card) =>
  rig.db.query("update smartcard_verifications set verified_at = verified_at - interval '16 minutes' where id = $1", [
    decodeId("ver", verification_id),
  ]);
const checks = async () => (await rig.vendors.calls("vtpass")).filter(({ path }) => path.endsWith("/merchant-verify"));

test("the TV providers are listed with what each offers, and can be bought from", async () => {
  const { body } = await subscriber.get<{ data: readonly { code: string; kinds: string[]; status: string }[] }>(
    "/cable/providers",
  );
  assert.deepEqual(
    body.data.map(({ code, kinds, status }) => [code, kinds.join(), status]),
    [
      ["dstv", "renew,change", "available"],
      ["gotv", "renew,change", "available"],
      ["startimes", "change", "available"],
      ["showmax", "change", "available"],
    ],
  );
});

test("bouquets have the list's price, not the one in the name, and the validity that the name states", async () => {
  const dstv = await plansOf(subscriber, "dstv");
  assert.ok(
    dstv.some(({ name }) => name === "DStv Compact N19,000"),
    "two spaces in the vendor's list",
  );
  const premium = dstv.find(({ name }) => name.includes("W/Afr + Showmax N37,000"));
  assert.equal(premium?.amount.amount, "42000.00");
  assert.equal(premium?.price.amount, "42020.00");
  assert.equal(premium?.validity_days, null);
  const validity = (words: string) => bouquets.find(({ name }) => name.includes(words))?.validity_days;
  assert.deepEqual([validity("monthly N1900"), validity("yearly"), validity("Jolli")], [30, 365, null]);
  const startimes = await plansOf(subscriber, "startimes");
  assert.deepEqual(
    startimes.map(({ validity_days }) => validity_days).sort(),
    [1, 30, 7, 7],
    "the deposit of any amount is not sold",
  );
});

test("a card is verified with its bouquet, what a renewal costs, and when it is due, in each TV provider's own form", async () => {
  const dstv = await verified("1212-1212 12", "dstv");
  assert.equal(dstv.smartcard_number, "1212121212");
  assert.deepEqual(
    [dstv.current_plan, dstv.renewal_amount?.amount, dstv.due_date],
    ["DStv Compact N19,000", "19000.00", "2027-02-06"],
  );
  const gotv = await verified("1212121212");
  assert.deepEqual([gotv.renewal_amount?.amount, gotv.due_date], ["5800.00", "2027-02-06"]);
  const startimes = await verified("1212121212", "startimes");
  assert.deepEqual(
    [startimes.current_plan, startimes.renewal_amount, startimes.due_date],
    [undefined, undefined, undefined],
  );
  assert.match(startimes.customer.name, /^TEST SUBSCRIBER/);
});

test("a card that a TV provider does not know is smartcard_not_found, whichever way its vendor says so", async () => {
  for (const provider of ["dstv", "gotv", "startimes"]) {
    const { status, body } = await verify({ smartcard_number: "2000000002", provider });
    assert.deepEqual([status, body.code], [422, "smartcard_not_found"], provider);
    const bought = await buy(subscriber, PURCHASE, { ...changeFor("2000000002"), provider });
    assert.ok(["smartcard_not_found", "plan_not_found"].includes(bought.body.code ?? ""), JSON.stringify(bought.body));
  }
});

test("what a TV provider does not offer is refused with what is possible there, and nothing is asked of a vendor", async () => {
  const before = await checks();
  const showmax = await verify({ smartcard_number: "1212121212", provider: "showmax" });
  assert.deepEqual([showmax.status, showmax.body.code], [422, "not_supported_by_provider"]);
  assert.deepEqual((showmax.body as { possible?: object }).possible, { verify: false, kinds: ["change"] });
  const startimes = await buy(subscriber, PURCHASE, bodyFor("1212121212", { provider: "startimes" }));
  assert.deepEqual([startimes.status, startimes.body.code], [422, "not_supported_by_provider"]);
  assert.deepEqual((startimes.body as { possible?: object }).possible, { verify: true, kinds: ["change"] });
  assert.equal((await checks()).length, before.length);
});

test("a renewal is bought at the amount that the TV provider asks, and the decoder gets all of it", async () => {
  const card = nextCard();
  const before = await subscriber.wallet();
  const bought = await buy(subscriber, PURCHASE, bodyFor(card));
  assert.equal(bought.status, 201, JSON.stringify(bought.body));
  const purchase = read(purchaseIn(bought));
  assert.deepEqual(
    [purchase.object, purchase.kind, purchase.provider, purchase.smartcard_number],
    ["cable", "renew", "gotv", card],
  );
  assert.deepEqual([purchase.amount.amount, purchase.price.amount], ["5800.00", "5820.00"]);
  assert.equal(before.balance - (await subscriber.wallet()).balance, parseKobo("5800.00") + FEE);
  const [vend] = await rig.vendors.vends("vtpass", { recipient: card });
  assert.deepEqual([vend?.amountKobo, vend?.details.activates], ["580000", true]);
  assert.deepEqual(await eventsOf(rig.db, purchase), ["cable.successful"]);
});

test("a renewal amount that changed since the verification is price_changed: nothing is bought, whichever way it changed", async () => {
  for (const renewalKobo of ["700000", "250000"]) {
    const card = nextCard();
    const { verification_id } = await verified(card);
    await changeCard(rig, card, { renewalKobo });
    const before = await subscriber.wallet();
    const refused = await buy(subscriber, PURCHASE, bodyFor(card, { verification_id }));
    assert.deepEqual([refused.status, refused.body.code], [409, "price_changed"]);
    assert.equal(parseKobo(refused.body.price.amount), BigInt(renewalKobo) + FEE);
    assert.deepEqual(await subscriber.wallet(), before);
    assert.deepEqual(await rig.vendors.vends("vtpass", { recipient: card }), []);
    const { price } = refused.body;
    const again = await buy(subscriber, PURCHASE, bodyFor(card, { verification_id, expected_price: price.amount }));
    assert.equal(again.body.code, "price_changed", "the price does not confirm an old verification");
    const anew = refused.body.verification?.verification_id;
    const bought = await buy(subscriber, PURCHASE, bodyFor(card, { verification_id: anew }));
    assert.equal(bought.status, 201, JSON.stringify(bought.body));
  }
});

test("without a verification the amount that the caller showed is checked by expected_price", async () => {
  const card = nextCard();
  await changeCard(rig, card, { renewalKobo: "6388500" });
  const refused = await buy(subscriber, PURCHASE, bodyFor(card, { expected_price: "5820.00" }));
  assert.deepEqual([refused.status, refused.body.code, refused.body.price.amount], [409, "price_changed", "63905.00"]);
  assert.match(refused.body.detail ?? "", /^This costs ₦63,905\.00 now \(of it ₦20\.00 fee\); ₦5,820\.00 was expected/);
  const bought = await buy(subscriber, PURCHASE, bodyFor(card, { expected_price: "63905.00" }));
  assert.equal(purchaseIn(bought).amount.amount, "63885.00");
});

test("a card that is inactive has nothing to renew, and takes a bouquet", async () => {
  const refused = await buy(subscriber, PURCHASE, bodyFor("8000000008"));
  assert.deepEqual([refused.status, refused.body.code], [422, "not_supported_by_provider"]);
  assert.equal((await buy(subscriber, PURCHASE, changeFor("8000000008"))).status, 201);
});

test("another customer than verified is refused, for a change as soon as the verification has expired", async () => {
  const card = nextCard();
  const before = await verified(card);
  await changeCard(rig, card, { name: "SOMEBODY ELSE" });
  const { verification_id } = before;
  const renewal = await buy(subscriber, PURCHASE, bodyFor(card, { verification_id }));
  assert.deepEqual([renewal.status, renewal.body.code], [409, "smartcard_changed"]);
  await expire(before);
  const change = await buy(subscriber, PURCHASE, changeFor(card, { verification_id }));
  assert.deepEqual([change.status, change.body.code], [409, "smartcard_changed"]);
  const { verification } = change.body as unknown as { verification: Card };
  assert.equal(verification.customer.name, "SOMEBODY ELSE");
  const bought = await buy(subscriber, PURCHASE, changeFor(card, { verification_id: verification.verification_id }));
  assert.equal(purchaseIn(bought).customer?.name, "SOMEBODY ELSE");
});

test("a change takes a fresh verification at its word, and its own account's alone", async () => {
  const card = nextCard();
  const { verification_id } = await verified(card);
  const before = await checks();
  const foreign = await buy(other, PURCHASE, changeFor(card, { verification_id }));
  assert.deepEqual([foreign.status, foreign.body.code], [404, "not_found"]);
  const another = await buy(subscriber, PURCHASE, changeFor(nextCard(), { verification_id }));
  assert.deepEqual([another.status, another.body.code], [400, "validation_failed"]);
  assert.equal((await buy(subscriber, PURCHASE, changeFor(card, { verification_id }))).status, 201);
  assert.equal((await checks()).length, before.length);
});

test("a second purchase for the same card of the same plan within a minute is a likely duplicate; another plan is not", async () => {
  const card = nextCard();
  const first = await buy(subscriber, PURCHASE, changeFor(card));
  assert.equal(first.status, 201, JSON.stringify(first.body));
  const second = await buy(subscriber, PURCHASE, changeFor(card, { to: phone(2) }));
  assert.deepEqual([second.status, second.body.code, second.body.order_id], [409, "possible_duplicate", first.body.id]);
  const checked = await buy(subscriber, PURCHASE, changeFor(card, { validate_only: true }));
  assert.equal(checked.body.code, "possible_duplicate");
  const meant = await buy(subscriber, PURCHASE, changeFor(card, { allow_duplicate: true }));
  assert.ok([201, 202].includes(meant.status), JSON.stringify(meant.body));
  const plan_id = planOf("gotv-supa plus").plan_id;
  const otherPlan = await buy(subscriber, PURCHASE, changeFor(nextCard(), { plan_id }));
  assert.equal(otherPlan.status, 201);
});

test("a bouquet that its vendor withdrew between list and purchase fails with its money back, and is sold no more", async () => {
  const card = nextCard();
  const { plan_id } = planOf("gotv-smallie - quarterly");
  await rig.vendors.scenario("vtpass", "plan_gone", { recipient: card });
  const before = await subscriber.wallet();
  const failed = await buy(subscriber, PURCHASE, changeFor(card, { plan_id }));
  assert.deepEqual([failed.status, failed.body.code], [422, "plan_not_found"]);
  assert.deepEqual([failed.body.purchase?.status, failed.body.purchase?.charge], ["failed", "returned"]);
  assert.deepEqual(await subscriber.wallet(), before);
  await waitFor("the bouquet to be gone", async () => {
    const plan = (await plansOf(subscriber, "gotv")).find((one) => one.plan_id === plan_id);
    return plan?.available === false || undefined;
  });
  const refused = await buy(subscriber, PURCHASE, changeFor(nextCard(), { plan_id }));
  assert.deepEqual([refused.status, refused.body.code, refused.body.purchase], [422, "plan_not_found", undefined]);
});

test("validate_only quotes a renewal and buys nothing", async () => {
  const card = nextCard();
  const { status, body } = await buy(subscriber, PURCHASE, bodyFor(card, { validate_only: true }));
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.product, body.amount.amount, body.price.amount], ["cable", "5800.00", "5820.00"]);
  assert.deepEqual(await rig.vendors.vends("vtpass", { recipient: card }), []);
});

test("a vendor that can't say whose card it is: nothing is bought", async () => {
  const card = nextCard();
  await rig.vendors.scenario("vtpass", "biller_down", { recipient: card });
  const before = await subscriber.wallet();
  const refused = await buy(subscriber, PURCHASE, bodyFor(card));
  assert.deepEqual([refused.status, refused.body.code], [503, "provider_unavailable"]);
  assert.deepEqual(await subscriber.wallet(), before);
});

test("a vendor that is silent: 202, the money is held, and what the requery finds ends it once", async () => {
  const card = nextCard();
  await rig.vendors.scenario("vtpass", "timeout_then_delivered", { recipient: card, afterMs: 3_000, on: "vend" });
  const before = await subscriber.wallet();
  const answer = await buy(subscriber, PURCHASE, bodyFor(card, { notify: { channel: "sms" } }), { prefer: "wait=1" });
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  assert.equal(answer.headers.get("location"), `/cable/status/${answer.body.id}`);
  assert.equal((await subscriber.wallet()).held, parseKobo("5800.00") + FEE);
  const purchase = await purchaseBecomes(subscriber, answer.body, "successful");
  assert.deepEqual(await eventsOf(rig.db, purchase), ["cable.successful"]);
  assert.equal((await rig.vendors.vends("vtpass", { recipient: card })).length, 1);
  assert.ok(before.balance > (await subscriber.wallet()).balance);
});

test("purchases are listed by card, and are none of another service's", async () => {
  const card = nextCard();
  const bought = purchaseIn(await buy(subscriber, PURCHASE, bodyFor(card)));
  const { body } = await subscriber.get<{ data: readonly CablePurchase[] }>(
    `/cable/purchases?smartcard_number=${card}`,
  );
  assert.deepEqual(
    body.data.map(({ id }) => id),
    [bought.id],
  );
  const both = await subscriber.get<{ code: string }>(`/cable/purchases?smartcard_number=${card}&to=08031234567`);
  assert.deepEqual([both.status, both.body.code], [400, "validation_failed"]);
  const wrong = await subscriber.get<{ code: string }>("/cable/purchases?to=0803");
  assert.equal(wrong.body.code, "invalid_phone_number");
  const foreign = await subscriber.get<Bought>(`/electricity/status/${bought.id}`);
  assert.equal(foreign.status, 403, "the key is not subscribed to electricity");
  const receipt = await subscriber.get<{ provider: { name: string }; total: { amount: string } }>(
    `/cable/receipt/${bought.id}`,
  );
  assert.deepEqual([receipt.body.provider.name, receipt.body.total.amount], ["GOtv", "5820.00"]);
});

rig.provesItsLedger();
