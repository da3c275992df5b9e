import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { kobo, koboForPeople, koboToNaira, parseKobo, sumKobo, taxContained, ZERO_KOBO } from "./kobo.ts";

const anyKobo = fc.bigInt({ min: 0n, max: 10n ** 15n }).map(kobo);

test("an amount goes out as naira and comes back as the same kobo", () => {
  fc.assert(fc.property(anyKobo, (amount) => assert.equal(parseKobo(koboToNaira(amount)), amount)));
});

const WRITTEN: readonly [kobo: bigint, wire: string, people: string][] = [
  [0n, "0.00", "₦0.00"],
  [5n, "0.05", "₦0.05"],
  [400n, "4.00", "₦4.00"],
  [150_050n, "1500.50", "₦1,500.50"],
  [123_456_789_00n, "123456789.00", "₦123,456,789.00"],
  [-5n, "-0.05", "₦-0.05"],
];
for (const [amount, wire, people] of WRITTEN)
  test(`${amount} kobo are ${wire} on the wire and ${people} for people`, () => {
    assert.equal(koboToNaira(kobo(amount)), wire);
    assert.equal(koboForPeople(kobo(amount)), people);
  });

for (const [text, amount] of [
  ["4", 400n],
  ["4.5", 450n],
  ["4.05", 405n],
  ["0", 0n],
] as const)
  test(`"${text}" naira are ${amount} kobo`, () => assert.equal(parseKobo(text), amount));

for (const text of ["", "-4", "+4", "4.", ".5", "4.005", "1e3", "1,000", " 4", "4 ", "٤", "1".repeat(17)])
  test(`"${text}" is not an amount of naira`, () => assert.throws(() => parseKobo(text), /not an amount of naira/));

test("a sum is exact beyond what a float holds", () => {
  assert.equal(sumKobo([kobo(2n ** 53n), kobo(1n)]), 2n ** 53n + 1n);
  assert.equal(sumKobo([]), ZERO_KOBO);
});

test("7.5 % VAT contained in ₦4.00 is 28 kobo", () => assert.equal(taxContained(kobo(400), 750), 28n));

test("contained VAT is the nearest whole kobo, halves up: price and tax without it differ by the rate", () => {
  fc.assert(
    fc.property(anyKobo, fc.integer({ min: 0, max: 5_000 }), (price, rate) => {
      const tax = taxContained(price, rate);
      // |tax − price × rate / (10000 + rate)| ≤ ½, in whole numbers.
      const distance = 2n * (tax * (10_000n + BigInt(rate)) - price * BigInt(rate));
      assert.ok(-(10_000n + BigInt(rate)) < distance && distance <= 10_000n + BigInt(rate));
    }),
  );
});
