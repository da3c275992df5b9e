import assert from "node:assert/strict";
import { test } from "node:test";
import { readAmount } from "./amount.ts";
import { parseJsonBody } from "./json-body.ts";

const read = (text: string): unknown => parseJsonBody(Buffer.from(text));

test("a fraction is never rounded to a whole amount of naira", () => {
  for (const text of ["499.99999999999999999", "500.00000000000000001", "1.00000000000000000001"]) {
    const { amount } = read(`{"amount": ${text}}`) as { amount: string };
    assert.equal(amount, text);
    const answer = readAmount(amount, "/amount");
    assert.equal(!answer.ok && answer.error.code, "amount_not_exact");
  }
});

test("numbers that are what they are written as stay numbers, beside a long fraction too", () => {
  const text =
    '{"a": 500, "b": 500.0000000000000, "c": 1.5, "d": 1e3, "e": "499.99999999999999999", "f": [0.1234567890123]}';
  assert.deepEqual(read(text), JSON.parse(text));
});
