import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { startStopwatch } from "../testing/stopwatch.ts";
import { hideTokens, readToken, readUnits } from "./sts.ts";

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
  [`Token : ${DIGITS} - `, DIGITS],
  ["1     2345678901234567890", undefined],
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

const HIDDEN = "**** **** **** **** 7890";
const GROUPS = ["1234", "5678", "9012", "3456", "7890"];
for (const [how, text] of [
  ["together", DIGITS],
  ...["-", " ", "\u00a0", "\t", "  ", ".", "/", " - ", "\n", "\u200b", "_", ":"].map((between) => [
    `with ${JSON.stringify(between)} between its groups`,
    GROUPS.join(between),
  ]),
  ["in groups of five", "12345 67890 12345 67890"],
  ["a digit at a time", [...DIGITS].join(" ")],
  ["behind another one", DIGITS + DIGITS],
  ["behind other digits", `1${DIGITS}`],
])
  test(`a token that is written ${how} is hidden`, () => {
    assert.equal(hideTokens(`sold: ${text}.`), `sold: ${HIDDEN}.`);
  });

for (const [script, zero, lastFour] of [
  ["Arabic", 0x0660, "٧٨٩٠"],
  ["full-width", 0xff10, "７８９０"],
] as const)
  test(`a token in ${script} digits is hidden`, () => {
    const text = DIGITS.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
    assert.equal(hideTokens(text), `**** **** **** **** ${lastFour}`);
  });

test("numbers of fewer than twenty digits stay as they are", () => {
  for (const text of [
    "of 08031234567",
    DIGITS.slice(1),
    "202610031407a1b2c3d4e5f6g7h8",
    "2026-10-03 14:07:21 and 2000.00",
  ])
    assert.equal(hideTokens(text), text);
});

/** Digits with up to four characters between two of them, none of which is a letter or a digit. */
const between = fc
  .array(fc.string({ unit: "binary", minLength: 1, maxLength: 1 }), { maxLength: 4 })
  .map((characters) => characters.join(""))
  .filter((text) => [...text].length <= 4 && !/[\p{L}\p{N}]/u.test(text));
const spelled = (digits: { minLength: number; maxLength: number }) =>
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: 9 }), between), digits)
    .map((parts) => parts.map(([digit, gap], index) => (index === 0 ? `${digit}` : `${gap}${digit}`)).join(""));

test("however twenty digits or more are spelled, and whatever stands around them, the last four alone are seen", () => {
  const around = fc.string().map((text) => text.replaceAll(/\p{N}/gu, "x"));
  fc.assert(
    fc.property(around, spelled({ minLength: 20, maxLength: 45 }), around, (before, token, after) => {
      const digits = hideTokens(`${before}${token}${after}`).replaceAll(/\D/g, "");
      assert.equal(digits, token.replaceAll(/\D/g, "").slice(-4));
    }),
  );
});

test("whatever is read as a token is hidden", () => {
  fc.assert(
    fc.property(spelled({ minLength: 20, maxLength: 20 }), fc.constantFrom("", "Token : ", " "), (token, prefix) => {
      if (readToken(prefix + token) !== undefined) assert.match(hideTokens(prefix + token), /\*{4} \d{4}$/);
    }),
  );
});

test("a long text is hidden in no time, whatever it is made of", () => {
  for (const unit of ["1", "1    ", `${DIGITS.slice(1)}a`, `${[...DIGITS].slice(1).join("    ")}     `, " "]) {
    const text = unit.repeat(1_000_000 / unit.length);
    const elapsedMs = startStopwatch();
    hideTokens(text);
    // Some 50 ms; in quadratic time it would be hours.
    assert.ok(elapsedMs() < 10_000);
  }
});

const UNITS: readonly (readonly [text: string | undefined, units: string | undefined])[] = [
  ["79.9 kWh", "79.9"],
  ["79.9KWH", "79.9"],
  ["12", "12"],
  ["0.1234", "0.1234"],
  ["79.123456", "79.123456"],
  ["1,234.5", "1234.5"],
  ["1,234,567 kWh", "1234567"],
  ["16666.666", "16666.666"],
  ["079.90 Units", "79.90"],
  ["Units: 12.3", "12.3"],
  ["12.3 KWh.", "12.3"],
  [".5", "0.5"],
  ["1.234,5", "1234.5"],
  ["1.234.567,8 kWh", "1234567.8"],
  ["1.234.567", "1234567"],
  ["1 234,5", "1234.5"],
  ["25,6 kWh", "25.6"],
  ["1,234", "1234"],
  ["1.234", "1.234"],
  ["1.2e1", "12"],
  ["1.25E+1", "12.5"],
  ["1e3", "1000"],
  ["0.0012e2 kWh", "0.12"],
  ["0", undefined],
  ["0.00 kWh", undefined],
  ["1,23.5", undefined],
  ["1,23,4", undefined],
  ["1.23,4.5", undefined],
  ["12.3 4.5", undefined],
  ["kWh", undefined],
  ["-1", undefined],
  ["1e-3", undefined],
  ["1e99", undefined],
  ["", undefined],
  [undefined, undefined],
];
for (const [text, units] of UNITS)
  test(`${JSON.stringify(text)} is ${units ?? "no number of"} kWh`, () => {
    assert.equal(readUnits(text), units);
  });
