import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseExactJson } from "../../vendor-text/exact-json.ts";
import { airtimeOperator, plansOf, readOperators, readPlanCode } from "./operators.ts";

const OPERATOR = {
  operatorId: 345,
  name: "MTN Nigeria Data",
  bundle: false,
  data: true,
  pin: false,
  comboProduct: false,
  denominationType: "FIXED",
  senderCurrencyCode: "NGN",
  destinationCurrencyCode: "NGN",
  country: { isoName: "NG", name: "Nigeria" },
  fixedAmounts: [100, 750.5, 1000],
  fixedAmountsDescriptions: { "100.00": " 100MB - 24 hrs ", "750.50": "1.5GB 30 Days" },
  localFixedAmounts: [],
  localFixedAmountsDescriptions: {},
};
const AIRTIME = { ...OPERATOR, operatorId: 341, name: "MTN Nigeria", data: false, fixedAmounts: [] };

const read = (...operators: readonly object[]) => readOperators(parseExactJson(JSON.stringify(operators))) ?? [];

test("amounts and descriptions meet as decimals, and an amount without one is named after operator and price", () => {
  assert.deepEqual(plansOf(read(OPERATOR)), [
    { code: "345:100.00", group: "mtn", name: "100MB - 24 hrs", costKobo: 10_000n },
    { code: "345:750.50", group: "mtn", name: "1.5GB 30 Days", costKobo: 75_050n },
    { code: "345:1000.00", group: "mtn", name: "MTN Nigeria Data 1000.00", costKobo: 100_000n },
  ]);
});

test("an account in another currency has its naira in the local fields", () => {
  const inDollars = {
    ...OPERATOR,
    senderCurrencyCode: "USD",
    fixedAmounts: [0.25],
    fixedAmountsDescriptions: { "0.25": "100MB - 24 hrs" },
    localFixedAmounts: [100],
    localFixedAmountsDescriptions: { "100.00": "100MB - 24 hrs" },
  };
  assert.deepEqual(plansOf(read(inDollars)), [
    { code: "345:100.00", group: "mtn", name: "100MB - 24 hrs", costKobo: 10_000n },
  ]);
});

test("airtime goes to the network's operator that sells neither data nor bundles", () => {
  const operators = read(OPERATOR, { ...OPERATOR, operatorId: 700, data: false, bundle: true }, AIRTIME);
  assert.equal(airtimeOperator(operators, "mtn"), 341);
  assert.equal(airtimeOperator(operators, "glo"), undefined);
});

const LEFT_OUT: readonly (readonly [name: string, change: object])[] = [
  ["PINs", { pin: true }],
  ["combos", { comboProduct: true }],
  ["another country", { country: { isoName: "GH" } }],
  ["another currency", { destinationCurrencyCode: "GHS" }],
  ["a name without a network", { name: "Smile Nigeria" }],
  ["a name with two", { name: "MTN or Airtel" }],
  ["an id that is no number", { operatorId: "x" }],
];
for (const [name, change] of LEFT_OUT)
  test(`${name}: not for us`, () => assert.deepEqual(read({ ...OPERATOR, ...change }), []));

const NAMES = [
  ["9Mobile (Etisalat) Nigeria Data", "9mobile"],
  ["Glo Nigeria", "glo"],
  ["Airtel Nigeria Data", "airtel"],
  ["T2 Nigeria", "9mobile"],
] as const;
for (const [name, network] of NAMES)
  test(`${name} is ${network}`, () => assert.equal(read({ ...OPERATOR, name })[0]?.network, network));

test("what is no list is no list of operators", () => {
  for (const body of [undefined, null, {}, "[]", { content: [] }]) assert.equal(readOperators(body), undefined);
});

test("any JSON is read without a throw, and every plan that comes out can be bought by its code", () => {
  const amount = fc.oneof(fc.double(), fc.integer(), fc.string(), fc.constant(null), fc.constant("750.50"));
  const operator = fc.record(
    {
      operatorId: fc.oneof(fc.nat(), fc.string()),
      fixedAmounts: fc.oneof(fc.array(amount), fc.jsonValue()),
      fixedAmountsDescriptions: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.jsonValue()),
      name: fc.oneof(fc.constant("Glo"), fc.string()),
      country: fc.oneof(fc.constant({ isoName: "NG" }), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(operator, fc.jsonValue())), (entries) => {
      const list = entries.map((entry) => (typeof entry === "object" ? { ...OPERATOR, ...entry } : entry));
      const plans = plansOf(readOperators(parseExactJson(JSON.stringify(list))) ?? []);
      for (const { code, costKobo } of plans) assert.ok(readPlanCode(code) && costKobo > 0n, code);
    }),
  );
});

test("a code that is none of ours is no plan", () => {
  assert.deepEqual(readPlanCode("345:750.50"), { operatorId: 345, amount: "750.50" });
  for (const code of ["", "345", "345:750", "345:-1.00", "x:1.00", "345:750.50 ", "mtn-data:1gb"])
    assert.equal(readPlanCode(code), undefined, code);
});
