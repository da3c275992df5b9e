import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { newUuid } from "../../kernel/ids.ts";
import { inAWord, PURCHASES } from "../../testing/purchase-task.ts";
import { readAnswer } from "./answer.ts";
import { ERRORS, type Meaning, STATUSES } from "./errors.ts";
import { acceptanceOf, reportedStateOf, stateOf } from "./outcomes.ts";
import { isReference, makeReference } from "./reference.ts";

const REFERENCE = makeReference({ orderId: newUuid(), attempt: 1 });
const SOLD = PURCHASES.airtime;
const ATTEMPT = { reference: REFERENCE, recipient: "2348031234567", sold: SOLD };
const WAITS = { firstStatusMs: 1, rechargeWaitMs: 2, busyWaitMs: 3 };

const transaction = (status: string, more: object = {}) => ({
  transactionId: 4_600_001,
  status,
  customIdentifier: REFERENCE,
  balanceInfo: { cost: 485, currencyCode: "NGN" },
  ...more,
});
const status = (body: unknown, http = 200) =>
  stateOf(readAnswer(http, typeof body === "string" ? body : JSON.stringify(body)), ATTEMPT);
const report = (body: unknown, http = 200) => reportedStateOf(readAnswer(http, JSON.stringify(body)), ATTEMPT);

const IN_A_WORD = {
  delivered: "done",
  pending: "accepted",
  failed: "rejected route vendor_failed",
  reversed: "reversed",
} as const;
for (const [word, meaning] of Object.entries(STATUSES))
  test(`${word} is ${meaning}, in a status, in a bare transaction and in a report`, () => {
    for (const outcome of [
      status({ code: null, message: null, status: word, transaction: transaction(word) }),
      status(transaction(word)),
      report({ content: [transaction(word)] }),
    ])
      assert.equal(inAWord(outcome), IN_A_WORD[meaning]);
  });

test("a status that is not listed decides nothing", () => {
  for (const word of ["successful", "SUCCESS", "PENDING", "", "constructor"])
    for (const outcome of [status(transaction(word)), report({ content: [transaction(word)] })])
      assert.equal(outcome.kind, "unknown");
});

test("an empty report is a vendor that does not know our reference", () =>
  assert.equal(report({ content: [], totalElements: 0 }).kind, "not_found"));

test("a report of other transactions proves nothing: the question was not understood", () => {
  const other = transaction("SUCCESSFUL", { customIdentifier: "somebody-else" });
  assert.equal(report({ content: [other] }).kind, "unknown");
  assert.equal(report({ content: [other, transaction("FAILED")] }).kind, "rejected");
});

test("of two transactions with our reference the one that was delivered decides", () => {
  assert.equal(report({ content: [transaction("FAILED"), transaction("SUCCESSFUL")] }).kind, "done");
  assert.equal(report({ content: [transaction("REFUNDED"), transaction("PROCESSING")] }).kind, "accepted");
});

test("a transaction that is another's decides nothing", () =>
  assert.equal(status(transaction("SUCCESSFUL", { customIdentifier: "another" })).kind, "unknown"));

for (const [what, body] of [
  ["another phone's", { ...transaction("SUCCESSFUL"), recipientPhone: "2348099999999" }],
  ["of another amount", { ...transaction("SUCCESSFUL"), requestedAmount: 5, requestedAmountCurrencyCode: "NGN" }],
  ["failed and another phone's", { ...transaction("FAILED"), recipientPhone: 2348099999999 }],
  ["said to be two things", { status: "SUCCESSFUL", transaction: transaction("FAILED") }],
  ["written twice", JSON.stringify(transaction("FAILED")).replace("{", '{"status":"SUCCESSFUL",')],
] as const)
  test(`a transaction that is ${what} decides nothing`, () => assert.equal(status(body).kind, "unknown"));

