import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenApi, Schema } from "./openapi.ts";
import { codesIn, shapeOf } from "./shape.ts";
import { shapeHtml } from "./shape-html.ts";

const documentOf = (schemas: Readonly<Record<string, Schema>> = {}): OpenApi => ({
  info: { title: "T", version: "1" },
  tags: [],
  paths: {},
  components: { schemas, responses: {}, parameters: {}, headers: {}, securitySchemes: {} },
});

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const NETWORK: Schema = { type: "string", enum: ["mtn", "glo"] };
const MONEY: Schema = { type: "object", properties: { amount: { type: "string" } }, required: ["amount"] };
const document = documentOf({ Network: NETWORK, Money: MONEY });

/** What other viewers of OpenAPI 3.1 were reported to show wrongly: null told by its place, unions in arrays, lists of types. */
const TYPES: readonly (readonly [name: string, schema: Schema, type: string, isNullable: boolean])[] = [
  ["a list of types with null", { type: ["string", "null"] }, "string", true],
  ["null first", { type: ["null", "integer"] }, "integer", true],
  ["null first in a union", { anyOf: [{ type: "null" }, ref("Network")] }, "string", true],
  ["null last in a union", { oneOf: [ref("Network"), { type: "null" }] }, "string", true],
  ["null among the values", { enum: ["a", null] }, "string", true],
  ["two types", { type: ["string", "number"] }, "string or number", false],
  ["a union of plain types", { oneOf: [{ type: "string" }, { type: "integer" }] }, "string or integer", false],
  [
    "an array of a union",
    { type: "array", items: { oneOf: [{ type: "string" }, { type: "integer" }] } },
    "array of string or integer",
    false,
  ],
  [
    "an array of null or a model",
    { type: "array", items: { anyOf: [ref("Money"), { type: "null" }] } },
    "array of Money or null",
    false,
  ],
  ["a model", ref("Money"), "Money", false],
  ["a format", { type: "string", format: "date-time" }, "string (date-time)", false],
  ["nothing at all", {}, "any value", false],
];
for (const [name, schema, type, isNullable] of TYPES)
  test(`${name} is ${type}${isNullable ? " or null" : ""}`, () => {
    const shape = shapeOf(document, schema);
    assert.deepEqual([shape.type, shape.isNullable], [type, isNullable]);
  });

test("a nullable model keeps its values and members", () => {
  assert.deepEqual(shapeOf(document, { anyOf: [{ type: "null" }, ref("Network")] }).values, ["mtn", "glo"]);
  const { members } = shapeOf(document, { anyOf: [ref("Money"), { type: "null" }] });
  assert.deepEqual(
    members.map(({ name, isRequired }) => [name, isRequired]),
    [["amount", true]],
  );
});

test("what stands beside a reference goes before what it names", () => {
  const described = documentOf({ Id: { type: "string", description: "An id." } });
  assert.equal(shapeOf(described, { ...ref("Id"), description: "Of the shop." }).description, "Of the shop.");
});

test("the parts of an allOf are one object, the later word before the earlier", () => {
  const { members } = shapeOf(document, {
    allOf: [
      { type: "object", required: ["code"], properties: { code: NETWORK, title: { type: "string" } } },
      { type: "object", required: ["order_id"], properties: { code: { enum: ["x"] }, order_id: { type: "string" } } },
    ],
  });
  assert.deepEqual(
    members.map(({ name, isRequired, shape }) => [name, isRequired, shape.values]),
    [
      ["code", true, ["x"]],
      ["title", false, []],
      ["order_id", true, []],
    ],
  );
});

test("a union of objects has them as variants, by their models' names", () => {
  const schema = { oneOf: [ref("Money"), { type: "object", properties: { object: { enum: ["sms"] } } }] } as const;
  const html = shapeHtml(shapeOf(document, schema)).text;
  assert.match(html, /<summary>Money<\/summary>.*<summary>sms<\/summary>/s);
});

test("a model within itself is named and not opened again", () => {
  const tree = documentOf({
    Tree: { type: "object", properties: { leaf: { type: "string" }, twigs: { type: "array", items: ref("Tree") } } },
    A: { type: "object", properties: { b: ref("B") } },
    B: { type: "object", properties: { a: { anyOf: [ref("A"), { type: "null" }] } } },
  });
  const html = shapeHtml(shapeOf(tree, ref("Tree"))).text;
  assert.equal(html.split("<code>leaf</code>").length, 2);
  assert.match(html, /array of Tree.*Its members are as above/s);
  assert.match(shapeHtml(shapeOf(tree, ref("A"))).text, /Its members are as above/);
});

const LIMITS: readonly (readonly [Schema, readonly string[]])[] = [
  [{ type: "string", minLength: 1, maxLength: 5_000 }, ["1 to 5,000 characters"]],
  [{ type: "string", maxLength: 40 }, ["at most 40 characters"]],
  [{ type: "integer", minimum: 0, maximum: 20 }, ["0 to 20"]],
  [{ type: "integer", minimum: 1 }, ["at least 1"]],
  [{ type: "array", minItems: 2, maxItems: 2, items: {} }, ["exactly 2 items"]],
  [{ type: "array", items: { type: "string", pattern: "^a$" } }, ["each pattern ^a$"]],
  [
    { type: "object", maxProperties: 10, propertyNames: { minLength: 1, maxLength: 40 } },
    ["at most 10 names", "names of 1 to 40 characters"],
  ],
];
for (const [schema, limits] of LIMITS)
  test(`the limits of ${JSON.stringify(schema)} are ${limits.join("; ")}`, () => {
    assert.deepEqual(shapeOf(document, schema).limits, limits);
  });

test("hostile text of a document is shown as text, wherever it stands", () => {
  const hostile = '"><img src=x onerror=alert(1)><script>alert(1)</script>';
  const html = shapeHtml(
    shapeOf(documentOf(), {
      type: "object",
      properties: {
        [hostile]: {
          type: "string",
          description: `${hostile} [x](javascript:alert(1))`,
          enum: [hostile],
          default: hostile,
          examples: [hostile],
          pattern: hostile,
          format: hostile,
        },
      },
      additionalProperties: { type: "object", properties: { a: { const: { b: hostile } } } },
    }),
  ).text;
  assert.doesNotMatch(html, /<img|<script|href="javascript/);
  assert.ok(html.split("&lt;script&gt;").length >= 7);
});

test("the codes of a refusal are those of each problem in it", () => {
  const problem = (code: string): Schema => ({
    allOf: [{ $ref: "#/components/schemas/Problem" }, { type: "object", properties: { code: { enum: [code] } } }],
  });
  const problems = documentOf({
    Problem: { type: "object", properties: { code: { enum: ["a", "b", "c"] } } },
    A: problem("a"),
    B: problem("b"),
    Both: { oneOf: [ref("A"), ref("B")] },
  });
  assert.deepEqual(codesIn(problems, { oneOf: [ref("Both"), problem("c")] }), ["a", "b", "c"]);
});
