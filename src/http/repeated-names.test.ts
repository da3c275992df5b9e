import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { repeatedName } from "./repeated-names.ts";

const CASES: readonly [text: string, repeated: string | undefined][] = [
  ['{"a":1,"b":2}', undefined],
  ['{"a":1,"a":2}', "a"],
  ['{ "a" : 1 ,\n "a"\t: 2 }', "a"],
  ['{"a":1,"\\u0061":2}', "a"],
  ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', undefined],
  ['{"x":[{"a":1,"a":2}]}', "a"],
  ['{"a":"a","b":"a"}', undefined],
  ['{"a":"\\",\\"a\\":","b":1}', undefined],
  ['{"a":"\\\\","a":1}', "a"],
  ['{"":1,"":2}', ""],
  ['["a","a"]', undefined],
  ['"a"', undefined],
];
for (const [text, repeated] of CASES) {
  test(`in ${text} the repeated name is ${repeated}`, () => assert.equal(repeatedName(text), repeated));
}

test("no text made of a value has a repeated name, and any has one once a member is written twice", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), fc.jsonValue(), (value, name, member) => {
      assert.equal(repeatedName(JSON.stringify(value, null, 1)), undefined);
      const pair = `${JSON.stringify(name)}:${JSON.stringify(member)}`;
      assert.equal(repeatedName(`[${JSON.stringify(value)},{${pair},${pair}}]`), name);
    }),
  );
});
