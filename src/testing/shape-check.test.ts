import assert from "node:assert/strict";
import { test } from "node:test";
import { shapeFaults } from "./shape-check.ts";

const answering = (schema: object, examples: object = {}, status = "200") => ({
  paths: { "/a": { get: { responses: { [status]: { content: { "application/json": { schema, examples } } } } } } },
  components: {
    schemas: {
      Money: {
        type: "object",
        required: ["amount", "currency"],
        properties: { amount: { type: "string", pattern: "^-?\\d+\\.\\d{2}$" }, currency: { const: "NGN" } },
      },
    },
  },
});
const named = (properties: object) => ({
  type: "object",
  required: ["object"],
  properties: { object: { const: "thing" }, ...properties },
});
const MONEY = { $ref: "#/components/schemas/Money" };

test("an answer of the shared shapes has no fault", () => {
  const list = {
    type: "object",
    required: ["object", "data"],
    properties: {
      object: { const: "list" },
      data: { type: "array", items: named({ fee: MONEY, charge: { type: "string", enum: ["held", "charged"] } }) },
    },
  };
  const examples = { one: { value: { object: "list", data: [{ fee: { amount: "4.00", currency: "NGN" } }] } } };
  assert.deepEqual(shapeFaults(answering(list, examples)), []);
});

for (const [what, document, fault] of [
  ["without `object`", answering({ type: "object", properties: {} }), "GET /a 200: has no object"],
  [
    "whose items have no `object`",
    answering(
      named({ object: { enum: ["list"] }, data: { type: "array", items: { type: "object", properties: { a: {} } } } }),
    ),
    "GET /a 200: an item of its list has no object",
  ],
  ["that is a bare array", answering({ type: "array", items: named({}) }), "GET /a 200: is no object"],
  [
    "with a balance in a string",
    answering(named({ balance: { type: "string" } })),
    "GET /a 200.balance is money that is not {amount, currency}",
  ],
  [
    "with naira under any name, deep inside",
    answering(
      named({ a: { type: "array", items: { properties: { limit: { type: "string", pattern: "^\\d+\\.\\d{2}$" } } } } }),
    ),
    "GET /a 200.a.limit is money that is not {amount, currency}",
  ],
  ["with a price that has no tax", answering(named({ price: MONEY })), "GET /a 200.price is a price without its tax"],
  ["with `minimum`", answering(named({ minimum: MONEY })), "GET /a 200.minimum is called minimum_amount"],
  [
    "with a charge in other words",
    answering(named({ charge: { type: "string", enum: ["held", "kept"] } })),
    "GET /a 200.charge has words of its own: held, kept",
  ],
  [
    "with a receipt number that is not ours",
    answering(named({ receipt_number: { type: "string" } })),
    "GET /a 200.receipt_number is no number of our receipt",
  ],
  [
    "that is a problem with a bound in a string",
    answering({ type: "object" }, { one: { value: { maximum_amount: "500.00" } } }, "422"),
    "GET /a 422, an example.maximum_amount is money that is not {amount, currency}",
  ],
] as const)
  test(`an answer ${what} is found`, () => assert.deepEqual(shapeFaults(document), [fault]));
