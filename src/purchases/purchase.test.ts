import assert from "node:assert/strict";
import { test } from "node:test";
import { kobo } from "../kernel/kobo.ts";
import type { ElectricityFacts, ElectricityPayload } from "../ports/electricity-payload.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import { type StoredPurchase, taxByBreakdown } from "./purchase.ts";

const payload: StoredPurchase & ElectricityPayload = {
  product: "electricity",
  disco: "ikeja-electric",
  meter_type: "prepaid",
  amount_kobo: "150000",
  phone: "2348031234567",
  customer: { name: "TEST CUSTOMER", address: null },
  paid_for_kobo: "150000",
  vat_basis_points: 750,
};
/** ₦1,500 and a fee of ₦20, of which the verification said that ₦500 pays arrears. */
const purchase = { ...SMS_ORDER, service: "electricity", priceKobo: kobo(152_000), taxKobo: kobo(7_116), payload };

const BREAKDOWNS: readonly (readonly [what: string, breakdown: ElectricityFacts["breakdown"], tax: bigint])[] = [
  ["no breakdown", undefined, 7_116n],
  ["the arrears that were told of", { energy: "930.23", vat: "69.77", arrears: "500.00" }, 7_116n],
  ["more arrears", { energy: "465.12", vat: "34.88", arrears: "1000.00" }, 3_628n],
  ["arrears that are all of it", { energy: "0.00", vat: "0.00", arrears: "1500.00" }, 140n],
  ["no arrears", { energy: "1395.35", vat: "104.65", arrears: "0.00" }, 10_605n],
  ["VAT of all of it, and no word of arrears", { energy: "1395.35", vat: "104.65" }, 10_605n],
  ["that VAT, rounded otherwise", { energy: "1395.36", vat: "104.64" }, 10_605n],
  ["VAT of a part, and no word of arrears", { energy: "1430.23", vat: "69.77" }, 7_116n],
  ["energy alone", { energy: "1395.35" }, 7_116n],
  ["more arrears than were paid", { energy: "0.00", vat: "0.00", arrears: "9000.00" }, 7_116n],
  ["more arrears than there is money", { arrears: "9999999999999999.00" }, 7_116n],
];

for (const [what, breakdown, tax] of BREAKDOWNS)
  test(`the VAT in the price of a purchase whose breakdown has ${what} is ${tax} kobo`, () => {
    assert.equal(taxByBreakdown(purchase, breakdown), tax);
  });

test("the VAT in a price stays what it was when the rate that it was made at is not known", () => {
  const { vat_basis_points: _, ...older } = payload;
  assert.equal(taxByBreakdown({ ...purchase, payload: older }, { vat: "0.00", arrears: "1500.00" }), 7_116n);
});
