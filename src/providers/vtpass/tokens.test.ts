import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readTokens } from "./tokens.ts";

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
  ["a name of Object.prototype", JSON.parse('{"__proto__":{"token":"12345678901234567890"}}'), null, []],
];
for (const [name, body, extras, tokens] of FOUND)
  test(`tokens of ${name} are read as they are to be entered`, () => {
    assert.deepEqual(readTokens(body as Record<string, unknown>, extras), tokens);
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
