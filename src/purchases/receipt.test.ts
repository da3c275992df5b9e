import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newUuid } from "../kernel/ids.ts";
import { type Kobo, kobo, koboToNaira, parseKobo, taxContained } from "../kernel/kobo.ts";
import type { Order } from "../orders/order.ts";
import type { ElectricityPayload } from "../ports/electricity-payload.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import type { StoredPurchase } from "./purchase.ts";
import { purchaseView } from "./purchase.view.ts";
import { type ReceiptLine, receiptDocument, receiptOf, type ServiceLines } from "./receipt.ts";
import { makeTokenSeal } from "./tokens.ts";

const seal = makeTokenSeal("a secret of the server");

interface Sale {
  readonly amountKobo: Kobo;
  readonly priceKobo: Kobo;
  readonly rate?: number;
  readonly facts?: Order["facts"] & object;
  readonly taxKobo?: Kobo;
}

function sold({ amountKobo, priceKobo, rate, facts = {}, taxKobo }: Sale): Order {
  const payload: StoredPurchase & ElectricityPayload = {
    product: "electricity",
    disco: "ikeja-electric",
    meter_type: "prepaid",
    amount_kobo: String(amountKobo),
    phone: "2348031234567",
    customer: { name: "TEST CUSTOMER", address: null },
    paid_for_kobo: String(amountKobo),
    ...(rate !== undefined && { vat_basis_points: rate }),
  };
  return {
    ...SMS_ORDER,
    id: newUuid(),
    service: "electricity",
    recipient: "14123456780",
    state: "successful",
    endedAt: new Date(),
    priceKobo,
    taxKobo: taxKobo ?? taxContained(priceKobo, rate ?? 750),
    payload,
    facts,
  };
}

const LINES: ServiceLines = { title: "A receipt", subtitle: "-", subject: [], what: "electricity", unreal: "-" };

const koboIn = (text: string): bigint => {
  const sign = text.startsWith("−") ? -1n : 1n;
  return sign * parseKobo(text.replaceAll(/[−₦,]/g, ""));
};
const sumOf = (lines: readonly ReceiptLine[]): bigint => lines.reduce((sum, [, value]) => sum + koboIn(value), 0n);

const figures = (sale: Sale) => {
  const { fee, total, discount, amount } = receiptOf(sold(sale), {}, undefined);
  return {
    amount: amount.amount,
    discount: discount.amount,
    fee: [fee.amount, fee.tax],
    total: [total.amount, total.tax],
  };
};

test("the disco's VAT and that of the fee come to the VAT of the price, rounding and all", () => {
  const breakdown = { energy: "4651.16", vat: "348.84" };
  const sale = { amountKobo: kobo(500_000), priceKobo: kobo(510_000), rate: 750, facts: { breakdown } };
  assert.deepEqual(figures(sale), {
    amount: "5000.00",
    discount: "0.00",
    fee: ["100.00", "6.97"],
    total: ["5100.00", "355.81"],
  });
  const arrears = { energy: "2325.58", vat: "174.42", arrears: "500.00" };
  assert.deepEqual(
    figures({ amountKobo: kobo(300_000), priceKobo: kobo(310_000), rate: 750, facts: { breakdown: arrears } }),
    { amount: "3000.00", discount: "0.00", fee: ["100.00", "6.98"], total: ["3100.00", "181.40"] },
  );
});

test("a vendor's VAT that is no matter of rounding leaves the fee its own share, and a fee of nothing has none", () => {
  const breakdown = { energy: "4700.00", vat: "300.00" };
  const sale = { amountKobo: kobo(500_000), priceKobo: kobo(510_000), rate: 750, facts: { breakdown } };
  assert.deepEqual(figures(sale).fee, ["100.00", "6.98"]);
  assert.deepEqual(figures({ ...sale, priceKobo: kobo(500_000) }).fee, ["0.00", "0.00"]);
  // An order that does not say at which rate it was sold.
  assert.deepEqual(figures({ amountKobo: kobo(500_000), priceKobo: kobo(510_000) }).fee, ["100.00", "6.97"]);
});

