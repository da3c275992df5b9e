import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../../ports/provider.ts";
import { inAWord, PURCHASES } from "../../testing/purchase-task.ts";
import { readAnswer } from "./answer.ts";
import { acceptanceOf, reportedStateOf, stateOf } from "./outcomes.ts";

const REFERENCE = "pur_01m8gendkae6s8hy04rz7jtnfq-1";
const SOLD = PURCHASES.airtime;
const ATTEMPT = { reference: REFERENCE, recipient: "2348011111111", sold: SOLD };
const WAITS = { firstStatusMs: 1, rechargeWaitMs: 2, busyWaitMs: 3 };
const FAILED = "rejected route vendor_failed";
const ALARM = "rejected route no_route alarm";

type Body = Readonly<Record<string, unknown>>;
type Row = readonly [what: string, body: Body, outcome: string, status?: number];

/** The vendor's sample of a transaction, whole. */
const transaction = (status: string, more: Body = {}): Body => ({
  transactionId: 1_234_567,
  status,
  operatorTransactionId: "op-991",
  customIdentifier: REFERENCE,
  recipientPhone: "2348011111111",
  recipientEmail: null,
  senderPhone: "2348000000000",
  countryCode: "NG",
  operatorId: 341,
  operatorName: "MTN Nigeria",
  discount: 15,
  discountCurrencyCode: "NGN",
  requestedAmount: 500,
  requestedAmountCurrencyCode: "NGN",
  deliveredAmount: 500,
  deliveredAmountCurrencyCode: "NGN",
  transactionDate: "2026-10-03 09:07:21",
  fee: 0,
  pinDetail: null,
  balanceInfo: { oldBalance: 90_000.12345, newBalance: 89_515.12345, cost: 485, currencyCode: "NGN" },
  ...more,
});
const told = (status: string, more: Body = {}, top: Body = {}): Body => ({
  code: null,
  message: null,
  status,
  transaction: transaction(status, more),
  ...top,
});

const judged = (call: string, judge: (status: number, text: string) => Outcome, rows: readonly Row[]) => {
  for (const [what, body, outcome, status = 200] of rows)
    test(`${call}, HTTP ${status}, ${what}: ${outcome}`, () => {
      assert.equal(inAWord(judge(status, JSON.stringify(body))), outcome);
    });
};

const broke = (more: Body = {}): Body => ({
  errorCode: "INSUFFICIENT_BALANCE",
  message: "x",
  path: "/topups-async",
  ...more,
});
judged("a top-up", (status, text) => acceptanceOf(readAnswer(status, text), SOLD, WAITS, ATTEMPT.reference), [
  ["refused", broke(), ALARM, 400],
  ["refused under HTTP 200", broke(), ALARM],
  ["refused, and FAILED", broke({ status: "FAILED" }), ALARM, 400],
  ["refused, with the HTTP status", broke({ status: 400, success: false }), ALARM, 400],
  ["refused, of nothing delivered", broke({ deliveredAmount: 0 }), ALARM, 400],
  ["refused under HTTP 500", broke(), "unknown", 500],
  [
    "an operator that is away",
    broke({ errorCode: "OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE" }),
    "rejected route no_route",
    503,
  ],
  [
    "an operator that is away, of a transaction",
    broke({ errorCode: "OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE", transactionId: 4 }),
    "unknown",
    503,
  ],
  ["too many calls, without a code", { message: "slow down" }, "unknown", 429],
  ["too many calls, with an error of another kind", broke({ errorCode: "TOPUP_TRANSACTION_FAILED" }), "unknown", 429],
  ["too many calls, of a transaction", { message: "slow down", transactionId: 4 }, "unknown", 429],
  ["refused and SUCCESSFUL under HTTP 500", broke({ status: "SUCCESSFUL" }), "unknown", 500],
  ...["SUCCESSFUL", "successful", "PROCESSING", "REFUNDED", "DELIVERED", 200].map(
    (status): Row => [`refused, and ${status}`, broke({ status }), "unknown", 400],
  ),
  ["refused, a status deep in it", broke({ details: [{ status: "PROCESSING" }] }), "unknown", 400],
  ["refused, with a success", broke({ success: true }), "unknown", 400],
  ["refused, with a number deep in it", broke({ transaction: { transactionId: 1 } }), "unknown", 400],
  ["refused, with the operator's number", broke({ operatorTransactionId: "op-991" }), "unknown", 400],
  ["refused, of something delivered", broke({ deliveredAmount: 500 }), "unknown", 400],
  ["refused, with a PIN", broke({ pinDetail: { code: "1" } }), "unknown", 400],
  ["busy, and SUCCESSFUL", { errorCode: "PHONE_RECENTLY_RECHARGED", status: "SUCCESSFUL" }, "unknown", 400],
]);

