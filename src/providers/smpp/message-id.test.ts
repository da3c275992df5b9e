import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type IdNotation, normaliseMessageId } from "./message-id.ts";

const PAIRS: readonly (readonly [IdNotation, string, IdNotation, string])[] = [
  ["verbatim", "00AbC", "verbatim", "abc"],
  ["verbatim", "3F0C-11EE", "verbatim", "3f0c-11ee"],
  ["hex", "FF", "decimal", "0000000255"],
  ["decimal", "255", "hex", "000000fF"],
  ["hex", "FFFFFFFFFFFFFFFF", "decimal", "18446744073709551615"],
  ["hex", "SAR-1-2", "decimal", "sar-1-2"],
  ["verbatim", "0", "decimal", "000"],
  ["hex", "8f3c", "hex", "0x8F3C"],
  ["hex", "0x8f3c", "decimal", "36668"],
  ["decimal", "36668", "decimal", "0x8F3C"], // the prefix says more than the setting
  ["verbatim", "0x8F3C", "verbatim", "0x8f3c"],
  // jasmin, issue 643: a leading zero lost, and upper case
  ["verbatim", "0e999f21-81ef-4974-a414-3de98174e3c7", "verbatim", "E999F21-81EF-4974-A414-3DE98174E3C7"],
  ["verbatim", "04062581461644996000141", "verbatim", "4062581461644996000141"], // jasmin, issue 424
  ["verbatim", "SAR-2347039245475-1eedf843-2-1", "verbatim", "SAR-2347039245475-1EEDF843-2-1"], // jasmin, issue 418
  ["hex", "812FC7470000001B", "decimal", "9308878062554710043"], // jasmin, issue 586: 64 bits
  ["verbatim", "12", "verbatim", '"12"'],
  ["verbatim", "12", "verbatim", "'12'"],
  ["verbatim", "12", "verbatim", "<12>"],
  ["verbatim", "12", "verbatim", "{12}"],
  ["verbatim", "12", "verbatim", "12."],
  ["verbatim", "<12.3>", "verbatim", "12.3"],
  ["hex", '"FF"', "decimal", "255."],
  ["verbatim", "12,34;", "verbatim", "12,34"],
  ["verbatim", "..", "verbatim", ".."],
];
for (const [submit, answered, receipt, receipted] of PAIRS) {
  test(`${answered} (${submit}) and ${receipted} (${receipt}) are the same message`, () => {
    assert.equal(normaliseMessageId(answered, submit), normaliseMessageId(receipted, receipt));
  });
}

test("what stands within an id is a part of it", () => {
  for (const id of ["12,34", "12;34", "12 34", "12.34", "12/34"]) assert.equal(normaliseMessageId(id, "verbatim"), id);
});

test("ids that could be numbers are not converted unless the notation says so", () => {
  assert.notEqual(normaliseMessageId("10", "verbatim"), normaliseMessageId("16", "verbatim"));
  assert.equal(normaliseMessageId("10", "verbatim"), "10");
  assert.notEqual(normaliseMessageId("0x8f3c", "verbatim"), normaliseMessageId("8f3c", "verbatim"));
});

test("a number reads the same in hexadecimal and decimal, with any case and any zeros in front", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat({ max: 8 }), fc.boolean(), (id, zeros, upper) => {
      const hex = "0".repeat(zeros) + id.toString(16);
      assert.equal(normaliseMessageId(upper ? hex.toUpperCase() : hex, "hex"), normaliseMessageId(`${id}`, "decimal"));
    }),
  );
});
