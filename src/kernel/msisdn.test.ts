import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import parsePhoneNumber from "libphonenumber-js/max";
import { formatE164, isTestNumber, type Msisdn, parseMsisdn, storedMsisdn } from "./msisdn.ts";

/** `2348…`, or the code of the refusal. */
const read = (input: string, mode: "live" | "test" = "live"): string => {
  const result = parseMsisdn(input, mode);
  return result.ok ? result.value : result.error.code;
};

const FORMS: readonly string[] = [
  "+2348031234567",
  "2348031234567",
  "002348031234567",
  "009 234 803 123 4567",
  "08031234567",
  "8031234567",
  "+23408031234567",
  "23408031234567",
  "+234 (0) 803 123 4567",
  "(0803) 123-4567",
  "0803.123.4567",
  " +234\u00a0803\u2011123\u20134567\t",
  "\u202a+234 803 123 4567\u202c",
  "＋２３４８０３１２３４５６７",
  "٠٨٠٣١٢٣٤٥٦٧",
  "۰۸۰۳۱۲۳۴۵۶۷",
];
for (const input of FORMS) {
  test(`${JSON.stringify(input)} is read as 2348031234567`, () => {
    assert.equal(read(input), "2348031234567");
    assert.equal(read(input), "2348031234567", "and again, once its prefix is known");
  });
}

const REFUSED: readonly (readonly [input: string, code: string])[] = [
  ["", "invalid_phone_number"],
  ["+", "invalid_phone_number"],
  ["0803123456", "invalid_phone_number"],
  ["080312345678", "invalid_phone_number"],
  ["+234803123456", "invalid_phone_number"],
  ["9".repeat(30), "invalid_phone_number"],
  ["9".repeat(100_000), "invalid_phone_number"],
  [`0803${" ".repeat(100_000)}1234567`, "invalid_phone_number"],
  ["0+8031234567", "invalid_phone_number"],
  ["0803-CALL-NOW", "invalid_phone_number"],
  ["call me 08031234567", "invalid_phone_number"],
  ["08031234567 ext 5", "invalid_phone_number"],
  ["08031234567;ext=5", "invalid_phone_number"],
  ["447911123456", "invalid_phone_number"],
  ["+999123456789", "invalid_phone_number"],
  ["+447911123456", "destination_not_supported"],
  ["+14155552671", "destination_not_supported"],
  ["+2342011234567", "destination_not_supported"],
  ["08001234567", "destination_not_supported"],
  ["0700123456789", "destination_not_supported"],
];
for (const [input, code] of REFUSED) {
  test(`${JSON.stringify(input.slice(0, 40))} (${input.length} characters) is refused as ${code}`, () => {
    assert.equal(read(input, "live"), code);
    assert.equal(read(input, "test"), code);
  });
}

test("a magic number is taken in test mode and never in live mode, in any form", () => {
  for (const input of ["+2348000000001", "08000000001", "0800 000 0099", "2348000000013"]) {
    assert.match(read(input, "test"), /^23480000000\d\d$/);
    assert.equal(read(input, "live"), "destination_not_supported");
  }
  assert.equal(read("+2348000000100", "test"), "destination_not_supported");
  assert.equal(isTestNumber("2348031234567"), false);
});

test("a number goes out as E.164, and what goes out is read back as the same number", () => {
  const [msisdn, inTestMode] = [storedMsisdn("2348031234567"), storedMsisdn("2348000000001")];
  assert.equal(formatE164(msisdn), "+2348031234567");
  assert.equal(read(formatE164(msisdn)), msisdn);
  assert.equal(read(formatE164(inTestMode), "test"), inTestMode);
});

test("a stored number that can't be one is a defect", () => {
  assert.throws(() => storedMsisdn("+2348031234567"), /Invariant broken/);
});

/** libphonenumber's own verdict, without our memory. */
function byLibrary(input: string): string {
  const number = parsePhoneNumber(input, "NG");
  if (!number?.isValid()) return "invalid_phone_number";
  if (number.country !== "NG" || number.getType() !== "MOBILE") return "destination_not_supported";
  return number.number.slice(1);
}

test("the first four digits of ten decide whether a Nigerian number is mobile: the memory of prefixes rests on it", () => {
  for (let prefix = 7000; prefix <= 9999; prefix++) {
    const numbers = ["000000", "123456", "555555", "909090", "999999"].map((rest) => `+234${prefix}${rest}`);
    const mobile = numbers.filter((number) => byLibrary(number) === number.slice(1));
    assert.ok(mobile.length === 0 || mobile.length === numbers.length, `numbers that begin with ${prefix}`);
    for (const number of numbers) assert.equal(read(number), byLibrary(number));
  }
});

test("any Nigerian-looking number, written in any form, gets libphonenumber's verdict, seen first or seen before", () => {
  const national = fc
    .tuple(fc.integer({ min: 0, max: 9999 }), fc.nat({ max: 9_999_999 }), fc.integer({ min: 5, max: 7 }))
    .map(([prefix, rest, length]) => String(prefix).padStart(4, "0") + String(rest).padStart(7, "0").slice(0, length));
  const form = fc.constantFrom("+234", "234", "0", "", "+2340", "+234 (0) ", "+234 ", "009234");
  const separator = fc.constantFrom("", "", " ", "-", ".");
  fc.assert(
    fc.property(national, form, separator, (digits, lead, mark) => {
      const input = `${lead}${digits.slice(0, 3)}${mark}${digits.slice(3, 6)}${mark}${digits.slice(6)}`;
      assert.equal(read(input), byLibrary(input));
      assert.equal(read(input), byLibrary(input));
    }),
    { numRuns: 3000 },
  );
});

test("no input whatever throws, and what is taken is a Nigerian number of thirteen digits", () => {
  const phoneLike = fc.string({ unit: fc.constantFrom(..."+0123456789 ()-٠９ext;\u202a"), maxLength: 30 });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), phoneLike), fc.constantFrom("live", "test"), (input, mode) => {
      const result = parseMsisdn(input, mode);
      if (!result.ok) return;
      const msisdn: Msisdn = result.value;
      assert.match(msisdn, /^234[789]\d{9}$/);
    }),
    { numRuns: 3000 },
  );
});
