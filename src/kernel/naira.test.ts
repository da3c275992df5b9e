import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseExactJson } from "../vendor-text/exact-json.ts";
import { kobo, koboToNaira, parseKobo } from "./kobo.ts";
import { readVendorNaira } from "./naira.ts";

const READ: readonly (readonly [written: unknown, kobo: bigint | undefined])[] = [
  ["485", 48_500n],
  [485, 48_500n],
  ["485.1", 48_510n],
  ["1,860.47", 186_047n],
  [1081.8199999998, 108_182n],
  ["0.125", 12n],
  ["0.135", 14n],
  ["0.1350000000000000000001", 14n],
  ["5e2", 50_000n],
  ["1.5E-1", 15n],
  ["-48.5", -4_850n],
  ["2000.", 200_000n],
  ["", undefined],
  ["N0", undefined],
  ["1,00", undefined],
  ["NaN", undefined],
  [Number.NaN, undefined],
  [null, undefined],
  [{}, undefined],
  ["9".repeat(19), undefined],
];
for (const [written, expected] of READ)
  test(`${JSON.stringify(written)} of a vendor is ${expected} kobo`, () => {
    assert.equal(readVendorNaira(written), expected);
  });

test("what we write of an amount is read back as that amount", () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 18n) + 1n, 10n ** 18n - 1n), (value) => {
      assert.equal(readVendorNaira(koboToNaira(kobo(value))), value);
    }),
  );
});

test("numbers of JSON keep every digit, whatever there is around them", () => {
  assert.deepEqual(parseExactJson('{"a":485.10,"b":[17590000000000000000000001,"x",null,true,-1e3]}'), {
    a: "485.10",
    b: ["17590000000000000000000001", "x", null, true, "-1e3"],
  });
  assert.equal(parseExactJson("<html>"), undefined);
  assert.equal(parseExactJson(""), undefined);
});

test("more money than there is, is no amount", () => {
  assert.equal(readVendorNaira("9e99"), undefined);
  assert.equal(readVendorNaira("1e17"), undefined);
  assert.equal(readVendorNaira("9999999999999999.99"), 999_999_999_999_999_999n);
});

test("whatever it reads can be stored as naira and read again", () => {
  const most = readVendorNaira("9999999999999999.99")!;
  assert.equal(parseKobo(koboToNaira(most)), most);
});
