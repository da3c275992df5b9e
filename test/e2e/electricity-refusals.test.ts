import assert from "node:assert/strict";
import { test } from "node:test";
import { parseKobo } from "../../src/kernel/kobo.ts";
import { type Bought, buy } from "./purchases.ts";
import { type Money, phone, startRig } from "./rig.ts";

/** What is refused before a vendor is asked to sell, and what the refusal says. */
const rig = await startRig();

const DISCO = "ikeja-electric";
const PURCHASE = "/electricity/purchase";

const customer = (balance = "100000.00") => rig.subscriber({ balance, also: { electricity: "scale" } });
const subscriber = await customer();

let meters = 0;
/** A meter that nothing was bought for yet, and its customer's phone. */
function nextMeter() {
  meters += 1;
  return { meter: `1${String(5_000_000_000 + meters)}`, to: phone(meters) };
}
const bodyFor = ({ meter, to }: { meter: string; to: string }, more: object = {}) => ({
  meter_number: meter,
  disco: DISCO,
  amount: 2_000,
  to,
  ...more,
});

interface Meter {
  readonly arrears?: Money;
  readonly minimum_amount: Money;
  readonly maximum_amount: Money;
}

const AMOUNTS: readonly (readonly [what: string, amount: string, status: number, code: string | undefined])[] = [
  ["the least", "1000", 201, undefined],
  ["an exponent, which is a JSON integer", "1e3", 201, undefined],
  ["a string with kobo that are none", '"1000.00"', 201, undefined],
  ["an exponent in a string", '"1e3"', 400, "validation_failed"],
  ["a fraction", "1000.5", 400, "amount_not_exact"],
  ["less than a kobo", '"1000.005"', 400, "amount_not_exact"],
  ["kobo", '"1000.50"', 422, "amount_out_of_bounds"],
  ["a naira too little", "999", 422, "amount_out_of_bounds"],
  ["a naira too much", "500001", 422, "amount_out_of_bounds"],
  ["a negative number", "-1000", 400, "validation_failed"],
  ["2^53 + 1", "9007199254740993", 400, "validation_failed"],
];
for (const [what, amount, status, code] of AMOUNTS)
  test(`an amount of ${amount} (${what}) is answered with ${code ?? "the purchase"}`, async () => {
    const before = await subscriber.wallet();
    const { meter, to } = nextMeter();
    const response = await fetch(`${rig.gateway.base}${PURCHASE}`, {
      method: "POST",
      headers: { "x-api-key": subscriber.key, "content-type": "application/json" },
      body: `{"meter_number":"${meter}","disco":"${DISCO}","to":"${to}","amount":${amount},"reference":"amount ${what}"}`,
    });
    const body = (await response.json()) as Bought;
    assert.deepEqual([response.status, body.code], [status, code], JSON.stringify(body));
    if (code !== undefined) assert.deepEqual(await subscriber.wallet(), before);
    if (code === "amount_out_of_bounds" && what !== "kobo")
      assert.deepEqual([body.minimum_amount?.amount, body.maximum_amount?.amount], ["1000.00", "500000.00"]);
  });

test("a meter in debt raises its minimum, and validate_only tells the debt and the fee without charging", async () => {
  const before = await subscriber.wallet();
  const body = { meter_number: "50000000005", disco: DISCO, to: phone(900) };
  const eaten = await buy(subscriber, PURCHASE, { ...body, amount: 1_400 });
  assert.deepEqual([eaten.status, eaten.body.code], [422, "amount_out_of_bounds"]);
  assert.equal(eaten.body.minimum_amount?.amount, "1500.00");
  assert.match(eaten.body.detail ?? "", /owes ₦500\.00/);
  const checked = await subscriber.post<Bought & { arrears?: Money; fee?: Money }>(PURCHASE, {
    ...body,
    amount: 1_500,
    validate_only: true,
  });
  assert.deepEqual([checked.status, checked.body.valid], [200, true]);
  assert.deepEqual(
    [checked.body.arrears?.amount, checked.body.fee?.amount, checked.body.price.amount],
    ["500.00", "20.00", "1520.00"],
  );
  assert.deepEqual(await subscriber.wallet(), before);
});

