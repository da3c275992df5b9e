import assert from "node:assert/strict";
import { test } from "node:test";
import { echoesIn, readEvidence, saysTaken, saysUsed, saysUsedIn } from "./evidence.ts";

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
  "REQUEST ID has been used",
  "The reference was used in another transaction",
  "Duplicate order",
  "Duplicate request",
  "Transaction with this orderId exists",
  "A transaction exists with the same reference",
  "Request id is a duplicate",
  "customIdentifier must be unique",
  "Order received before",
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
  "No transaction with this orderId exists",
  "Transaction with this orderId does not exist",
  "REQUEST ID has not been used",
  "possible duplicate transaction",
  "Possible duplicate order",
  "Your order has been cancelled",
  "",
];

for (const words of USED) test(`“${words}” says that the reference was used`, () => assert.ok(saysUsed(words)));
for (const words of OTHER) test(`“${words}” says no such thing`, () => assert.ok(!saysUsed(words)));

const NAME = /^(?:request_?id|order_?id)$/i;

for (const [body, isUsed] of [
  [{ errors: { request_id: ["already exists"] } }, true],
  [{ details: [{ field: "data.orderId", message: "already used" }] }, true],
  [{ details: [{ field: "phone", message: "already used" }] }, false],
  [{ errors: { phone: ["already exists"] } }, false],
  [{ message: "Request ID 202611270900abcd already exists" }, false],
  [{ message: "Request ID ours-1-202611270900 already exists" }, true],
  [{ orderId: "ours-1", message: "accepted" }, false],
] as const)
  test(`${JSON.stringify(body)} ${isUsed ? "says" : "does not say"} that ours was used`, () => {
    assert.equal(saysUsedIn(body, NAME, "ours-1-202611270900"), isUsed);
  });

test("a sentence under the reference's name is no echo of another's", () => {
  const body = { orderId: "theirs", errors: { order_id: ["taken", "The order id is taken."] } };
  assert.deepEqual(echoesIn(body, NAME), ["theirs"]);
});

test("words of success count unless they deny it, or speak of a question", () => {
  for (const words of ["Vend Successful", "TRANSACTION_PENDING", "in progress"])
    assert.ok(saysTaken(words, true), words);
  for (const words of ["unsuccessful", "Not successful", "Transaction failed while processing", "Please requery"])
    assert.ok(!saysTaken(words, false), words);
  assert.deepEqual([saysTaken("Success", false), saysTaken("Success", true)], [true, false]);
});

test("of a torn answer what stands whole in it is read, of a page nothing", () => {
  assert.deepEqual(readEvidence('{"code":"099","content":{"id":55,"requestId":"ours'), {
    torn: [{ code: "099" }, { id: "55" }],
  });
  assert.deepEqual(readEvidence("already received"), { message: "already received" });
  for (const text of ["", " ", '<html>{"code":"099"}</html>']) assert.equal(readEvidence(text), undefined);
});
