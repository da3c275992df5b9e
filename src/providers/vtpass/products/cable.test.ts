import assert from "node:assert/strict";
import { test } from "node:test";
import type { CablePayload } from "../../../ports/cable-payload.ts";
import type { Outcome } from "../../../ports/provider.ts";
import { outcomeOf } from "../outcomes.ts";
import { payBody } from "../requests.ts";

/** Answers of the vendor's pages and of public clients: docs/providers/vtpass.md. */

const REFERENCE = "202503101102abcd1234efgh5678";
const CARD = "1212121212";
const PHONE = "2348011111111";
const basics = { product: "cable", phone: PHONE } as const;

const RENEWAL: CablePayload = {
  ...basics,
  tv_provider: "dstv",
  kind: "renew",
  amount_kobo: "185000",
  customer: { name: "TEST METER" },
};
const bouquet = (tv_provider: "dstv" | "gotv" | "startimes" | "showmax", code: string, cost_kobo: string) =>
  ({
    ...basics,
    tv_provider,
    kind: "change",
    amount_kobo: cost_kobo,
    plan: { id: "p", code: `${tv_provider}:${code}`, provider: "vtpass", name: code, cost_kobo },
  }) satisfies CablePayload;
const DSTV = bouquet("dstv", "dstv-prestige-850", "85000000");
const STARTIMES = bouquet("startimes", "nova", "90000");
const SHOWMAX = bouquet("showmax", "full_3", "840000");

const attemptOf = (payload: CablePayload) => ({
  reference: REFERENCE,
  recipient: payload.tv_provider === "showmax" ? PHONE : CARD,
  payload,
});

test("a renewal is sent with its amount and no bouquet, a change with its bouquet and no amount", () => {
  const common = { request_id: REFERENCE, billersCode: CARD, phone: "08011111111" };
  assert.deepEqual(payBody(attemptOf(RENEWAL)), {
    ...common,
    serviceID: "dstv",
    subscription_type: "renew",
    amount: 1850,
  });
  assert.deepEqual(payBody(attemptOf(DSTV)), {
    ...common,
    serviceID: "dstv",
    subscription_type: "change",
    variation_code: "dstv-prestige-850",
  });
  assert.deepEqual(payBody(attemptOf(STARTIMES)), { ...common, serviceID: "startimes", variation_code: "nova" });
  assert.deepEqual(payBody(attemptOf(SHOWMAX)), {
    ...common,
    billersCode: "08011111111",
    serviceID: "showmax",
    variation_code: "full_3",
  });
});

test("a renewal amount with kobo is sent exactly", () => {
  assert.equal(payBody(attemptOf({ ...RENEWAL, amount_kobo: "6388550" })).amount, 63_885.5);
});

const transaction = (more: object = {}) => ({
  status: "delivered",
  product_name: "DSTV Subscription",
  unique_element: CARD,
  unit_price: "1850",
  quantity: 1,
  commission: 27.75,
  total_amount: 1822.25,
  type: "TV Subscription",
  phone: "123450987623",
  convinience_fee: 0,
  amount: "1850",
  transactionId: "17416009779459629327738818",
  ...more,
});
const answer = (more: object, top: object = {}) => ({
  code: "000",
  response_description: "TRANSACTION SUCCESSFUL",
  requestId: REFERENCE,
  amount: 1850,
  transaction_date: "2025-03-10T10:02:57.000000Z",
  purchased_code: "",
  ...top,
  content: { transactions: transaction(more) },
});
const judge = (payload: CablePayload, body: object, call: "pay" | "requery" = "pay", status = 200): Outcome =>
  outcomeOf({ ...attemptOf(payload), call, status, text: JSON.stringify(body), duplicateWaitMs: 30_000 });

test("the vendor's own samples are deliveries, with their cost to the kobo, in pay and in requery", () => {
  const samples = [
    [RENEWAL, answer({}), "1822.25"],
    [RENEWAL, answer({ unit_price: 1850, amount: 1850, commission: 28, extras: null }), "1822.25"],
    [
      STARTIMES,
      answer({ unit_price: "900.00", amount: "900.00", commission: 22.5, total_amount: 877.5 }, { amount: 900 }),
      "877.50",
    ],
    [
      bouquet("gotv", "gotv-lite", "41000"),
      answer({ unit_price: "410.00", amount: "410.00", commission: 6.1499999999999995, total_amount: 403.85 }),
      "403.85",
    ],
  ] as const;
  for (const [payload, body, cost] of samples)
    for (const call of ["pay", "requery"] as const) {
      const outcome = judge(payload, body, call);
      assert.equal(outcome.kind, "done", JSON.stringify(outcome));
      assert.deepEqual("facts" in outcome && outcome.facts, { cost });
      assert.equal("doubt" in outcome && outcome.doubt, false);
    }
});

const VOUCHER = "SHMVHXQ9L3RXGPU";
const showmax = (top: object, more: object = {}) =>
  answer(
    {
      product_name: "ShowMax",
      unique_element: "08011111111",
      unit_price: "8400",
      amount: "8400",
      commission: 84,
      convinience_fee: 100,
      total_amount: 8416,
      ...more,
    },
    { amount: 8400, ...top },
  );

