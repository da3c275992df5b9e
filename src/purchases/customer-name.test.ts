import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { startStopwatch } from "../testing/stopwatch.ts";
import { isSameCustomer } from "./customer-name.ts";

const SAME: readonly (readonly [string, string, string])[] = [
  ["ADA OBI", "ada obi", "case"],
  ["ADA OBI", "OBI, ADA", "order and punctuation"],
  ["ADA  OBI ", "Ada Obi", "spaces"],
  ["ADÁ ỌBÌ", "ADA OBI", "accents and dots"],
  ["ADA-MARIA O'BI", "Ada Maria O Bi", "hyphen and apostrophe"],
  ["JO** D**", "JOHN DOE", "a vendor's masking"],
  ["J***", "JOHN DOE", "a masking that hides the space"],
  ["JO** D**", "**HN *OE", "two maskings"],
  ["", "JOHN DOE", "a name that is not said"],
  ["****", "JOHN DOE", "a name that is masked in whole"],
];
for (const [one, other, why] of SAME)
  test(`“${one}” and “${other}” can be the same customer: ${why}`, () => {
    assert.equal(isSameCustomer(one, other), true);
    assert.equal(isSameCustomer(other, one), true);
  });

const DIFFERENT: readonly (readonly [string, string])[] = [
  ["ADA OBI", "ADA OBIORA"],
  ["ADA OBI", "ADA"],
  ["JO** D**", "JANE DOE"],
  ["JO** D**", "MARY DOE"],
  ["TEST CUSTOMER 0001", "TEST CUSTOMER 0002"],
  ["A*B", "*C"],
];
for (const [one, other] of DIFFERENT)
  test(`“${one}” and “${other}” are two customers`, () => {
    assert.equal(isSameCustomer(one, other), false);
    assert.equal(isSameCustomer(other, one), false);
  });

test("a name is always its own customer's, masked wherever, and comparing is the same both ways", () => {
  const name = fc.stringMatching(/^[A-Z]{1,12}( [A-Z]{1,12}){0,3}$/);
  fc.assert(
    fc.property(name, fc.infiniteStream(fc.boolean()), (whole, hidden) => {
      const masks = hidden[Symbol.iterator]();
      const masked = whole.replace(/[A-Z]/g, (letter) => (masks.next().value ? "*" : letter));
      assert.ok(isSameCustomer(whole, masked), masked);
      assert.ok(isSameCustomer(masked, whole), masked);
    }),
  );
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => assert.equal(isSameCustomer(a, b), isSameCustomer(b, a))));
});

test("names of any length are compared at once", () => {
  const long = "*A".repeat(100_000);
  const elapsedMs = startStopwatch();
  isSameCustomer(long, long);
  assert.ok(elapsedMs() < 5_000);
});
