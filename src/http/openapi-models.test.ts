import assert from "node:assert/strict";
import { test } from "node:test";
import { Models } from "./openapi-models.ts";

const MONEY = {
  title: "Money",
  type: "object",
  required: ["amount"],
  properties: { amount: { type: "string" } },
};
const REF = { $ref: "#/components/schemas/Money" };

test("a schema with a title stands once, and a reference wherever it is used", () => {
  const models = new Models();
  const list = models.take({ type: "array", items: { type: "object", properties: { price: MONEY, tax: MONEY } } });
  assert.deepEqual(list, { type: "array", items: { type: "object", properties: { price: REF, tax: REF } } });
  const { title: _, ...money } = MONEY;
  assert.deepEqual(models.all(), { Money: money });
});

test("a model in a model, a union, a record and a list is found", () => {
  const models = new Models();
  const order = { title: "Order", anyOf: [MONEY, { type: "null" }], additionalProperties: MONEY, allOf: [MONEY] };
  assert.deepEqual(models.take(order), { $ref: "#/components/schemas/Order" });
  const { Order } = models.all();
  assert.deepEqual(Order, { anyOf: [REF, { type: "null" }], additionalProperties: REF, allOf: [REF] });
});

test("a description that all uses share is the model's; where they differ each use has its own", () => {
  const shared = new Models();
  const use = { ...MONEY, description: "In naira." };
  const [one, two] = [shared.take(use), shared.take(use)];
  assert.equal(shared.all().Money?.description, "In naira.");
  assert.deepEqual([one, two], [REF, REF]);

  const own = new Models();
  const uses = [own.take({ ...MONEY, description: "Held." }), own.take(MONEY)];
  assert.equal(own.all().Money?.description, undefined);
  assert.deepEqual(uses, [{ ...REF, description: "Held." }, REF]);
});

test("examples make no other model: they stay where all uses agree on them", () => {
  const models = new Models();
  const time = { title: "Timestamp", type: "string", format: "date-time" };
  for (const use of [time, { ...time, examples: ["2026-11-27T09:00:00.000Z"] }]) models.take(use);
  assert.deepEqual(models.all().Timestamp?.examples, ["2026-11-27T09:00:00.000Z"]);
  models.take({ ...time, examples: ["2026-11-28T09:00:00.000Z"] });
  assert.equal(models.all().Timestamp?.examples, undefined);
});

test("two different schemas with one title are an error that names it, as is a title that no type can have", () => {
  const models = new Models();
  models.take(MONEY);
  assert.throws(() => models.take({ ...MONEY, required: [] }), /two schemas are called Money/);
  assert.throws(() => models.take({ title: "Airtime and data", type: "object" }), /can't be the name of a model/);
});

test("a model that has all of another and more refers to it", () => {
  const models = new Models();
  const properties = { ...MONEY.properties, tax: { type: "string" }, note: { type: "string" } };
  models.take({ title: "Price", type: "object", required: ["amount", "tax"], properties, "x-extends": MONEY });
  assert.deepEqual(models.all().Price, {
    allOf: [
      REF,
      { type: "object", required: ["tax"], properties: { tax: { type: "string" }, note: { type: "string" } } },
    ],
  });
});

test("constants and choices between single words become one enum, which every generator reads", () => {
  const models = new Models();
  const word = (only: string) => ({ type: "string", const: only });
  assert.deepEqual(models.take(word("live")), { type: "string", enum: ["live"] });
  assert.deepEqual(models.take({ anyOf: [word("live"), { type: "string", enum: ["test"] }], description: "Which." }), {
    type: "string",
    enum: ["live", "test"],
    description: "Which.",
  });
  const nullable = { anyOf: [word("live"), { type: "null" }] };
  assert.deepEqual(models.take(nullable), { anyOf: [{ type: "string", enum: ["live"] }, { type: "null" }] });
});

test("a property that is called title is no name", () => {
  const models = new Models();
  const schema = { type: "object", properties: { title: { type: "string" } } };
  assert.deepEqual(models.take(schema), schema);
  assert.deepEqual(models.all(), {});
});