test("a Showmax purchase is its voucher, which costs more than its list price where there is a fee", () => {
  const facts = { tokens: [{ kind: "voucher", value: VOUCHER }], cost: "8416.00" };
  const pay = judge(SHOWMAX, showmax({ purchased_code: VOUCHER, Voucher: [VOUCHER] }));
  assert.deepEqual([pay.kind, "facts" in pay && pay.facts], ["done", facts]);
  const requery = judge(SHOWMAX, showmax({ Voucher: [] }, { extras: VOUCHER, unit_price: 8400 }), "requery");
  assert.deepEqual([requery.kind, "facts" in requery && requery.facts], ["done", facts]);
});

test("a Showmax purchase without its voucher is delivered and not complete", () => {
  const outcome = judge(SHOWMAX, showmax({ purchased_code: "", Voucher: [] }));
  assert.deepEqual([outcome.kind, "incomplete" in outcome && outcome.incomplete], ["accepted", true]);
});

test("the customer's own phone where the voucher should be is no voucher, and no second one", () => {
  const phone = { extras: "08011111111", unique_element: "08011111111" };
  const late = judge(SHOWMAX, showmax({ purchased_code: "", ...phone }, phone), "requery");
  assert.deepEqual(
    [late.kind, "incomplete" in late && late.incomplete, "facts" in late && late.facts],
    ["accepted", true, { cost: "8416.00" }],
  );
  const both = judge(SHOWMAX, showmax({ purchased_code: `Showmax Voucher: ${VOUCHER}`, ...phone }, phone), "requery");
  const facts = { tokens: [{ kind: "voucher", value: VOUCHER }], cost: "8416.00" };
  assert.deepEqual([both.kind, "facts" in both && both.facts, "doubt" in both], ["done", facts, false]);
});

test("two different vouchers, and one of an unknown form, are for a person to look at", () => {
  const two = judge(SHOWMAX, showmax({ purchased_code: VOUCHER, Voucher: ["SHM0000000000A1"] }));
  assert.equal(two.kind, "unknown");
  assert.match("doubt" in two ? (two.doubt?.why ?? "") : "", /two different vouchers/);
  const odd = judge(SHOWMAX, showmax({ purchased_code: "Check your e-mail", Voucher: [] }));
  assert.deepEqual([odd.kind, "doubt" in odd && odd.doubt !== undefined], ["accepted", true]);
});

test("a bouquet that was delivered at another price than its list had is delivered, and for a person to look at", () => {
  for (const price of ["1000", 800]) {
    const outcome = judge(STARTIMES, answer({ unit_price: price, amount: price }));
    assert.equal(outcome.kind, "done");
    assert.match("doubt" in outcome ? (outcome.doubt?.why ?? "") : "", /its list had ₦900\.00/);
  }
});

test("a renewal of another amount than was bought is not believed", () => {
  assert.equal(judge(RENEWAL, answer({ unit_price: 1800, amount: 1800 })).kind, "unknown");
});

test("an answer about another card, or another phone, is not believed", () => {
  assert.equal(judge(RENEWAL, answer({ unique_element: "1212121213" })).kind, "unknown");
  assert.equal(judge(SHOWMAX, showmax({ Voucher: [VOUCHER] }, { unique_element: "08011111112" })).kind, "unknown");
  const zeros = { ...attemptOf(STARTIMES), recipient: "0212345678" };
  const text = JSON.stringify(answer({ unique_element: 212345678, unit_price: "900.00", amount: "900.00" }));
  assert.equal(outcomeOf({ ...zeros, call: "pay", status: 200, text, duplicateWaitMs: 1 }).kind, "done");
});

test("the transaction's own status decides: 000 with a pending one is no delivery, and no failure", () => {
  for (const status of ["pending", "initiated"]) assert.equal(judge(RENEWAL, answer({ status })).kind, "accepted");
  assert.equal(judge(RENEWAL, { code: "000", response_description: "TRANSACTION SUCCESSFUL" }).kind, "unknown");
});

test("a withdrawn bouquet fails for certain, so that its money comes back", () => {
  const text = "VARIATION CODE DOES NOT EXIST FOR SELECTED PRODUCT";
  const outcome = judge(STARTIMES, { code: "010", response_description: text, requestId: REFERENCE });
  assert.deepEqual(outcome, {
    kind: "rejected",
    scope: "order",
    code: "plan_not_found",
    detail: `010 ${text}`,
  });
});

test("codes of a verification in answer to a purchase, and a request id that was used, hold the money", () => {
  for (const code of ["011", "012", "014", "020", "030", "083", "099"])
    assert.notEqual(
      judge(RENEWAL, { code, response_description: "SOMETHING", requestId: REFERENCE }).kind,
      "rejected",
      code,
    );
});

test("a refusal that shows a voucher is not believed", () => {
  const body = showmax(
    { code: "016", response_description: "TRANSACTION FAILED", Voucher: [VOUCHER] },
    { status: "failed" },
  );
  assert.equal(judge(SHOWMAX, body).kind, "unknown");
});
