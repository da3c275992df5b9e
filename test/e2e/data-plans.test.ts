import assert from "node:assert/strict";
import { test } from "node:test";
import { parseKobo } from "../../src/kernel/kobo.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { arrivals, type Bought, buy } from "./purchases.ts";
import { type Money, phone, startRig } from "./rig.ts";

const rig = await startRig();

interface Plan {
  readonly plan_id: string;
  readonly network: string;
  readonly name: string;
  readonly size_mb: number | null;
  readonly validity_days: number | null;
  readonly kind: string | null;
  readonly parsed: boolean;
  readonly price: Money;
  readonly available: boolean;
}
interface Plans {
  readonly data: readonly Plan[];
  readonly as_of: string | null;
  readonly network_guess?: string;
}

const DATA = "/airtime/data";
const subscriber = await rig.subscriber({ balance: "50000.00", also: { airtime: "scale" } });
const plansOf = async (query = "") => (await subscriber.get<Plans>(`/airtime/data/plans${query}`)).body;
const planWith = async (network: string, sizeMb: number, days: number): Promise<Plan> => {
  const { data } = await plansOf(`?network=${network}`);
  const found = data.find((plan) => plan.size_mb === sizeMb && plan.validity_days === days && plan.available);
  assert.ok(found, JSON.stringify(data));
  return found;
};

await waitFor("the data plans", async () => (await plansOf()).data.length > 0);

test("plans are those of all networks, each with what its name says and what it costs the caller", async () => {
  const { data, as_of: asOf } = await plansOf();
  assert.ok(asOf && Date.now() - Date.parse(asOf) < 60_000);
  assert.deepEqual([...new Set(data.map(({ network }) => network))].sort(), ["9mobile", "airtel", "glo", "mtn"]);
  assert.equal(new Set(data.map(({ plan_id }) => plan_id)).size, data.length);
  const [known] = data.filter(({ name }) => name === "MTN Data 3.5GB - 30 days");
  assert.deepEqual([known?.size_mb, known?.validity_days, known?.kind, known?.parsed], [3_584, 30, "standard", true]);
  const [unread] = data.filter(({ name }) => name === "MTN Xtratalk Weekly Bundle");
  assert.deepEqual([unread?.size_mb, unread?.validity_days, unread?.kind, unread?.parsed], [null, 7, null, false]);
  assert.equal(unread?.price.amount, "505.51", "₦500.50 and 1 %, rounded up to the kobo");
});

test("plans are asked for by a network under any of its names, or by the number of who shall get one", async () => {
  for (const name of ["9mobile", "t2", "etisalat"])
    assert.deepEqual(
      new Set((await plansOf(`?network=${name}`)).data.map(({ network }) => network)),
      new Set(["9mobile"]),
    );
  const ofNumber = await plansOf("?to=08051234567");
  assert.equal(ofNumber.network_guess, "glo");
  assert.deepEqual(ofNumber.data, (await plansOf("?network=glo")).data);
  for (const [query, code] of [
    ["?network=mtn&to=08031234567", "validation_failed"],
    ["?to=07071234567", "validation_failed"],
    ["?to=0803", "invalid_phone_number"],
    ["?network=vodafone", "validation_failed"],
  ] as const)
    assert.equal((await subscriber.get<Bought>(`/airtime/data/plans${query}`)).body.code, code, query);
});

test("a bundle arrives, at the price of the list", async () => {
  const plan = await planWith("mtn", 1_024, 30);
  const before = await subscriber.wallet();
  const to = phone(1);
  const bought = await buy(subscriber, DATA, { to, plan_id: plan.plan_id, expected_price: plan.price.amount });
  assert.equal(bought.status, 201);
  const { object, network, plan: shown, price, amount } = bought.body;
  assert.deepEqual(
    [object, network, price.amount, amount.amount],
    ["data", "mtn", plan.price.amount, plan.price.amount],
  );
  assert.deepEqual(shown, { plan_id: plan.plan_id, name: plan.name });
  assert.equal((await subscriber.wallet()).balance, before.balance - parseKobo(plan.price.amount));
  assert.deepEqual(
    (await arrivals(subscriber, to)).data.map((arrived) => [arrived.plan, arrived.purchase_id]),
    [[plan.plan_id, bought.body.id]],
  );
});

