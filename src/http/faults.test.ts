import assert from "node:assert/strict";
import { test } from "node:test";
import Type, { type TSchema } from "typebox";
import { RefusedError } from "./problems.ts";
import { closed } from "./schemas.ts";
import { makeValidatorCompiler } from "./validation.ts";

/** The faults of a body against a schema, as `pointer code: detail`. */
function faultsIn(schema: TSchema, body: unknown): string[] {
  const validate = makeValidatorCompiler()({ schema, method: "POST", url: "/", httpPart: "body" });
  const result: unknown = validate(body);
  if (result === true) return [];
  assert.ok(typeof result === "object" && result !== null && "error" in result && result.error instanceof RefusedError);
  return (result.error.refusal.errors ?? []).map(({ pointer, code, detail }) => `${pointer} ${code}: ${detail}`);
}

const Text = Type.String();
const forms = Type.Union([
  closed({ to: Type.Array(Text), message: Text }),
  closed({ messages: Type.Array(closed({ to: Text, message: Text })) }),
]);

const CASES: readonly [name: string, schema: TSchema, body: unknown, faults: readonly string[]][] = [
  ["a good body", closed({ a: Text }), { a: "x" }, []],
  ["a missing field", closed({ a: Text }), {}, ["/a required: `a` is required."]],
  [
    "an unknown field with nothing near",
    closed({ to: Text, message: Text }),
    { to: "", message: "", zzz: 1 },
    ["/zzz unknown_field: `zzz` is not a field here. Fields: `to`, `message`."],
  ],
  [
    "a field where none is expected",
    closed({}),
    { a: 1 },
    ["/a unknown_field: `a` is not a field here. None is expected."],
  ],
  [
    "a field whose name needs escapes in a pointer",
    closed({}),
    { "a/b~c": 1 },
    ["/a~1b~0c unknown_field: `a/b~c` is not a field here. None is expected."],
  ],
  [
    "bounds of numbers",
    closed({ a: Type.Integer({ minimum: 1 }), b: Type.Integer({ maximum: 9 }) }),
    { a: 0, b: 10 },
    ["/a too_small: `a` must be 1 or more.", "/b too_large: `b` must be 9 or less."],
  ],
  [
    "bounds of lists",
    closed({ a: Type.Array(Text, { minItems: 1 }), b: Type.Array(Text, { maxItems: 1 }) }),
    { a: [], b: ["", ""] },
    ["/a too_few: `a` must not be empty.", "/b too_many: `b` may have at most 1 items."],
  ],
  [
    "a pattern, told in its own words",
    closed({ a: Type.String({ pattern: "^\\d+$", description: "digits" }) }),
    { a: "x" },
    ["/a wrong_format: `a` does not have the documented form: digits."],
  ],
  [
    "a string in place of an object, whose fields are told",
    closed({
      notify: Type.Optional(
        closed({ channel: Type.Unsafe({ type: "string", enum: ["sms", "chat"] }) }, { examples: [{ channel: "sms" }] }),
      ),
    }),
    { notify: "sms" },
    [
      '/notify wrong_type: `notify` must be an object like {"channel":"sms"}; a string came. Its fields: `channel` ("sms" or "chat").',
    ],
  ],
  [
    "a list in place of an object without an example",
    closed({ variables: closed({ header: Type.Array(Text), body: Type.Array(Text) }) }),
    { variables: ["Ada"] },
    ["/variables wrong_type: `variables` must be an object; an array came. Its fields: `header`, `body`."],
  ],
  [
    "a string in place of an object of any names",
    closed({ metadata: Type.Record(Text, Text) }),
    { metadata: "x" },
    ["/metadata wrong_type: `metadata` must be an object; a string came."],
  ],
  ["neither of two forms", forms, 5, [" wrong_type: The body must be an object; a number came."]],
  [
    "part of a field's name, and another name with a word of it",
    closed({ smartcard_number: Type.Optional(Text), to: Type.Optional(Text) }),
    { iuc_number: "1", phone: "1", smartcard: "1" },
    [
      "/iuc_number unknown_field: `iuc_number` is not a field here. Did you mean `smartcard_number`?",
      "/phone unknown_field: `phone` is not a field here. Fields: `smartcard_number`, `to`.",
      "/smartcard unknown_field: `smartcard` is not a field here. Did you mean `smartcard_number`?",
    ],
  ],
  [
    "nearly the first of two forms",
    forms,
    { to: ["1"], mesage: "x" },
    [
      "/mesage unknown_field: `mesage` is not a field here. Did you mean `message`?",
      "/message required: `message` is required.",
    ],
  ],
  [
    "nearly the second of two forms",
    forms,
    { messages: [{ to: 1, message: "x" }] },
    ["/messages/0/to wrong_type: `to` must be a string; a number came."],
  ],
];
for (const [name, schema, body, faults] of CASES) {
  test(`${name}: ${faults.length} faults are told`, () => assert.deepEqual(faultsIn(schema, body), faults));
}

test("of a long list the first hundred items are searched for all faults, the rest for the first only", () => {
  const items: unknown[] = Array(5_000).fill("x");
  items[4_000] = items[4_500] = 1;
  const schema = closed({ to: Type.Array(Text) });
  assert.deepEqual(faultsIn(schema, { to: items }), [
    "/to/4000 wrong_type: `to[4000]` must be a string; a number came.",
  ]);
  items[7] = items[8] = 1;
  assert.equal(faultsIn(schema, { to: items }).length, 2);
});

test("what was sent is never repeated in the words of a fault", () => {
  const secret = "a secret value";
  const schema = closed({ a: Type.Integer(), b: Type.Literal("x"), c: Type.String({ pattern: "^$" }) });
  const told = faultsIn(schema, { a: secret, b: secret, c: secret }).join();
  assert.ok(told.length > 0 && !told.includes(secret));
});
