import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readTokens as read } from "./electricity-tokens.ts";

/** As the vendor writes it: the block at the top, extras in the transaction. */
const answerOf = (body: object, extras: unknown) =>
  JSON.stringify({ ...body, content: { transactions: { status: "delivered", extras } } });
const readAll = (body: object, extras: unknown = null, text = answerOf(body, extras)) =>
  read(text, body as Record<string, unknown>, extras, []);
const readTokens = (body: object, extras: unknown) => readAll(body, extras).tokens;

const A = "12345678901234567890";
const B = "09876543210987654321";
const K1 = "11111111112222222222";
const K2 = "33333333334444444444";
const credit = (value: string, units?: string) => ({ kind: "credit", value, ...(units ? { units_kwh: units } : {}) });

const FOUND: readonly (readonly [name: string, body: object, extras: unknown, tokens: readonly object[]])[] = [
  [
    "Ikeja's prefix",
    { purchased_code: `Token : ${A}`, token: `Token : ${A}`, units: "79.9 kWh" },
    null,
    [credit(A, "79.9")],
  ],
  [
    "Eko's main and bonus token",
    {
      purchased_code: `Token : ${A} Bonus Token : ${B}`,
      mainToken: A,
      mainTokenUnits: "25.6",
      bonusToken: B,
      bonusTokenUnits: "3",
    },
    null,
    [credit(A, "25.6"), { kind: "bonus", value: B, units_kwh: "3" }],
  ],
  [
    "a bonus in purchased_code alone",
    { purchased_code: `token:${A} BONUS TOKEN : ${B}` },
    null,
    [credit(A), { kind: "bonus", value: B }],
  ],
  [
    "Kano's capital letters",
    { Token: A, Units: "12", KCT1: K1, KCT2: K2 },
    null,
    [{ kind: "kct1", value: K1 }, { kind: "kct2", value: K2 }, credit(A, "12")],
  ],
  [
    "key changes before energy, energy before bonus",
    { bonusToken: B, token: A, kct2: K2, kct1: K1 },
    null,
    [{ kind: "kct1", value: K1 }, { kind: "kct2", value: K2 }, credit(A), { kind: "bonus", value: B }],
  ],
  ["spaces and dashes", { token: "1234-5678 9012-3456 7890" }, null, [credit(A)]],
  ["a requery's extras as an object", { purchased_code: "" }, { token: A }, [credit(A)]],
  ["a requery's extras as a text", { purchased_code: "" }, `Token : ${A}`, [credit(A)]],
  ["a bad main token beside a good one", { mainToken: "pending", token: A }, null, [credit(A)]],
  ["nothing", { purchased_code: "" }, null, []],
  ["a key change without energy", { kct1: K1, kct2: K2, token: "" }, null, []],
  ["nineteen digits", { token: A.slice(1) }, null, []],
  ["twenty-one digits", { token: `${A}1` }, null, []],
  ["2^66 itself", { token: "73786976294838206464" }, null, []],
  ["the largest token", { token: "73786976294838206463" }, null, [credit("73786976294838206463")]],
  ["a number that lost its digits", { token: 12345678901234567000 }, null, []],
  ["a block of a name of Object.prototype", JSON.parse(`{"__proto__":{"token":"${A}"}}`), null, [credit(A)]],
];
for (const [name, body, extras, tokens] of FOUND)
  test(`tokens of ${name} are read as they are to be entered`, () => {
    assert.deepEqual(readTokens(body, extras), tokens);
  });

const KEY_CHANGE = [
  { kind: "kct1", value: K1 },
  { kind: "kct2", value: K2 },
];
const byFours = (token: string) => token.replaceAll(/(\d{4})(?=\d)/g, "$1 ");