test("the same plan for the same phone is a likely repeat, another plan is not", async () => {
  const [first, second] = [await planWith("mtn", 1_024, 1), await planWith("mtn", 100, 1)];
  const to = phone(2);
  const bought = await buy(subscriber, DATA, { to, plan_id: first.plan_id });
  const repeat = await buy(subscriber, DATA, { to, plan_id: first.plan_id });
  assert.deepEqual(
    [repeat.status, repeat.body.code, repeat.body.order_id],
    [409, "possible_duplicate", bought.body.id],
  );
  assert.equal((await buy(subscriber, DATA, { to, plan_id: second.plan_id })).status, 201);
});

test("a plan that nobody knows is refused, and its price is looked at before anything is made", async () => {
  const before = await subscriber.wallet();
  const unknown = await buy(subscriber, DATA, { to: phone(3), plan_id: "mtn-1gb-30d-00000000" });
  assert.deepEqual([unknown.status, unknown.body.code], [422, "plan_not_found"]);
  assert.deepEqual(
    unknown.body.errors?.map(({ pointer, code }) => [pointer, code]),
    [["/plan_id", "plan_not_found"]],
  );
  const { plan_id: planId, price } = await planWith("mtn", 1_024, 30);
  const dearer = await buy(subscriber, DATA, { to: phone(3), plan_id: planId, expected_price: "500.00" });
  assert.deepEqual([dearer.status, dearer.body.code, dearer.body.price.amount], [409, "price_changed", price.amount]);
  const look = await buy(subscriber, DATA, { to: phone(3), plan_id: planId, validate_only: true });
  assert.deepEqual([look.status, look.body.price.amount], [200, price.amount]);
  assert.deepEqual(await subscriber.wallet(), before);
});

test("a plan that the vendor has just taken away fails with the money back, and from then on is refused before any is held", async () => {
  const { plan_id: planId } = await planWith("airtel", 10_240, 30);
  const before = await subscriber.wallet();
  const to = "+2348021000001";
  await rig.vendors.scenario("vtpass", "plan_gone", { recipient: to.slice(1) });
  const named = { "idempotency-key": "taken away" };
  const failed = await buy(subscriber, DATA, { to, plan_id: planId }, named);
  assert.deepEqual(
    [failed.status, failed.body.code, failed.body.purchase?.failure?.code],
    [422, "plan_not_found", "plan_not_found"],
  );
  assert.deepEqual(await subscriber.wallet(), before);
  await waitFor("the catalogue", async () => {
    const { data } = await plansOf("?network=airtel");
    return data.find(({ plan_id }) => plan_id === planId)?.available === false;
  });
  const refused = await buy(subscriber, DATA, { to: "+2348021000002", plan_id: planId });
  assert.deepEqual([refused.status, refused.body.code, refused.body.purchase], [422, "plan_not_found", undefined]);
  // A repeat is about its purchase, not about what could be bought now.
  const repeat = await buy(subscriber, DATA, { to, plan_id: planId }, named);
  assert.equal(repeat.headers.get("idempotent-replayed"), "true");
  assert.equal(repeat.body.purchase?.id, failed.body.purchase?.id);
});

test("a new price under a new code is a new plan, known from the vendor's webhook alone", async () => {
  const old = await planWith("glo", 2_048, 30);
  const to = "2348051000001";
  await rig.vendors.scenario("vtpass", "price_raised", { recipient: to });
  assert.equal((await buy(subscriber, DATA, { to, plan_id: old.plan_id })).body.code, "plan_not_found");
  const dearer = await waitFor("the new plan", async () => {
    const { data } = await plansOf("?network=glo");
    return data.find(({ name, plan_id, available }) => name === old.name && plan_id !== old.plan_id && available);
  });
  assert.ok(parseKobo(dearer.price.amount) > parseKobo(old.price.amount));
  const stale = { to, plan_id: dearer.plan_id, expected_price: old.price.amount };
  assert.equal((await buy(subscriber, DATA, stale)).body.code, "price_changed");
  const { rows } = await rig.db.query<{ change: string }>(
    "select change from catalogue_changes where plan_id = any($1::text[]) order by at, change",
    [[old.plan_id, dearer.plan_id]],
  );
  assert.deepEqual(
    rows.map(({ change }) => change),
    ["added", "added", "gone"],
  );
});

test("a number on another network than its plan's fails, and the money comes back", async () => {
  const { plan_id: planId } = await planWith("mtn", 2_048, 30);
  const before = await subscriber.wallet();
  const failed = await buy(subscriber, DATA, { to: "+2348000000012", plan_id: planId });
  assert.deepEqual([failed.status, failed.body.code], [422, "wrong_network"]);
  assert.deepEqual(await subscriber.wallet(), before);
});

rig.provesItsLedger();
