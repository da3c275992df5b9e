import assert from "node:assert/strict";
import { test } from "node:test";
import { isSigned, SIGNED_FORMS, type SignedForm, signatureOf } from "./signature.ts";

// Computed apart from this code, with an invented secret.
const SECRET = "reloadly_webhook_secret_example";
const TIMESTAMP = "1790000000000";
const BODY = Buffer.from(
  '{"type":"airtime_transaction.status","data":{"transactionId":1234567,"customIdentifier":"tx_01JEXAMPLE","status":"SUCCESSFUL"}}',
);
const VECTORS: readonly (readonly [form: SignedForm, signature: string])[] = [
  ["body:timestamp", "63df1a746f0c16bd1099998c2435230f5b0d212cc6211e0a99a3ee7499aa0cf4"],
  ["body.timestamp", "1237b5e724513144c66a3a93026dcfc0558060dab33b2e7294e9ff50b84b9f99"],
];

for (const [form, signature] of VECTORS)
  test(`a signature over ${form} is what the vector says`, () => {
    assert.equal(signatureOf(SECRET, BODY, TIMESTAMP, form), signature);
    assert.ok(isSigned(SECRET, BODY, TIMESTAMP, signature, form));
    assert.ok(isSigned(SECRET, BODY, TIMESTAMP, signature.toUpperCase(), form));
  });

test("each form has a signature of its own, and none passes for another", () => {
  const signatures = SIGNED_FORMS.map((form) => signatureOf(SECRET, BODY, TIMESTAMP, form));
  assert.equal(new Set(signatures).size, SIGNED_FORMS.length);
  for (const form of SIGNED_FORMS)
    assert.deepEqual(
      signatures.map((signature) => isSigned(SECRET, BODY, TIMESTAMP, signature, form)),
      SIGNED_FORMS.map((other) => other === form),
    );
});

const RIGHT = VECTORS[0]![1];
const WRONG: readonly [name: string, body: Buffer, timestamp: string, signature: string][] = [
  ["none", BODY, TIMESTAMP, ""],
  ["one of a body with one more space", Buffer.concat([BODY, Buffer.from(" ")]), TIMESTAMP, RIGHT],
  ["one of another time", BODY, "1790000000001", RIGHT],
  ["one that is cut", BODY, TIMESTAMP, RIGHT.slice(0, 62)],
  ["one with more behind it", BODY, TIMESTAMP, `${RIGHT}00`],
  ["one that is no hex", BODY, TIMESTAMP, `${RIGHT.slice(0, 63)}g`],
];
for (const [name, body, timestamp, signature] of WRONG)
  test(`${name} is not a signature`, () =>
    assert.equal(isSigned(SECRET, body, timestamp, signature, "body:timestamp"), false));
