import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalJson, canonicalPieces } from "../kernel/canonical-json.ts";
import { atOnce } from "../kernel/slices.ts";
import { fingerprintOf, fingerprintOfLong, idempotencyKeyOf } from "./idempotency.ts";

/** What the server sees of these header lines. */
function keyOf(...lines: string[]) {
  const raw = new IncomingMessage(new Socket());
  raw.rawHeaders = lines.flatMap((value) => ["Idempotency-Key", value]);
  const headers = lines.length > 0 ? { "idempotency-key": lines.join(", ") } : {};
  return idempotencyKeyOf({ headers, raw });
}

const GOOD: readonly [name: string, line: string, key: string][] = [
  ["a bare key", "8e03978e-40d5", "8e03978e-40d5"],
  ["a quoted key", '"8e03978e-40d5"', "8e03978e-40d5"],
  ["a quoted key with escapes", String.raw`"a\"b\\c"`, 'a"b\\c'],
  ["a key of one character", "x", "x"],
  ["a key of 255 characters", "x".repeat(255), "x".repeat(255)],
  ["a key with a comma", "a, b", "a, b"],
];
for (const [name, line, key] of GOOD) {
  test(`${name} is taken`, () => assert.deepEqual(keyOf(line), { ok: true, value: key }));
}

const BAD: readonly [name: string, lines: string[]][] = [
  ["an empty key", [""]],
  ["an empty quoted key", ['""']],
  ["a key of 256 characters", ["x".repeat(256)]],
  ["an unclosed quote", ['"abc']],
  ["text after the quotes", ['"abc"d']],
  ["a character outside ASCII", ["clé"]],
  ["a tab", ["a\tb"]],
  ["two keys", ["a", "b"]],
];
for (const [name, lines] of BAD) {
  test(`${name} is refused`, () => {
    const result = keyOf(...lines);
    assert.ok(!result.ok);
    assert.equal(result.error.code, "invalid_idempotency_key");
  });
}

test("no header is no key", () => assert.deepEqual(keyOf(), { ok: true, value: undefined }));

test("the order of fields does not change a fingerprint, anything else does", () => {
  const base = fingerprintOf("POST", "/sms/send", { to: "1", message: "x", metadata: { a: "1", b: "2" } });
  assert.equal(base.length, 32);
  assert.deepEqual(fingerprintOf("POST", "/sms/send", { metadata: { b: "2", a: "1" }, message: "x", to: "1" }), base);
  for (const [method, path, body] of [
    ["PUT", "/sms/send", { to: "1", message: "x", metadata: { a: "1", b: "2" } }],
    ["POST", "/sms/bulk", { to: "1", message: "x", metadata: { a: "1", b: "2" } }],
    ["POST", "/sms/send", { to: "1", message: "x", metadata: { a: "2", b: "1" } }],
    ["POST", "/sms/send", { to: "1", message: "x" }],
  ] as const) {
    assert.notDeepEqual(fingerprintOf(method, path, body), base);
  }
});

test("canonical JSON is the same value, and the same text for every order of fields", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
      assert.equal(canonicalJson(reversed(value)), text);
    }),
  );
});

test("a long body has the fingerprint that it has in one piece", () => {
  const list = fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 250 });
  const body = fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.oneof(list, fc.jsonValue())));
  fc.assert(
    fc.property(body, (value) => {
      assert.equal([...canonicalPieces(value)].join(""), canonicalJson(value));
      const long = atOnce(fingerprintOfLong("POST", "/sms/bulk", value));
      assert.deepEqual(long, fingerprintOf("POST", "/sms/bulk", value));
    }),
  );
});

/** The same value with the fields of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
