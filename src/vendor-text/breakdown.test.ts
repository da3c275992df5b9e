import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { kobo, koboToNaira, parseKobo } from "../kernel/kobo.ts";
import { readBreakdown } from "./breakdown.ts";

const KEYS = {
  energy: ["energyAmt", "tokenAmount"],
  vat: ["taxAmount", "vat"],
  arrears: ["debtAmount"],
  charges: ["penalty", "meterCost"],
};
const AMOUNT = kobo(200_000);
const read = (fields: Record<string, unknown>) => readBreakdown(fields, AMOUNT, KEYS);

const READ: readonly (readonly [name: string, fields: Record<string, unknown>, shown: object | undefined])[] = [
  ["energy and VAT", { tokenAmount: "1860.47", taxAmount: "139.53" }, { energy: "1860.47", vat: "139.53" }],
  [
    "all of them",
    { tokenAmount: "1395.35", vat: "104.65", debtAmount: "500" },
    { energy: "1395.35", vat: "104.65", arrears: "500.00" },
  ],
  [
    "no arrears, said",
    { tokenAmount: "1860.47", vat: "139.53", debtAmount: 0 },
    { energy: "1860.47", vat: "139.53", arrears: "0.00" },
  ],
  ["a charge besides", { tokenAmount: "1767.44", vat: "132.56", penalty: 100 }, { energy: "1767.44", vat: "132.56" }],
  [
    "a charge in the energy",
    { tokenAmount: "1860.47", vat: "139.53", penalty: 100 },
    { energy: "1860.47", vat: "139.53" },
  ],
  ["VAT alone", { vat: "139.53" }, { energy: "1860.47", vat: "139.53" }],
  ["the whole amount for energy", { tokenAmount: 2000, vat: "139.53" }, { energy: "1860.47", vat: "139.53" }],
  ["a kobo of rounding", { tokenAmount: "1860.46", vat: "139.53" }, { energy: "1860.46", vat: "139.53" }],
  ["a zero before the figure", { taxAmount: 0, vat: "139.53" }, { energy: "1860.47", vat: "139.53" }],
  ["arrears alone", { debtAmount: "500" }, { arrears: "500.00" }],
  ["VAT that is not filled in", { tokenAmount: "1860.47", taxAmount: 0 }, undefined],
  ["VAT that is empty", { tokenAmount: "1860.47", taxAmount: "" }, undefined],
  ["VAT that is N/A", { tokenAmount: "1860.47", taxAmount: "N/A" }, undefined],
  ["VAT of zero beside the whole amount", { tokenAmount: 2000, taxAmount: "0.00" }, undefined],
  ["zeros alone", { taxAmount: 0, debtAmount: 0 }, undefined],
  ["a sum that is another's", { tokenAmount: "3157.89", vat: "442.11", debtAmount: "1122" }, undefined],
  ["half of it", { tokenAmount: "437.21", vat: "62.79" }, undefined],
  ["more VAT than was paid", { vat: "2139.53" }, undefined],
  ["less than nothing", { vat: "-139.53" }, undefined],
];
for (const [name, fields, shown] of READ)
  test(`of ${name} ${shown ? "is shown what adds up" : "nothing is shown"}`, () => {
    assert.deepEqual(read(fields), shown);
  });

test("whatever a vendor writes, the figures that are shown come to no more than was paid, and VAT is never zero", () => {
  const figure = fc.oneof(
    fc.constant(0),
    fc.constant("N/A"),
    fc.integer({ min: 0, max: 300_000 }).map((n) => koboToNaira(kobo(n))),
  );
  fc.assert(
    fc.property(fc.record({ tokenAmount: figure, vat: figure, debtAmount: figure, penalty: figure }), (fields) => {
      const shown = read(fields) ?? {};
      const sum = Object.values(shown).reduce((all, one) => all + parseKobo(one), 0n);
      assert.ok(sum <= AMOUNT + 2n);
      assert.notEqual(shown.vat, "0.00");
    }),
  );
});