/** Names and shapes that no page of the vendor's has. */
const OTHERWISE: readonly (readonly [name: string, body: object, tokens: readonly object[]])[] = [
  ["Ikeja's other words", { token: A, configureToken: K2, resetToken: K1 }, [...KEY_CHANGE, credit(A)]],
  ["names with a space", { token: A, "KCT 1": K1, "KCT 2": K2 }, [...KEY_CHANGE, credit(A)]],
  ["names with a line", { token: A, key_change_token_1: K1, key_change_token_2: K2 }, [...KEY_CHANGE, credit(A)]],
  ["a list of both parts", { token: A, KCT: [K1, K2] }, [...KEY_CHANGE, credit(A)]],
  ["both parts in one text", { token: A, kct: `${byFours(K1)}, ${byFours(K2)}` }, [...KEY_CHANGE, credit(A)]],
  ["three in one text", { purchased_code: `KCT1: ${K1} KCT2: ${K2} Token: ${A}` }, [...KEY_CHANGE, credit(A)]],
  [
    "three in one text, the labels behind",
    { token: `${K1} (KCT1), ${K2} (KCT2), ${A} (Credit)` },
    [...KEY_CHANGE, credit(A)],
  ],
  ["an object that counts", { token: A, keyChange: { token1: K1, token2: K2 } }, [...KEY_CHANGE, credit(A)]],
  ["a key's update", { token: A, updateKeyToken1: K1, updateKeyToken2: K2 }, [...KEY_CHANGE, credit(A)]],
  [
    "an object in the text of a member",
    { purchased_code: "", details: JSON.stringify({ token: A, kct1: K1, kct2: K2 }) },
    [...KEY_CHANGE, credit(A)],
  ],
  [
    "a list of things with a type",
    { tokens: [A, K2, K1].map((value, at) => ({ type: ["CREDIT", "KCT2", "KCT1"][at], value })) },
    [...KEY_CHANGE, credit(A)],
  ],
  ["a name for energy", { creditToken: byFours(A) }, [credit(A)]],
  ["a name that counts, alone", { token1: A }, [credit(A)]],
  ["a list of groups", { mtoken: ["1234", "5678", "9012", "3456", "7890"] }, [credit(A)]],
  ["an object for the bonus", { token: A, bonus: { token: B } }, [credit(A), { kind: "bonus", value: B }]],
];
for (const [name, body, tokens] of OTHERWISE)
  test(`tokens under ${name} are read as they are to be entered, and nothing is in doubt`, () => {
    const read = readAll(body);
    assert.deepEqual(read.tokens, tokens);
    assert.deepEqual(read.doubts, []);
  });

const numbers = (...members: readonly string[]) => readAll({}, null, `{${members.join(",")}}`);

test("a token that was written as a number has its leading zeros again, and one that was a float is none", () => {
  assert.deepEqual(numbers('"token":4953120002999582637').tokens, [credit("04953120002999582637")]);
  assert.deepEqual(numbers('"token":953120002999582637').tokens, [credit("00953120002999582637")]);
  assert.deepEqual(numbers('"mainToken":26362054405982757802').tokens, [credit("26362054405982757802")]);
  for (const digits of ["26362054405982760000", "2.6362054405982757e19", "4953120002999583000"]) {
    const { tokens, doubts } = numbers(`"token":${digits}`);
    assert.deepEqual([tokens, doubts], [[], ['"token" has no whole token']]);
  }
});

