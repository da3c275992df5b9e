import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseExactJson } from "./exact-json.ts";

for (const text of [
  '{"code":"016","code":"000"}',
  '{"code":"000","code":"000"}',
  '{"a":{"status":"failed","x":1,"status":"delivered"}}',
  '[{"a":1},{"b":[{"c":1,"c":2}]}]',
  '{"code":1,"\\u0063ode":2}',
  '{"__proto__":1,"__proto__":2}',
  '{"":1,"":2}',
  '{"a":{"b":1,"c":2},"a":3}',
])
  test(`${text} says a thing twice, and is not read`, () => {
    assert.ok(JSON.parse(text));
    assert.equal(parseExactJson(text), undefined);
  });

test("colons in texts and names are no members", () => {
  assert.deepEqual(parseExactJson('{"a:":"b\\":\\\\","c":":","d":{},"e":[],"f":[{"g:":":"}]}'), {
    "a:": 'b":\\',
    c: ":",
    d: {},
    e: [],
    f: [{ "g:": ":" }],
  });
});

/** Without numbers, which become texts, and `-0`, which is one. */
const json = fc
  .jsonValue()
  .map((value) => JSON.parse(JSON.stringify(value), (_, one) => (typeof one === "number" ? `${one}` : one)));

test("all else that is JSON is read as JSON is", () => {
  fc.assert(fc.property(json, (value) => assert.deepEqual(parseExactJson(JSON.stringify(value)), value)));
});

test("an object that has any of its members a second time, anywhere in it, is not read", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json, { minKeys: 1 }), fc.nat(), json, (fields, at, other) => {
      const members = Object.entries(fields).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
      const name = Object.keys(fields)[at % members.length];
      members.splice(at % (members.length + 1), 0, `${JSON.stringify(name)}:${JSON.stringify(other)}`);
      assert.equal(parseExactJson(`{"data":[{${members.join(",")}}]}`), undefined);
    }),
  );
});
