import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { startStopwatch } from "../testing/stopwatch.ts";
import { showsToken } from "./shown-token.ts";
import { hideTokens, readToken } from "./sts.ts";

const DIGITS = "12345678901234567890";
const GROUPS = ["1234", "5678", "9012", "3456", "7890"];
const NONE: ReadonlySet<string> = new Set();

const isShown = (answer: unknown, references = NONE) => showsToken(answer, references);

for (const [how, text] of [
  ["together", DIGITS],
  ...["-", " ", "\u00a0", "  ", ".", "/", " - ", "_", ":"].map((between) => [
    `with ${JSON.stringify(between)} between its groups`,
    GROUPS.join(between),
  ]),
  ["in groups of five", "12345 67890 12345 67890"],
  ["a digit at a time", [...DIGITS].join(" ")],
  ["beside a phone", `1234-5678-9012-3456-7890 08031234567`],
  ["beside an amount", `2000.00 1234-5678-9012-3456-7890`],
  ["beside a time", `2026-10-03T14:07:21.000123Z ${DIGITS}`],
  ["as the number of a time, and called a token", "Token : 20261003140712345678"],
])
  test(`a token that is written ${how} is shown, in any words`, () => {
    assert.ok(isShown({ deep: [{ words: `sold: ${text}.` }] }));
  });

for (const [what, text] of [
  ["zeros", "0000-0000-0000-0000-0000"],
  ["a time of PHP's", "2020-09-23 18:24:32.000000"],
  ["a time with a zone", "2026-10-03T14:07:21.000000+01:00"],
  ["a time with a zone, and another", "2026-10-03T14:07:21.000+0100, 03/10/2026 14:07:21.000123"],
  ["times of day", "from 14:07:21.000123 to 14:07:22.000123"],
  ["days", "2026-10-03 2026-10-04 2026-10-05"],
  ["a number that is made of a time", "TRANSACTION FAILED: 20261003140712345678"],
  ["2^66 and more", "73786976294838206464"],
  ["more than twenty digits", "12022609231824320000001"],
  ["a phone, an amount and a number", "TRANSACTION FAILED 08011111111 / 2000.00 / 1111"],
  ["a time and a meter", "failed 2026-10-03 14:07:21 04123456784"],
  ["a phone and what makes twenty digits of it", "08011111111 / 2000.00 / 101"],
  ["two accounts", "0123456789, 0123456789"],
  ["nineteen digits", DIGITS.slice(1)],
])
  test(`${what}: no token is shown`, () => {
    assert.equal(isShown({ words: text }), false);
  });

test("where tokens stand every twenty digits are one, and so are two without anything between them", () => {
  for (const name of ["token", "standardTokenValue", "kct1", "purchased_code", "content"]) {
    assert.ok(isShown({ [name]: "20261003140712345678" }), name);
    assert.ok(isShown({ [name]: DIGITS + DIGITS }), name);
    for (const written of ["1234567890 1234567890", "123456789012 34567890", "1234 5678901234567890", GROUPS])
      assert.ok(isShown({ [name]: written }), `${name}: ${written}`);
    if (name !== "content" && name !== "purchased_code")
      assert.ok(isShown({ [name]: [{ value: "1234567890 1234567890" }] }), `an object in ${name}`);
    assert.equal(isShown({ [name]: "73786976294838206464" }), false, name);
    assert.equal(isShown({ [name]: "1111111111111, 2222222222" }), false, name);
  }
});

test("a reference of the vendor's is none, whatever it looks like", () => {
  const answer = { data: [{ receiptNo: DIGITS }] };
  assert.ok(isShown(answer));
  assert.equal(isShown(answer, new Set(["receiptNo"])), false);
});

test("a token in another script's digits is shown", () => {
  assert.ok(isShown(DIGITS.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit)))));
});

test("whatever is read as a token is shown under its name, and whatever is shown is hidden from people", () => {
  const spelled = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom("", " ", "-", " - ")), {
      minLength: 18,
      maxLength: 24,
    })
    .map((parts) => parts.map(([digit, gap]) => `${digit}${gap}`).join(""));
  const grouped = fc
    .stringMatching(/^\d{20}$/)
    .chain((digits) => fc.constantFrom(/(\d{4})(?=\d)/g, /(\d{5})(?=\d)/g).map((by) => digits.replaceAll(by, "$1-")));
  fc.assert(
    fc.property(fc.oneof(spelled, grouped), (text) => {
      if (isShown(text)) assert.notEqual(hideTokens(text), text);
    }),
  );
  fc.assert(
    fc.property(grouped, (text) => {
      if (readToken(text) !== undefined) assert.ok(isShown({ token: text }) && isShown({ words: `sold ${text}` }));
    }),
  );
});

test("a long text is looked through in no time, whatever it is made of", () => {
  for (const unit of ["1", "1    ", `${DIGITS.slice(1)}a`, "2026-10-03 14:07:21.000000+", "1234567890-", "token "]) {
    const elapsedMs = startStopwatch();
    isShown(unit.repeat(1_000_000 / unit.length));
    assert.ok(elapsedMs() < 10_000);
  }
});