judged("a status", (status, text) => stateOf(readAnswer(status, text), { ...ATTEMPT, providerReference: "1234567" }), [
  ["SUCCESSFUL", told("SUCCESSFUL"), "done"],
  ["FAILED", told("FAILED"), FAILED],
  ["REFUNDED", told("REFUNDED", {}, { code: "TRANSACTION_FAILED_ON_OPERATOR" }), "reversed"],
  ["FAILED, of another transaction", told("FAILED", { transactionId: 999 }), "unknown"],
  ["FAILED, of another around it", told("FAILED", {}, { transactionId: 999 }), "unknown"],
  ["SUCCESSFUL, of another transaction", told("SUCCESSFUL", { transactionId: 999 }), "unknown"],
  ["SUCCESSFUL, with 5 delivered", told("SUCCESSFUL", { deliveredAmount: 5 }), "unknown"],
  ["SUCCESSFUL, with nothing delivered", told("SUCCESSFUL", { deliveredAmount: 0 }), "unknown"],
  ["SUCCESSFUL, a little less by the rate", told("SUCCESSFUL", { deliveredAmount: 498.4 }), "done"],
  [
    "SUCCESSFUL, with nothing delivered abroad",
    told("SUCCESSFUL", { deliveredAmount: "0.00", deliveredAmountCurrencyCode: "USD" }),
    "unknown",
  ],
  ["SUCCESSFUL, in dollars", told("SUCCESSFUL", { deliveredAmount: 0.31, deliveredAmountCurrencyCode: "USD" }), "done"],
  ["SUCCESSFUL, with a failure's code", told("SUCCESSFUL", {}, { code: "TRANSACTION_FAILED_ON_OPERATOR" }), "unknown"],
  ["SUCCESSFUL, with a code of its own", told("SUCCESSFUL", {}, { code: "PAYMENT_PROCESSED_SUCCESSFULLY" }), "done"],
  ["FAILED, with a success's code", told("FAILED", {}, { code: "PAYMENT_PROCESSED_SUCCESSFULLY" }), "unknown"],
  ["FAILED, with a code that is not listed", told("FAILED", {}, { code: "SOMETHING_BROKE" }), FAILED],
  ["FAILED, with a success", told("FAILED", {}, { success: true }), "unknown"],
  ["FAILED, with a PIN", told("FAILED", { pinDetail: { serial: "1" } }), "unknown"],
  ["FAILED, another status deep in it", told("FAILED", { details: [{ status: "SUCCESSFUL" }] }), "unknown"],
  ["FAILED, of another identifier around it", told("FAILED", {}, { customIdentifier: "x" }), "unknown"],
]);

/** As its framework writes pages. */
const page = (content: readonly unknown[], more: Body = {}): Body => ({
  content,
  pageable: { sort: { sorted: false, unsorted: true, empty: true }, offset: 0, pageNumber: 0, pageSize: 200 },
  totalElements: content.length,
  totalPages: content.length === 0 ? 0 : 1,
  number: 0,
  size: 200,
  sort: { sorted: false, unsorted: true, empty: true },
  numberOfElements: content.length,
  first: true,
  last: true,
  empty: content.length === 0,
  ...more,
});
const failed = transaction("FAILED");
judged("a report", (status, text) => reportedStateOf(readAnswer(status, text), ATTEMPT), [
  ["empty", page([]), "not_found"],
  ["empty, and no more", { content: [] }, "not_found"],
  ["empty, of one", page([], { totalElements: 1 }), "unknown"],
  ["empty, of many", page([], { totalElements: "many" }), "unknown"],
  ["empty, page 2 of 3", { content: [], number: 2, totalPages: 3 }, "unknown"],
  ["empty, of 2 pages", { content: [], totalPages: 2 }, "unknown"],
  ["empty, not the last", page([], { last: false }), "unknown"],
  ["empty, not empty", page([], { empty: false }), "unknown"],
  ["empty, with a status beside it", page([], { status: "SUCCESSFUL" }), "unknown"],
  ["empty, with a transaction beside it", page([], { transaction: { transactionId: 1 } }), "unknown"],
  ["FAILED", page([failed]), FAILED],
  ["FAILED twice", page([failed, failed]), FAILED],
  ["FAILED, of two", page([failed], { totalElements: 2 }), "unknown"],
  ["FAILED, and a word that is not listed", page([failed, transaction("DONE")]), "unknown"],
  ["a word that is not listed, and FAILED", page([transaction("DONE"), failed]), "unknown"],
  ["FAILED and REFUNDED", page([failed, transaction("REFUNDED")]), "unknown"],
  ["FAILED, and one without an identifier", page([failed, { status: "SUCCESSFUL" }]), "unknown"],
  ["FAILED, and one that can't be read", page([failed, "SUCCESSFUL"]), "unknown"],
  ["FAILED, and another phone's", page([failed, transaction("FAILED", { recipientPhone: "1" })]), "unknown"],
  ["FAILED, and one of another identifier", page([failed, { customIdentifier: "x", status: "SUCCESSFUL" }]), FAILED],
  ["FAILED and SUCCESSFUL", page([failed, transaction("SUCCESSFUL")]), "done"],
  ["FAILED and PROCESSING", page([failed, transaction("PROCESSING")]), "accepted"],
  ["SUCCESSFUL, with 5 delivered", page([transaction("SUCCESSFUL", { deliveredAmount: 5 })]), "unknown"],
]);

test("what contradicts what is told to the operator", () => {
  const detail = (outcome: Outcome) => outcome.kind === "unknown" && outcome.detail;
  assert.equal(
    detail(
      acceptanceOf(readAnswer(400, JSON.stringify(broke({ status: "SUCCESSFUL" }))), SOLD, WAITS, ATTEMPT.reference),
    ),
    'it is said to be refused, and "status" says "SUCCESSFUL"',
  );
  assert.equal(
    detail(reportedStateOf(readAnswer(200, JSON.stringify(page([], { totalElements: 1 }))), ATTEMPT)),
    'the report has 0 transactions, and "totalElements" says "1"',
  );
  assert.equal(
    detail(reportedStateOf(readAnswer(200, JSON.stringify(page([failed, transaction("DONE")]))), ATTEMPT)),
    'the vendor says "FAILED" and "DONE" at once',
  );
});
