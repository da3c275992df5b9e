import assert from "node:assert/strict";
import { test } from "node:test";
import { ELECTRICITY_TOKENS } from "./token-form.ts";

test("people read tokens in groups of four, and keys that may not vend the last group alone", () => {
  assert.equal(ELECTRICITY_TOKENS.written("12345678901234567890"), "1234 5678 9012 3456 7890");
  assert.equal(ELECTRICITY_TOKENS.masked("12345678901234567890"), "**** **** **** **** 7890");
});