/** What is no token for us, and may be one. */
const DOUBTFUL: readonly (readonly [name: string, body: object, kinds: readonly string[], doubt: RegExp])[] = [
  ["under a name that counts", { token: A, Token2: B }, ["credit"], /not taken: "Token2" \(…4321\)/],
  ["in the disco's words", { token: A, announcement: `Then enter ${byFours(B)}.` }, ["credit"], /"announcement"/],
  ["without a word of its own in a text of several", { purchased_code: `${K1}, ${K2}, ${A}` }, [], /"purchased_code"/],
  ["of nineteen digits in a text", { token: A.slice(1) }, [], /"token" has no whole token/],
  ["of twenty-one digits", { token: `${A}1` }, [], /"token" has no whole token/],
  ["twice as long", { token: `${A}${B}` }, [], /"token" has no whole token/],
  ["above 2^66", { token: "73786976294838206464" }, [], /"token" has no whole token/],
  ["that is half a key change", { token: A, kct1: K1, kct2: null }, [], /half a key change/],
  ["whose other half can't be read", { token: A, kct1: K1, kct2: K2.slice(1) }, [], /half a key change/],
  ["of a third part of a key change", { token: A, kct1: K1, kct2: K2, kct3: B }, [], /half a key change/],
  ["that resets alone", { token: A, resetToken: K1, configureToken: null }, ["credit"], /"resetToken"/],
  [
    "of a key change whose parts are the same",
    { token: A, kct1: K1, kct2: K1 },
    [],
    /the same token came under two kinds/,
  ],
  ["of a key change that is the energy", { token: A, kct1: A, kct2: A }, [], /the same token came under two kinds/],
  ["of a type that nobody knows, alone", { tokens: [{ type: "KMS", value: A }] }, [], /"value" \(…7890\)/],
  ["that clears a tamper, alone", { clearTamperToken: A }, [], /"clearTamperToken" \(…7890\)/],
  ["of a key change without energy", { kct1: K1, kct2: K2, token: "" }, [], /"kct1" \(…2222\), "kct2"/],
];
for (const [name, body, kinds, doubt] of DOUBTFUL)
  test(`a token ${name} is in doubt, and is not shown`, () => {
    const { tokens, doubts } = readAll(body);
    assert.deepEqual(
      tokens.map(({ kind }) => kind),
      kinds,
    );
    assert.match(doubts.join("; "), doubt);
    assert.doesNotMatch(doubts.join("; "), /\d{5}/);
  });

test("numbers of the vendor's, ours, times and amounts are in no doubt", () => {
  const body = {
    token: `Token : ${A}`,
    purchased_code: `Token : ${A}`,
    requestId: "20261003140712345678",
    exchangeReference: B,
    Receipt: B,
    invoiceNumber: B,
    wallet_credit_id: B,
    vendRef: "18229134335262945000",
    meterNumber: "12345678901234567890",
    transaction_date: { date: "2026-10-03 13:07:21.000000", timezone_type: 3 },
    tokenAmount: "1860.4700000000000273",
    units: "79.123456789012345678",
    resetToken: "0".repeat(20),
    configureToken: null,
    kct1: "N/A",
    announcement: "Call 0800 123 4567, 0700 123 4567 or 0909 123 4567 from 08:00:00.",
    charges: "93.02, 6.98, 1860.47, 139.53, 2000.00",
  };
  const { tokens, doubts } = readAll(body);
  assert.deepEqual([tokens, doubts], [[credit(A, "79.123456789012345678")], []]);
  const own = read(JSON.stringify({ token: A, said: `for ${B}` }), { token: A }, null, [B]);
  assert.deepEqual(own.doubts, []);
});

test("a key change that is said twice, with different digits, is one of a kind too many", () => {
  assert.equal(readAll({ token: A, kct1: K1, KCT1: K2, kct2: K2 }).twice, "kct1");
  assert.equal(readAll({ token: A, mainToken: B }).twice, "credit");
  assert.equal(readAll({ token: A, kct1: K1, kct2: K2, resetToken: B }).twice, undefined);
});

const text = fc.oneof(fc.string(), fc.stringMatching(/^(?:Token : )?[\d -]{18,24}(?: Bonus Token : \d{20})?$/));
test("whatever a disco writes, a token is twenty digits below 2^66, and a bonus never comes without energy", () => {
  const keys = ["mainToken", "token", "Token", "purchased_code", "bonusToken", "kct1", "KCT2", "units"];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), text), fc.oneof(text, fc.constant(null)), (body, extras) => {
      const tokens = readTokens(body, extras);
      for (const { value } of tokens) {
        assert.match(value, /^\d{20}$/);
        assert.ok(BigInt(value) < 1n << 66n);
      }
      assert.ok(tokens.length === 0 || tokens.some(({ kind }) => kind === "credit"));
      assert.equal(new Set(tokens.map(({ kind }) => kind)).size, tokens.length);
    }),
  );
});
