import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../../ports/provider.ts";
import { PURCHASES } from "../../testing/purchase-task.ts";
import { readAnswer } from "./answer.ts";
import { acceptanceOf, reportedStateOf } from "./outcomes.ts";

/** Answers that decide nothing, and whether they show that the vendor has the top-up all the same. */

const REFERENCE = "pur_01m8gendkae6s8hy04rz7jtnfq-1";
const ATTEMPT = { reference: REFERENCE, recipient: "2348011111111", sold: PURCHASES.airtime };
const WAITS = { firstStatusMs: 1, rechargeWaitMs: 2, busyWaitMs: 3 };

const USED = "CUSTOM_IDENTIFIER_ALREADY_USED";

type Body = Readonly<Record<string, unknown>>;
type Row = readonly [what: string, body: Body | string, isKnown: true | undefined, status?: number];

const refused = (errorCode: string, more: Body = {}): Body => ({ errorCode, message: "x", ...more });

const TOPUPS: readonly Row[] = [
  ["the identifier is used", refused("CUSTOM_IDENTIFIER_ALREADY_USED"), true, 400],
  ["the identifier is used, under HTTP 500", refused("CUSTOM_IDENTIFIER_ALREADY_USED"), true, 500],
  ["the same in words", { message: "Custom identifier already used" }, true, 400],
  ["the same under a code that is not listed", refused("DUPLICATE_CUSTOM_IDENTIFIER"), true, 409],
  ["refused, with a number", refused("INSUFFICIENT_BALANCE", { transactionId: 7 }), true, 400],
  ["a number that is none, but has digits", { transactionId: "tx-7" }, true],
  ["a status and our identifier", { status: "SUCCESSFUL", customIdentifier: REFERENCE, requestedAmount: 500 }, true],
  ["processing and our identifier", { status: "PROCESSING", customIdentifier: REFERENCE }, true],
  ["processing, in its field", { transaction: { status: "PROCESSING", customIdentifier: REFERENCE } }, true],
  ["processing alone", { status: "PROCESSING" }, true],
  ["our identifier alone", { customIdentifier: REFERENCE }, true],
  ["a number under another name", { id: 55 }, true],
  ["a torn number", '{"transactionId":55', true],
  ["a torn status", '{"status":"PROCESSING","customIdent', true],
  ["in progress by its words", { message: "Topup in progress" }, true],
  ["another's", { status: "SUCCESSFUL", customIdentifier: "other-1" }, undefined],
  ["another's that is torn", '{"transactionId":55,"customIdentifier":"other-1","st', undefined],
  [
    "a field of ours that was used",
    refused("INVALID_INPUT_PROVIDED", { details: [{ field: "customIdentifier", message: "already used" }] }),
    true,
    400,
  ],
  ["used under a listed code", refused("INVALID_AMOUNT", { message: "Custom identifier already used" }), true, 400],
  ["used, and called busy", refused("TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT", { code: USED }), true, 400],
  ["used under the name code", { code: USED }, true, 400],
  ["used under the name error", { error: USED }, true, 409],
  ["an identifier that is too long", { errors: { customIdentifier: ["is too long"] } }, undefined, 422],
  ["a number of a fault", { id: 55, message: "x" }, undefined, 400],
  ["nothing", {}, undefined],
  ["refused, with an empty number", refused("TOPUP_TRANSACTION_FAILED", { transactionId: null }), undefined, 400],
  ["the network may have it", refused("PROVIDER_INTERNAL_ERROR"), undefined, 500],
  ["an error that is not listed", refused("SOMETHING_ELSE"), undefined, 400],
];

const transaction = (status: string, more: Body = {}): Body => ({
  transactionId: 1_234_567,
  status,
  customIdentifier: REFERENCE,
  recipientPhone: "2348011111111",
  requestedAmount: 500,
  requestedAmountCurrencyCode: "NGN",
  ...more,
});
const report = (...content: readonly Body[]): Body => ({ content });

const REPORTS: readonly Row[] = [
  ["a status that is not listed", report(transaction("ON_HOLD")), true],
  ["ours for another phone", report(transaction("SUCCESSFUL", { recipientPhone: "2348099999999" })), true],
  ["ours, failed and more to come", { content: [transaction("FAILED")], totalPages: 2 }, true],
  ["ours, with two ends", report(transaction("FAILED"), transaction("REFUNDED")), true],
  ["others'", report(transaction("PROCESSING", { customIdentifier: "other" })), undefined],
  ["empty, and more to come", { content: [], totalElements: 3 }, undefined],
  ["no list", {}, undefined],
  ["empty, with faults", { content: [], errors: ["timeout"] }, undefined],
  ["empty, with a message", { content: [], message: "temporarily unavailable" }, undefined],
  ["empty, and partial", { content: [], partial: true }, undefined],
  ["empty, with a warning in an object", { content: [], meta: { warning: "some are missing" } }, undefined],
  ["empty, under another status", { content: [] }, undefined, 206],
  ["torn, with ours", `{"content":[{"transactionId":55,"customIdentifier":"${REFERENCE}","sta`, true],
  ["torn, with another's", '{"content":[{"transactionId":55,"customIdentifier":"other-1","sta', undefined],
  ["ours, failed, and partial", { ...report(transaction("FAILED")), partial: true }, true],
];

const textOf = (body: Body | string) => (typeof body === "string" ? body : JSON.stringify(body));
const same = (outcome: Outcome, isKnown: true | undefined) => {
  assert.equal(outcome.kind, "unknown");
  assert.equal(outcome.kind === "unknown" && outcome.isKnown, isKnown);
};
const says = (isKnown: true | undefined) =>
  `unknown, and it is ${isKnown ? "shown" : "not shown"} that the vendor has it`;

for (const [what, body, isKnown, status = 200] of TOPUPS)
  test(`a top-up, HTTP ${status}, ${what}: ${says(isKnown)}`, () =>
    same(acceptanceOf(readAnswer(status, textOf(body)), PURCHASES.airtime, WAITS, ATTEMPT.reference), isKnown));
for (const [what, body, isKnown, status = 200] of REPORTS)
  test(`a report, ${what}: ${says(isKnown)}`, () =>
    same(reportedStateOf(readAnswer(status, textOf(body)), ATTEMPT), isKnown));

test("an empty page that says no more than a page does is not found", () => {
  const sort = { sorted: true, unsorted: false, empty: false };
  const page = { content: [], pageable: { sort, pageNumber: 0, pageSize: 20, offset: 0, paged: true }, sort, size: 20 };
  const whole = { ...page, totalElements: 0, totalPages: 0, number: 0, first: true, last: true, empty: true };
  for (const body of [{ content: [] }, whole, { ...whole, partial: false, errors: [], message: null }])
    assert.equal(reportedStateOf(readAnswer(200, JSON.stringify(body)), ATTEMPT).kind, "not_found");
});
