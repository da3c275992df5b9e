import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseJsonBody } from "./json-body.ts";
import { RefusedError } from "./problems.ts";

function detailOf(text: string | Buffer): string | undefined {
  try {
    parseJsonBody(Buffer.from(text));
    return undefined;
  } catch (error) {
    assert.ok(error instanceof RefusedError);
    assert.equal(error.refusal.code, "invalid_json");
    return error.refusal.detail;
  }
}

const FAULTS: readonly (readonly [text: string, position: string, advice: RegExp])[] = [
  ['{"a":None}', "position 5 (line 1 column 6)", /`None`.*`null`/],
  ['{"a":\n  True}', "position 8 (line 2 column 3)", /`true`/],
  ['{"a":NaN}', "position 5 (line 1 column 6)", /no such number/],
  ['{"a":-Infinity}', "position 6 (line 1 column 7)", /no such number/],
  ['{"a":undefined}', "position 5 (line 1 column 6)", /leave the field out/],
  ['{"a":.5}', "position 5 (line 1 column 6)", /0\.5/],
  ['{"a":+5}', "position 5 (line 1 column 6)", /plus sign/],
  ['{"a":5.}', "position 7 (line 1 column 8)", /digit is missing/],
  ['{"a":0803}', "position 6 (line 1 column 7)", /leading zero/],
  ["to=%2B2348031234567&message=Hi", "position 0 (line 1 column 1)", /form.*JSON object/],
  ["to%5B%5D=080&message=x", "position 0 (line 1 column 1)", /form.*JSON object/],
  ["to[]=1&to[]=2", "position 0 (line 1 column 1)", /form.*JSON object/],
  ['{"a":}', "position 5 (line 1 column 6)", /value after the colon is missing/],
  ["{'a':1}", "position 1 (line 1 column 2)", /double quotes/],
  ['{"a":“b”}', "position 5 (line 1 column 6)", /double quotes/],
  ["{a:1}", "position 1 (line 1 column 2)", /field names stand in double quotes/],
  ['{"a":1,}', "position 7 (line 1 column 8)", /comma before the bracket/],
  ["[1,]", "position 3 (line 1 column 4)", /comma before the bracket/],
  ['{"a":1 "b":2}', "position 7 (line 1 column 8)", /comma is missing/],
  ['{"a" 1}', "position 5 (line 1 column 6)", /colon is missing/],
  ['{"a":1}{"b":2}', "position 7 (line 1 column 8)", /take out what follows/],
  ['{"a":1} // c', "position 8 (line 1 column 9)", /no comments/],
  ['{"a":', "position 5 (line 1 column 6)", /ends before/],
  ['{"a":1', "position 6 (line 1 column 7)", /ends before/],
  ['{"a":"b', "position 7 (line 1 column 8)", /quote that ends/],
  ['{"a":"b\nc"}', "position 7 (line 1 column 8)", /line break/],
  ["<xml/>", "position 0 (line 1 column 1)", /not JSON/],
];
for (const [text, position, advice] of FAULTS) {
  test(`${JSON.stringify(text)} is refused with its place and what to do`, () => {
    const detail = detailOf(text) ?? "it was read";
    assert.ok(detail.includes(position), detail);
    assert.match(detail, advice);
  });
}

test("a fault far inside a long body has its place", () => {
  const text = `{"to":[${'"08031234567",'.repeat(10_000)}None]}`;
  assert.match(detailOf(text) ?? "", new RegExp(`position ${text.indexOf("None")} \\(line 1 column`));
});

test("whatever is no JSON is refused with a place", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom("'", ",", "}", "x", "\n", ".", "-", ""), (json, at, put) => {
      const place = at % (json.length + 1);
      const detail = detailOf(`${json.slice(0, place)}${put}${json.slice(place + 1)} {`);
      assert.match(detail ?? "it was read", /position \d+ \(line \d+ column \d+\)|is empty|its end/);
    }),
  );
});

test("a byte order mark in front of the JSON is no fault", () => {
  assert.deepEqual(parseJsonBody(Buffer.from('\ufeff{"a":"b"}')), { a: "b" });
});
