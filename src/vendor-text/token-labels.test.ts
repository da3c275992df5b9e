import assert from "node:assert/strict";
import { test } from "node:test";
import { startStopwatch } from "../testing/stopwatch.ts";
import { saidTokens } from "./said-tokens.ts";
import { orderTokens, valuesOf } from "./token-order.ts";

const R1 = "11112222333344445555";
const R2 = "22223333444455556666";
const C = "26362054405982757802";
const B = "09876543210987654321";

/** The kinds of a text's tokens, in their order there. */
const kindsOf = (text: string, name = "token") =>
  saidTokens(JSON.stringify({ [name]: text }), []).tokens.map(({ value, kind }) => [value, kind]);

const WHOLE = [
  [R1, "kct1"],
  [R2, "kct2"],
  [C, "credit"],
];
for (const text of [
  `${R1} (KCT1), ${R2} (KCT2), ${C} (Credit)`,
  `${R1} - KCT1; ${R2} - KCT2; ${C} - CREDIT`,
  `${R1} (KCT1) ${R2} (KCT2) ${C} (Credit)`,
  `${R1} KCT1 ${R2} KCT2 ${C} Token`,
  `${R1} KCT 1, ${R2} KCT 2 and ${C} energy token.`,
  `${R1}: KCT1 ${R2}: KCT2 ${C}: CREDIT`,
  `${R1}\nKCT1\n${R2}\nKCT2\n${C}\nCredit`,
  `Your tokens: ${R1} (KCT1), ${R2} (KCT2), ${C} (Credit)`,
  `Token: ${R1} (KCT1), ${R2} (KCT2), ${C} (Credit)`,
  `KCT1: ${R1} KCT2: ${R2} Token: ${C}`,
  `KCT1: ${R1}\nKCT2: ${R2}\nToken: ${C}`,
  `KCT1:\r\n${R1}\r\nKCT2:\r\n${R2}\r\nToken:\r\n${C}`,
  `KCT1\n${R1}\nKCT2\n${R2}\nToken\n${C}`,
  `KCT1 ${R1} KCT2 ${R2} Credit ${C}`,
  `(KCT1) ${R1} (KCT2) ${R2} (Credit) ${C}`,
  `KCT1 - ${R1}, KCT2 - ${R2}, Credit - ${C}`,
  `1) KCT1: ${R1} 2) KCT2: ${R2} 3) Token: ${C}`,
  `1. KCT1: ${R1}. 2. KCT2: ${R2}. 3. Token: ${C}.`,
  `KCT1: ${R1} KCT2: ${R2}, ${C} (Credit)`,
  `${R1} (KCT1), ${R2} (KCT2), Token: ${C}`,
  `${R1} (KCT1) KCT2: ${R2} Token: ${C}. Enter both key change tokens first`,
  `First key change token: ${R1}; second key change token: ${R2}; energy: ${C}`,
  `KCT1: ${R1}<br>KCT2: ${R2}<br/>Token: ${C}<br>`,
])
  test(`the tokens of ${JSON.stringify(text)} have their own labels`, () => {
    assert.deepEqual(kindsOf(text), WHOLE);
    assert.deepEqual(kindsOf(text, "purchased_code"), WHOLE);
  });

test("labels in another order stay with their tokens", () => {
  assert.deepEqual(kindsOf(`${C} (Credit), ${R2} (KCT2), ${R1} (KCT1)`), WHOLE.toReversed());
  assert.deepEqual(kindsOf(`2) KCT1: ${R1} 1) KCT2: ${R2} Token: ${C}`), WHOLE);
  assert.deepEqual(kindsOf(`${C} (Token), ${B} (Bonus)`), [
    [C, "credit"],
    [B, "bonus"],
  ]);
});

for (const text of [
  `Token: ${R1} KCT1 ${R2} KCT2 ${C}`,
  `Tokens: ${R1} KCT1 ${R2} KCT2 ${C}`,
  `Token ${R1} KCT1 ${R2} KCT2 ${C} credit`,
  `${R1} KCT1 ${R2} KCT2 ${C}`,
  `KCT1 KCT2 Token ${R1} ${R2} ${C}`,
  `${R1} (KCT1), ${R2} (KCT2), ${C}`,
  `${R1}, ${R2}, ${C}`,
])
  test(`no token of ${JSON.stringify(text)} is energy, as nobody knows which`, () => {
    const said = saidTokens(JSON.stringify({ token: text }), []);
    assert.deepEqual(valuesOf(said, "credit"), []);
    const { tokens, doubts } = orderTokens(said, []);
    assert.deepEqual(tokens, []);
    assert.match(doubts.join(), /not taken: "token" \(…5555\), "token" \(…6666\), "token" \(…7802\)/);
  });

