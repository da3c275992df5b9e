import assert from "node:assert/strict";
import { test } from "node:test";
import { saysUsed, showsNumber } from "./vendor-evidence.ts";

const USED = [
  "REQUEST ID ALREADY EXIST",
  "REQUEST ID ALREADY EXISTS",
  "Request-Id already used",
  "The request id has already been taken.",
  "CUSTOM_IDENTIFIER_ALREADY_USED",
  "Custom identifier already used",
  "The custom identifier provided was already used for another transaction",
  "orderId already received",
  "This order has already been processed",
  "Duplicate request id",
  "DUPLICATE_REFERENCE",
  "duplicate transaction reference",
  "Reference already in use",
];
const OTHER = [
  "REQUEST ID DOES NOT EXIST",
  "INVALID REQUEST ID",
  "LIKELY DUPLICATE TRANSACTION",
  "duplicate transaction within 30 seconds",
  "Transaction has not already been processed",
  "TRANSACTION PROCESSING - PENDING",
  "BILLER NOT REACHABLE AT THIS POINT",
  "TRANSACTION FAILED",
  "Phone number was already recharged",
  "",
];

for (const words of USED) test(`“${words}” says that the reference was used`, () => assert.ok(saysUsed(words)));
for (const words of OTHER) test(`“${words}” says no such thing`, () => assert.ok(!saysUsed(words)));

test("a torn answer shows a number only beside our reference", () => {
  const torn =
    '{"code":"000","content":{"transactions":{"transactionId":"17415980200000000000000001","requestId":"ours-1"';
  assert.ok(showsNumber(torn, "ours-1", "transactionId"));
  assert.ok(!showsNumber(torn, "ours-2", "transactionId"));
  assert.ok(!showsNumber('{"transactionId":null,"requestId":"ours-1"', "ours-1", "transactionId"));
  assert.ok(!showsNumber('{"transactionId":"","requestId":"ours-1"', "ours-1", "transactionId"));
});