/** What is the most at a time stays ₦500,000. */
const DEBTS: readonly (readonly [owed: string, minimum: string])[] = [
  ["498999.00", "499999.00"],
  ["499000.00", "500000.00"],
  ["499001.00", "500001.00"],
  ["500000.00", "501000.00"],
];
for (const disco of [DISCO, "enugu-electric"])
  for (const [owed, minimum] of DEBTS)
    test(`for a meter of ${disco} that owes ₦${owed} verification, validate_only and purchase agree on what is enough`, async () => {
      const rich = await customer("2000000.00");
      const place = nextMeter();
      await rig.vendors.changeMeter(place.meter, { arrearsKobo: String(parseKobo(owed)) });
      const { body: meter } = await rich.post<Meter>("/electricity/verify", { meter_number: place.meter, disco });
      assert.deepEqual(
        [meter.arrears?.amount, meter.minimum_amount.amount, meter.maximum_amount.amount],
        [owed, minimum, "500000.00"],
      );
      const isPayable = parseKobo(minimum) <= parseKobo("500000.00");
      for (const amount of ["1000.00", "499998.00", "499999.00", "500000.00", "501000.00"]) {
        const before = await rich.wallet();
        const body = bodyFor(place, { disco, amount });
        const checked = await rich.post<Bought>(PURCHASE, { ...body, validate_only: true });
        const bought = await buy(rich, PURCHASE, body);
        if (parseKobo(amount) >= parseKobo(minimum) && parseKobo(amount) <= parseKobo("500000.00")) {
          assert.deepEqual([checked.status, bought.status], [200, 201], JSON.stringify(bought.body));
          continue;
        }
        for (const { status, body: problem } of [checked, bought]) {
          assert.deepEqual(
            [status, problem.code, problem.minimum_amount?.amount, problem.maximum_amount?.amount, problem.purchase],
            [422, "amount_out_of_bounds", minimum, "500000.00", undefined],
          );
          assert.equal(/debt has to be paid to the disco first/.test(problem.detail ?? ""), !isPayable);
        }
        assert.deepEqual(await rich.wallet(), before);
      }
    });

test("all faults of a body are told at once", async () => {
  const { status, body } = await buy(subscriber, PURCHASE, {
    meter_number: "no meter",
    disco: "no disco",
    amount: 1_000,
    to: "12",
  });
  assert.equal(status, 400);
  assert.deepEqual(body.errors?.map(({ pointer }) => pointer).sort(), ["/disco", "/meter_number", "/to"]);
});

test("a notify that is no object is answered with the form that is wanted, wherever something is bought", async () => {
  const detail =
    '`notify` must be an object like {"channel":"sms"}; a string came. Its fields: `channel` ("sms" or "chat").';
  const bodies = {
    [PURCHASE]: bodyFor(nextMeter()),
    "/airtime/topup": { to: phone(801), amount: 500 },
    "/airtime/data": { to: phone(801), plan_id: "any" },
  };
  for (const [path, body] of Object.entries(bodies)) {
    const refused = await buy(rig.local, path, { ...body, notify: "sms" });
    assert.deepEqual([refused.status, refused.body.code, refused.body.detail], [400, "validation_failed", detail]);
    assert.deepEqual(refused.body.errors, [{ pointer: "/notify", code: "wrong_type", detail }]);
  }
});

test("without a name for the purchase nothing is bought", async () => {
  const { status, body } = await subscriber.post<Bought>(PURCHASE, bodyFor(nextMeter()));
  assert.deepEqual([status, body.code], [400, "idempotency_key_required"]);
});

rig.provesItsLedger();