test("a transaction that names our phone and amount is ours, and so is one in another currency", () => {
  const named = { recipientPhone: "+2348031234567", requestedAmount: "500.0", requestedAmountCurrencyCode: "NGN" };
  assert.equal(status(transaction("SUCCESSFUL", named)).kind, "done");
  const abroad = { requestedAmount: 0.31, requestedAmountCurrencyCode: "USD" };
  assert.equal(status(transaction("SUCCESSFUL", abroad)).kind, "done");
});

const came = (deliveredAmount: number, more: object = {}) =>
  status(transaction("SUCCESSFUL", { deliveredAmount, deliveredAmountCurrencyCode: "NGN", ...more }));
const SHORT: readonly (readonly [
  name: string,
  outcome: ReturnType<typeof came>,
  delivered: string,
  isDoubt: boolean,
])[] = [
  ["without a reason", came(455), "455.00", true],
  ["a kobo less, without a reason", came(499.99), "499.99", true],
  ["by the fee", came(455, { fee: 45 }), "455.00", false],
  [
    "by more than the fee",
    came(455, { fee: 30, requestedAmountCurrencyCode: "NGN", requestedAmount: 500 }),
    "455.00",
    true,
  ],
  ["by the rate", came(498.4, { requestedAmount: 0.33, requestedAmountCurrencyCode: "USD" }), "498.40", false],
  ["by more than the rate", came(455, { requestedAmount: 3.3, requestedAmountCurrencyCode: "USD" }), "455.00", true],
  [
    "by a fee in dollars",
    came(455, { requestedAmount: 3.3, requestedAmountCurrencyCode: "USD", fee: 0.33 }),
    "455.00",
    false,
  ],
];
for (const [name, outcome, delivered, isDoubt] of SHORT)
  test(`of a top-up that came short ${name} is told what came${isDoubt ? ", and a person is to look at it" : ""}`, () => {
    assert.ok(outcome.kind === "done");
    assert.equal(outcome.facts?.delivered_amount, delivered);
    assert.equal(outcome.doubt !== undefined, isDoubt);
    if (isDoubt) assert.match(outcome.doubt?.why ?? "", /^₦4\d\d\.\d\d of ₦500\.00 was delivered/);
  });

test("a top-up that came whole, or more, is told as it was bought", () => {
  for (const outcome of [came(500), came(550), status(transaction("SUCCESSFUL"))])
    assert.deepEqual(outcome.kind === "done" && [outcome.facts?.delivered_amount, outcome.doubt], [
      undefined,
      undefined,
    ]);
});

test("a success of much less decides nothing, and a person is to look at it at once", () => {
  const outcome = came(5);
  assert.ok(outcome.kind === "unknown");
  assert.equal(outcome.doubt?.why, "it is said to be delivered, and of another amount");
});

test("a bundle's amount is that of its code", () => {
  const sold = { ...PURCHASES.data, plan: { ...PURCHASES.data.plan, code: "345:500.00" } };
  const told = (requestedAmount: number) =>
    JSON.stringify(transaction("SUCCESSFUL", { requestedAmount, requestedAmountCurrencyCode: "NGN" }));
  assert.equal(stateOf(readAnswer(200, told(500)), { ...ATTEMPT, sold }).kind, "done");
  assert.equal(stateOf(readAnswer(200, told(499)), { ...ATTEMPT, sold }).kind, "unknown");
});

test("a refusal that has a transaction is no refusal", () => {
  const answer = readAnswer(400, JSON.stringify({ errorCode: "INVALID_AMOUNT", transactionId: 1 }));
  assert.equal(acceptanceOf(answer, SOLD, WAITS, ATTEMPT.reference).kind, "unknown");
});

test("a number of the vendor's that it does not know is no proof of anything", () =>
  assert.equal(status({ errorCode: "TRANSACTION_NOT_FOUND", message: "Transaction not found" }, 404).kind, "unknown"));

test("a cost in another currency is not taken for naira", () => {
  const outcome = status(transaction("SUCCESSFUL", { balanceInfo: { cost: 0.31, currencyCode: "USD" } }));
  assert.deepEqual(outcome.kind === "done" && outcome.facts, { network: "mtn" });
});

