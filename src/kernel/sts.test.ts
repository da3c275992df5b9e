import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readToken, readUnits } from "./sts.ts";

const DIGITS = "12345678901234567890";

const TOKENS: readonly (readonly [text: string | undefined, token: string | undefined])[] = [
  [DIGITS, DIGITS],
  ["1234-5678-9012-3456-7890", DIGITS],
  [" 1234 5678 9012 3456 7890 ", DIGITS],
  [`Token : ${DIGITS}`, DIGITS],
  [`TOKEN:${DIGITS}`, DIGITS],
  ["73786976294838206463", "73786976294838206463"],
  ["73786976294838206464", undefined],
  ["0000-0000-0000-0000-0000", undefined],
  ["00000000000000000001", "00000000000000000001"],
  [DIGITS.slice(1), undefined],
  [`${DIGITS}1`, undefined],
  ["1.2345678901234567e19", undefined],
  ["pending", undefined],
  ["", undefined],
  [undefined, undefined],
];
for (const [text, token] of TOKENS)
  test(`${JSON.stringify(text)} is ${token === undefined ? "no token" : "a token"}`, () => {
    assert.equal(readToken(text), token);
  });

test("whatever is read as a token is twenty digits below 2^66", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^(?:Token : )?[\d -]{18,26}$/)), (text) => {
      const token = readToken(text);
      if (token === undefined) return;
      assert.match(token, /^\d{20}$/);
      assert.ok(BigInt(token) > 0n && BigInt(token) < 1n << 66n);
    }),
  );
});

const UNITS: readonly (readonly [text: string | undefined, units: string | undefined])[] = [
  ["79.9 kWh", "79.9"],
  ["79.9KWH", "79.9"],
  ["12", "12"],
  ["0.1234", "0.1234"],
  ["-1", undefined],
  ["1e3", undefined],
  ["", undefined],
  [undefined, undefined],
];
for (const [text, units] of UNITS)
  test(`${JSON.stringify(text)} is ${units ?? "no number of"} kWh`, () => {
    assert.equal(readUnits(text), units);
  });