test("one token has the label behind it, and not that of nothing", () => {
  assert.deepEqual(kindsOf(`${R1} (KCT1)`), [[R1, "kct1"]]);
  assert.deepEqual(kindsOf(`Token: ${R1} - KCT1`), [[R1, "kct1"]]);
  for (const rest of ["", " Bonus Token : ", " Bonus Token : N/A", " Bonus: 0.00", ". KCT1 and KCT2 come by SMS", " -"])
    assert.deepEqual(kindsOf(`Token : ${C}${rest}`), [[C, "credit"]], rest);
});

/** Both parts of a key change, named by what they stand in. */
for (const [name, member] of [
  ["a number in an object", { keyChange: { token1: R1, token2: R2 } }],
  ["a number in an object, turned around", { keyChange: { token2: R2, token1: R1 } }],
  ["an object of tokens", { keyChangeTokens: { first: R1, second: R2 } }],
  ["an object, the second first", { keyChangeTokens: { second: R2, first: R1 } }],
  ["an object in an object", { kct: { tokens: { token1: R1, token2: R2 } } }],
  ["a list", { keyChange: [{ token: R1 }, { token: R2 }] }],
  [
    "a list with types",
    {
      keyChange: [
        { type: "Token 2", value: R2 },
        { type: "Token 1", value: R1 },
      ],
    },
  ],
  ["a text", { keyChange: `Token 1: ${R1}, Token 2: ${R2}` }],
  ["another word", { updateKeyToken1: R1, updateKeyToken2: R2 }],
  ["another word in an object", { keyUpdate: { token_1: R1, token_2: R2 } }],
  ["a rollover", { rolloverToken1: R1, rolloverToken2: R2 }],
  ["the standard's words", { "Set 1st Section Decoder Key": R1, "Set 2nd Section Decoder Key": R2 }],
] as const)
  test(`a key change that is named by ${name} is one`, () => {
    const said = saidTokens(JSON.stringify({ token: C, ...member }), []);
    const { tokens, doubts } = orderTokens(said, [C]);
    assert.deepEqual(
      tokens.map(({ kind, value }) => [value, kind]),
      WHOLE,
    );
    assert.deepEqual(doubts, []);
  });

for (const [name, member] of [
  ["the same twice", { kct1: R1, kct2: R1 }],
  ["the energy twice", { kct1: C, kct2: C }],
  ["the energy as its second part", { kct1: R1, kct2: C }],
  ["one part in an object", { keyChange: { token1: R1 } }],
  ["three parts in an object", { keyChange: { token1: R1, token2: R2, token3: B } }],
] as const)
  test(`a key change of ${name} is none: the energy waits`, () => {
    const { tokens, doubts } = orderTokens(saidTokens(JSON.stringify({ token: C, ...member }), []), [C]);
    assert.deepEqual(tokens, []);
    assert.match(doubts.join(), /^(?:half a key change came|the same token came under two kinds)/);
  });

test("what was a float is no token, and is in doubt", () => {
  for (const digits of [`${C}.0`, "26362054405982756864.0", "26362054405982756864", "2,63621E+19", "2.63621e19"]) {
    const json = digits.includes(",") ? `{"token":"${digits}"}` : `{"token":${digits}}`;
    const { tokens, unread } = saidTokens(json, []);
    assert.deepEqual([tokens.length, unread.map(({ name }) => name)], [0, ["token"]], digits);
  }
  assert.equal(saidTokens(`{"token":"${C}.0"}`, []).unread.length, 1);
  assert.equal(saidTokens(`{"token":${C}}`, []).tokens[0]?.value, C);
  assert.deepEqual(saidTokens('{"token":"25.6","tokenAmount":1860.4700000000000273}', []).unread, []);
});

test("a long text without an end costs no time", () => {
  for (const unit of ["(", "<", ": ", " and", ")", "KCT1 "]) {
    const text = `${C} ${unit.repeat(60_000 / unit.length)} ${R1}`;
    const elapsedMs = startStopwatch();
    saidTokens(JSON.stringify({ token: text }), []);
    assert.ok(elapsedMs() < 10_000, unit);
  }
});