test("whatever a proxy or a torn answer says, nothing is decided by it", () => {
  for (const http of [200, 201, 301, 400, 401, 403, 404, 429, 500, 502, 503, 504])
    for (const text of ["", "<html></html>", "null", "[]", "{", '"SUCCESSFUL"', '{"message":"x"}']) {
      const answer = readAnswer(http, text);
      assert.equal(acceptanceOf(answer, SOLD, WAITS, ATTEMPT.reference).kind, "unknown", `${http} ${text}`);
      assert.equal(stateOf(answer, ATTEMPT).kind, "unknown", `${http} ${text}`);
      assert.equal(reportedStateOf(answer, ATTEMPT).kind, "unknown", `${http} ${text}`);
    }
});

test("no JSON makes a reader throw, and none without a listed word decides", () => {
  fc.assert(
    fc.property(fc.nat(599), fc.jsonValue(), (http, body) => {
      const answer = readAnswer(http, JSON.stringify(body));
      assert.equal(acceptanceOf(answer, SOLD, WAITS, ATTEMPT.reference).kind, "unknown");
      assert.equal(stateOf(answer, ATTEMPT).kind, "unknown");
      reportedStateOf(answer, ATTEMPT);
    }),
  );
});

test("a transaction number with other than digits names nothing", () => {
  for (const transactionId of ["12/../3", "1e3", "", null, { a: 1 }])
    assert.equal(
      acceptanceOf(readAnswer(200, JSON.stringify({ transactionId })), SOLD, WAITS, ATTEMPT.reference).kind,
      "unknown",
    );
  const taken = acceptanceOf(readAnswer(200, '{"transactionId":12345678901234567890}'), SOLD, WAITS, ATTEMPT.reference);
  assert.deepEqual(taken, { kind: "accepted", providerReference: "12345678901234567890", askAgainMs: 1 });
});

test("a reference names its order and attempt, and nothing else passes for one", () => {
  const orderId = newUuid();
  const made = [1, 2, 10].map((attempt) => makeReference({ orderId, attempt }));
  assert.equal(new Set(made).size, 3);
  assert.ok(made.every(isReference));
  for (const text of ["", "pur_x-1", "tx_01JEXAMPLE", `${made[0]}x`, made[0]!.replace("-1", ""), 7, null])
    assert.equal(isReference(text), false);
});

const page = readFileSync(new URL("../../../docs/providers/reloadly.md", import.meta.url), "utf8");
const rowsAfter = (heading: string): string[][] =>
  (page.split(heading)[1]?.split("\n\n")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.slice(2, -2).split(" | "));

function inWords(meaning: Meaning): string {
  switch (meaning.kind) {
    case "amount":
      return "rejected (route): `amount_out_of_bounds`; a bundle: rejected (order): `plan_not_found`";
    case "throttled":
      return `later, after \`${meaning.wait}WaitMs\``;
    case "rejected":
      return `rejected (${meaning.scope}): \`${meaning.code}\`${meaning.alarm ? ", operator alarm" : ""}`;
    case "unknown":
      return "unknown";
  }
}

test("docs/providers/reloadly.md lists every error with what it means, and no other", () =>
  assert.deepEqual(
    rowsAfter("| `errorCode` of a top-up |").map(([code, , then]) => [code, then]),
    Object.entries(ERRORS).map(([code, meaning]) => [`\`${code}\``, inWords(meaning)]),
  ));

test("docs/providers/reloadly.md lists every status, and no other", () =>
  assert.deepEqual(
    rowsAfter("| status of a transaction |").map(([status, then]) => [status, then?.split(/[:(]/)[0]?.trim()]),
    Object.entries({ SUCCESSFUL: "delivered", PROCESSING: "pending", FAILED: "rejected", REFUNDED: "reversed" }).map(
      ([status, then]) => [`\`${status}\``, then],
    ),
  ));
