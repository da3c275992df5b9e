import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { kobo } from "../kernel/kobo.ts";
import type { AirtimePlan } from "./airtime.settings.ts";
import { airtimePrice, amountFault, dataPrice } from "./airtime.ts";

const planWith = (prices: AirtimePlan["prices"]): AirtimePlan => ({
  id: "plan",
  name: "Plan",
  fee: "0.00",
  limits: { "airtime-vend": 1 },
  quota: null,
  prices,
});
const PLAN = planWith({ discountBasisPoints: { default: 100, mtn: 250 }, dataMarginBasisPoints: 150 });

test("a network without a discount of its own has the default one", () => {
  assert.equal(airtimePrice(PLAN, "mtn", kobo(50_000)), 48_750n);
  assert.equal(airtimePrice(PLAN, "glo", kobo(50_000)), 49_500n);
});

test("a discount is rounded down to the kobo, a margin up", () => {
  const odd = planWith({ discountBasisPoints: { default: 333 }, dataMarginBasisPoints: 333 });
  assert.equal(airtimePrice(odd, "mtn", kobo(5_100)), 5_100n - 169n); // 169.83
  assert.equal(dataPrice(odd, kobo(5_100)), 5_100n + 170n);
  assert.equal(dataPrice(odd, kobo(10_000)), 10_333n);
});

test("for any discount and margin, both are right to less than a kobo and no price is above or below what it may be", () => {
  const basisPoints = fc.integer({ min: 0, max: 10_000 });
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 12n });
  fc.assert(
    fc.property(basisPoints, amounts, (points, amount) => {
      const plan = planWith({ discountBasisPoints: { default: points }, dataMarginBasisPoints: points });
      const exact = amount * BigInt(points); // in 1/10,000 kobo
      const discount = amount - airtimePrice(plan, "mtn", kobo(amount));
      const margin = dataPrice(plan, kobo(amount)) - amount;
      assert.ok(discount * 10_000n <= exact && exact - discount * 10_000n < 10_000n);
      assert.ok(margin * 10_000n >= exact && margin * 10_000n - exact < 10_000n);
    }),
  );
});

for (const [naira, fault] of [
  ["49.99", /₦50\.00 to ₦50,000\.00/],
  ["50.00", undefined],
  ["50.50", /whole naira/],
  ["50000.00", undefined],
  ["50000.01", /₦50\.00 to ₦50,000\.00/],
  ["0.00", /₦50\.00 to ₦50,000\.00/],
] as const)
  test(`₦${naira} of airtime is ${fault ? "refused" : "sold"}`, () => {
    const found = amountFault(kobo(naira.replace(".", "")));
    if (fault) assert.match(found?.detail ?? "", fault);
    else assert.equal(found, undefined);
    assert.equal(found?.code, fault && "amount_out_of_bounds");
  });