const amounts = fc.bigInt({ min: 1n, max: 100_000_000n });
const sales = fc.record({
  amount: amounts,
  change: fc.oneof(fc.constant(0n), fc.bigInt({ min: -100_000_000n, max: 1_000_000n })),
  rate: fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: undefined }),
  vat: fc.option(fc.bigInt({ min: -3n, max: 3n }), { nil: undefined }),
  arrears: fc.option(amounts, { nil: undefined }),
  delivered: fc.option(amounts, { nil: undefined }),
});

test("whatever amount, fee, discount and vendor's figures: the lines come to the total, and their VAT to that of the price", () => {
  fc.assert(
    fc.property(sales, ({ amount, change, rate, vat, arrears, delivered }) => {
      const price = amount + change > 0n ? amount + change : 0n;
      const ofAmount = taxContained(kobo(amount), rate ?? 750);
      const vendorVat = vat === undefined || ofAmount + vat < 0n ? undefined : kobo(ofAmount + vat);
      const order = sold({
        amountKobo: kobo(amount),
        priceKobo: kobo(price),
        ...(rate !== undefined && { rate }),
        facts: {
          breakdown: {
            ...(vendorVat !== undefined && { vat: koboToNaira(vendorVat) }),
            ...(arrears !== undefined &&
              arrears <= amount &&
              arrears <= price && { arrears: koboToNaira(kobo(arrears)) }),
          },
          ...(delivered !== undefined && { delivered_amount: koboToNaira(kobo(delivered)) }),
        },
      });
      const receipt = receiptOf(order, {}, undefined);
      const purchase = purchaseView(order, {
        line: { subjectOf: ({ recipient }) => ({ to: recipient }) },
        seal,
        mayVend: true,
      });
      assert.deepEqual(receipt.total, purchase.price);
      assert.deepEqual(receipt.amount, purchase.amount);
      assert.deepEqual(receipt.discount, purchase.discount);
      assert.deepEqual(receipt.fee.amount, purchase.fee?.amount ?? "0.00");
      const { money, tax } = receiptDocument(receipt, LINES, undefined);
      const counted = money.filter(([label]) => !label.startsWith("of which"));
      assert.equal(sumOf(counted.slice(0, -1)), koboIn(counted.at(-1)![1]));
      assert.equal(koboIn(tax.at(-1)![1]), parseKobo(purchase.price.tax));
      if (tax.length > 1) assert.equal(sumOf(tax.slice(0, -1)), koboIn(tax.at(-1)![1]));
      assert.ok(parseKobo(receipt.fee.tax) <= parseKobo(receipt.fee.amount));
    }),
    { numRuns: 2_000 },
  );
});

test("a discount stands in the lines, and what is zero does not", () => {
  const order = sold({ amountKobo: kobo(50_000), priceKobo: kobo(48_500) });
  const { money, tax } = receiptDocument(receiptOf(order, {}, undefined), LINES, undefined);
  assert.deepEqual(money, [
    ["Paid for electricity", "₦500.00"],
    ["Discount", "−₦15.00"],
    ["Total", "₦485.00"],
  ]);
  assert.deepEqual(tax, [["VAT in the total", "₦33.84"]]);
});

test("a receipt names the seller as far as the operator did, and nobody where there is none", () => {
  const order = sold({ amountKobo: kobo(50_000), priceKobo: kobo(50_000) });
  const seller = {
    name: "Sample Shop",
    tin: "12345678-0001",
    logo: { type: "image/png", bytes: Buffer.from("x") },
  } as const;
  assert.deepEqual(receiptOf(order, {}, seller).seller, { name: "Sample Shop", tin: "12345678-0001" });
  assert.equal(receiptOf(order, {}, undefined).seller, undefined);
});
