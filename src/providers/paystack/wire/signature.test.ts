import assert from "node:assert/strict";
import { test } from "node:test";
import { isSigned, signatureOf } from "./signature.ts";

// Computed apart from this code, with an invented key.
const KEY = "sk_test_example";
const BODY = Buffer.from('{"event":"charge.success","data":{"id":111,"reference":"fund_01JEXAMPLE","amount":500000}}');
const SIGNATURE =
  "273a487c1ed436a59ff9e97e190fc30afc69b94bd6956053568f9b3878dd49fcb7e9e18585eec524f0282ab40ba09e11f002aecc1842b257deeeec8cfbd90ab7";

test("a signature is what the vector says", () => {
  assert.equal(signatureOf(KEY, BODY), SIGNATURE);
  assert.ok(isSigned(KEY, BODY, SIGNATURE));
  assert.ok(isSigned(KEY, BODY, SIGNATURE.toUpperCase()));
});

const WRONG: readonly [name: string, key: string, body: Buffer, signature: string | undefined][] = [
  ["no signature", KEY, BODY, undefined],
  ["an empty one", KEY, BODY, ""],
  ["another key's", "sk_test_other", BODY, SIGNATURE],
  ["one of a body with one more space", KEY, Buffer.concat([BODY, Buffer.from(" ")]), SIGNATURE],
  ["one that is cut", KEY, BODY, SIGNATURE.slice(0, 126)],
  ["one with more behind it", KEY, BODY, `${SIGNATURE}00`],
  ["one that is no hex", KEY, BODY, `${SIGNATURE.slice(0, 127)}g`],
];
for (const [name, key, body, signature] of WRONG)
  test(`${name} is not a signature`, () => assert.equal(isSigned(key, body, signature), false));
