import assert from "node:assert/strict";
import { test } from "node:test";
import { PURCHASES } from "../../testing/purchase-task.ts";
import type { Outcome } from "../provider.ts";
import { readAnswer } from "./answer.ts";
import { acceptanceOf, reportedStateOf } from "./outcomes.ts";

/** Answers that decide nothing, and whether they show that the vendor has the top-up all the same. */

const REFERENCE = "pur_01m8gendkae6s8hy04rz7jtnfq-1";
const ATTEMPT = { reference: REFERENCE, recipient: "2348011111111", sold: PURCHASES.airtime };
const WAITS = { firstStatusMs: 1, rechargeWaitMs: 2, busyWaitMs: 3 };

type Body = Readonly<Record<string, unknown>>;
type Row = readonly [what: string, body: Body, isKnown: true | undefined, status?: number];

const refused = (errorCode: string, more: Body = {}): Body => ({ errorCode, message: "x", ...more });

const TOPUPS: readonly Row[] = [
  ["the identifier is used", refused("CUSTOM_IDENTIFIER_ALREADY_USED"), true, 400],
  ["the identifier is used, under HTTP 500", refused("CUSTOM_IDENTIFIER_ALREADY_USED"), true, 500],
  ["the same in words", { message: "Custom identifier already used" }, true, 400],
  ["the same under a code that is not listed", refused("DUPLICATE_CUSTOM_IDENTIFIER"), true, 409],
  ["refused, with a number", refused("INSUFFICIENT_BALANCE", { transactionId: 7 }), true, 400],
  ["a number that is none, but has digits", { transactionId: "tx-7" }, true],
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
];

const same = (outcome: Outcome, isKnown: true | undefined) => {
  assert.equal(outcome.kind, "unknown");
  assert.equal(outcome.kind === "unknown" && outcome.isKnown, isKnown);
};
const says = (isKnown: true | undefined) =>
  `unknown, and it is ${isKnown ? "shown" : "not shown"} that the vendor has it`;

for (const [what, body, isKnown, status = 200] of TOPUPS)
  test(`a top-up, HTTP ${status}, ${what}: ${says(isKnown)}`, () =>
    same(acceptanceOf(readAnswer(status, JSON.stringify(body)), PURCHASES.airtime, WAITS), isKnown));
for (const [what, body, isKnown] of REPORTS)
  test(`a report, ${what}: ${says(isKnown)}`, () =>
    same(reportedStateOf(readAnswer(200, JSON.stringify(body)), ATTEMPT), isKnown));
