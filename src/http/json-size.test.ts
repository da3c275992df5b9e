import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseJsonBody } from "./json-body.ts";
import { JSON_DEPTH_MAX, JSON_VALUES_MAX, sizeFault } from "./json-size.ts";
import { RefusedError } from "./problems.ts";

const codeOf = (text: string): string | undefined => sizeFault(text)?.errors?.[0]?.code;
const lists = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const zeros = (count: number): string => `[${Array(count).fill("0").join()}]`;

const CASES: readonly [what: string, text: string, code: string | undefined][] = [
  ["lists as deep as allowed", lists(JSON_DEPTH_MAX), undefined],
  ["lists one deeper", lists(JSON_DEPTH_MAX + 1), "too_deep"],
  ["objects one deeper", `${'{"a":'.repeat(JSON_DEPTH_MAX + 1)}0${"}".repeat(JSON_DEPTH_MAX + 1)}`, "too_deep"],
  ["as many lists side by side as allowed", `[${Array(1_000).fill(lists(2)).join()}]`, undefined],
  ["as many values as allowed", zeros(JSON_VALUES_MAX - 1), undefined],
  ["one value more", zeros(JSON_VALUES_MAX + 1), "too_many"],
  ["brackets and commas in a text", JSON.stringify({ a: "[{,".repeat(JSON_VALUES_MAX) }), undefined],
  ["brackets behind an escaped quote", JSON.stringify({ a: `"${"[".repeat(100)}` }), undefined],
  ["brackets behind a text that ends in a backslash", `["\\\\",${lists(JSON_DEPTH_MAX)}]`, "too_deep"],
  ["a text without an end", `["${"[".repeat(100)}`, undefined],
];
for (const [what, text, code] of CASES) {
  test(`${what}: ${code ?? "taken"}`, () => assert.equal(codeOf(text), code));
}

test("what is not deep and not large is taken, whatever its texts hold", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => assert.equal(sizeFault(JSON.stringify(value)), undefined)),
  );
});

const MEBIBYTES_4 = 4 * 1024 * 1024;
/** A body of 4 MiB that repeats something, with an escape that has to be looked into. */
const filled = (piece: string, last: string, end = ""): Buffer => {
  const start = '{"message":"\\u0041","z":[';
  const times = Math.floor((MEBIBYTES_4 - 100) / (piece.length + end.length));
  return Buffer.from(`${start}${piece.repeat(times)}${last}${end.repeat(times)}]}`);
};
for (const [what, body] of [
  ["two million zeros", filled("0,", "0")],
  ["two million lists in each other", filled("[", "0", "]")],
  ["a million empty objects", filled("{},", "0")],
  ["a million short texts", filled('"0",', "0")],
  ["names without end", filled('{"a":1},', "0")],
] as const) {
  test(`a body of 4 MiB with ${what} is refused before it is read as JSON`, (context) => {
    const parse = context.mock.method(JSON, "parse");
    assert.throws(() => parseJsonBody(body), RefusedError);
    assert.equal(parse.mock.callCount(), 0);
  });
}
