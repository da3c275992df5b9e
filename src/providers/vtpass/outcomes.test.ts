import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { inAWord, PURCHASES } from "../../testing/purchase-task.ts";
import type { Answered } from "./answered.ts";
import { outcomeOf } from "./outcomes.ts";
import { INNER_STATUSES, type Meaning, STATUSES } from "./statuses.ts";

const REFERENCE = "202610031407aaaaaaaaaaaaaaaa";
const TOKEN = "12345678901234567890";
const OTHER_TOKEN = "09876543210987654321";

const answered = (body: unknown, more: Partial<Answered> = {}): Answered => ({
  call: "pay",
  status: 200,
  text: typeof body === "string" ? body : JSON.stringify(body),
  reference: REFERENCE,
  recipient: "2348031234567",
  payload: PURCHASES.airtime,
  duplicateWaitMs: 30_000,
  ...more,
});

const transaction = (status: unknown, more: object = {}) => ({
  code: "000",
  requestId: REFERENCE,
  content: { transactions: { status, total_amount: 485, transactionId: "17590000000000000000000001" } },
  ...more,
});

const electricity = { payload: PURCHASES.electricity };
const requery = { call: "requery" } as const;
const meter = { ...electricity, recipient: "0124000952992" };
const WITH_TOKEN = { token: TOKEN };
const OTHER_NAME = { requestId: undefined, request_id: REFERENCE };
const delivered = JSON.stringify(transaction("delivered"));
const twice = delivered.replace('"status":', '"status":"failed","status":');
/** Delivered, with this in the transaction. */
const told = (more: object, top: object = {}) => ({
  ...transaction("delivered", top),
  content: { transactions: { status: "delivered", ...more } },
});

test("a delivery with a token twice is in doubt, with its answer, whichever of the two it would be", () => {
  const text = JSON.stringify(transaction("delivered", WITH_TOKEN)).replace(
    /"token":/,
    `"token":"${OTHER_TOKEN}","token":`,
  );
  for (const more of [{}, requery]) {
    const outcome = outcomeOf(answered(text, { ...meter, ...more }));
    assert.equal(outcome.kind, "unknown");
    assert.deepEqual("doubt" in outcome && outcome.doubt, { why: "its answer has a member twice", answer: text });
  }
});

const JUDGED: readonly (readonly [name: string, answered: Answered, outcome: string])[] = [
  ["delivered", answered(transaction("delivered")), "done"],
  ["001 and delivered", answered(transaction("delivered", { code: "001" }), requery), "done"],
  ["delivered, for a meter, without a token", answered(transaction("delivered"), electricity), "incomplete"],
  ["delivered, for a meter, with one", answered(transaction("delivered", { token: TOKEN }), electricity), "done"],
  ["initiated", answered(transaction("initiated")), "accepted"],
  ["pending", answered(transaction("pending")), "accepted"],
  ["failed", answered(transaction("failed")), "rejected route vendor_failed"],
  ["failed, with a token", answered(transaction("failed", { token: TOKEN }), electricity), "unknown"],
  ["reversed on pay", answered(transaction("reversed")), "unknown"],
  ["reversed on requery", answered(transaction("reversed"), requery), "reversed"],
  ["resolved, of old pages", answered(transaction("resolved"), requery), "unknown"],
  ["a status that is a name of Object.prototype", answered(transaction("constructor")), "unknown"],
  ["000 without a transaction", answered({ code: "000" }), "unknown"],
  ["a code as a number", answered('{"code":016}'), "unknown"],
  [
    "about another request",
    answered(transaction("delivered", { requestId: "202610031407bbbbbbbbbbbbbbbb" })),
    "unknown",
  ],
  ["delivered, but HTTP 500", answered(transaction("delivered"), { status: 500 }), "unknown"],
  ["a refusal with HTTP 400", answered({ code: "013" }, { status: 400 }), "rejected order amount_out_of_bounds"],
  ["HTTP 401 without a code", answered("", { status: 401 }), "rejected route no_route alarm"],
  ["HTTP 403 with a page", answered("<html>", { status: 403 }), "rejected route no_route alarm"],
  ["HTTP 401 to a requery", answered("", { status: 401, ...requery }), "unknown"],
  ["HTTP 429", answered("", { status: 429 }), "unknown"],
  ["a redirect", answered("", { status: 302 }), "unknown"],
  ["a list", answered([{ code: "016" }]), "unknown"],
  ["failed and delivered at once", answered(twice), "unknown"],
  ["delivered, with its code twice", answered(`{"code":"016",${delivered.slice(1)}`), "unknown"],
  ["016, with a transaction that is delivered", answered(transaction("delivered", { code: "016" })), "unknown"],
  ["019, with one that is delivered", answered(transaction("delivered", { code: "019" })), "unknown"],
  ["019, with one of ours that is pending", answered(transaction("pending", { code: "019" })), "unknown"],
  ["040, with one that is delivered", answered(transaction("delivered", { code: "040" }), requery), "unknown"],
  ["delivered, without a request_id", answered(transaction("delivered", { requestId: undefined })), "unknown"],
  ["delivered, with none in it", answered(transaction("delivered", { requestId: null })), "unknown"],
  ["failed, without a request_id", answered(transaction("failed", { requestId: undefined })), "unknown"],
  ["delivered, with a request_id under its other name", answered(transaction("delivered", OTHER_NAME)), "done"],
  [
    "delivered, with ours and another request_id",
    answered(transaction("delivered", { request_id: "other" })),
    "unknown",
  ],
  ["delivered to our phone", answered(told({ unique_element: "08031234567" })), "done"],
  ["delivered to it, written otherwise", answered(told({ unique_element: "+234 803 123 4567" })), "done"],
  ["delivered to another phone", answered(told({ unique_element: "08099999999" })), "unknown"],
  ["delivered by an account with its own phone", answered(told({ phone: "08099999999" })), "done"],
  ["failed for another phone", answered(told({ status: "failed", unique_element: "08099999999" })), "unknown"],
  ["delivered for our amount", answered(told({ unit_price: "500.00", amount: 500 })), "done"],
  ["delivered for our amount and a fee", answered(told({ amount: 600, convinience_fee: "100" })), "done"],
  ["delivered for another amount", answered(told({ unit_price: 500, amount: 5 })), "unknown"],
  ["delivered at another price", answered(told({ unit_price: 5 })), "unknown"],
  ["reversed, with the net of it", answered(told({ status: "reversed", amount: 485 }), requery), "reversed"],
  ["a bundle that costs more now", answered(told({ amount: 510 }), { payload: PURCHASES.data }), "done"],
  ["delivered to our meter", answered(told({ unique_element: "610124000952992" }, WITH_TOKEN), meter), "done"],
  ["delivered to another meter", answered(told({ unique_element: "0124000952993" }, WITH_TOKEN), meter), "unknown"],
];
for (const [name, answer, outcome] of JUDGED)
  test(`an answer that is ${name} is ${outcome}`, () => {
    assert.equal(inAWord(outcomeOf(answer)), outcome);
  });

/** What a person must look at, and why. */
const DOUBTS: readonly (readonly [name: string, answered: Answered, outcome: string, why: RegExp | undefined])[] = [
  [
    "delivered, with half a key change",
    answered(transaction("delivered", { token: TOKEN, kct1: OTHER_TOKEN, kct2: null }), electricity),
    "incomplete",
    /^half a key change/,
  ],
  [
    "delivered, with a number that nobody can name",
    answered(transaction("delivered", { token: TOKEN, token2: OTHER_TOKEN }), electricity),
    "done",
    /"token2" \(…4321\)/,
  ],
  [
    "delivered, with two tokens of one kind",
    answered(transaction("delivered", { token: TOKEN, mainToken: OTHER_TOKEN }), electricity),
    "unknown",
    /two tokens of one kind/,
  ],
  [
    "of an older form",
    answered({ code: "001", requestId: REFERENCE, content: { response_code: "000", token: TOKEN } }, requery),
    "unknown",
    /status "" is not listed/,
  ],
  ["a bundle at a lower price", answered(told({ unit_price: 300 }), { payload: PURCHASES.data }), "done", /₦300\.00/],
  [
    "a bundle of another name",
    answered(told({ variation_code: "mtn-10mb" }), { payload: PURCHASES.data }),
    "done",
    /"mtn-10mb"/,
  ],
  ["a bundle at a higher price", answered(told({ unit_price: 600 }), { payload: PURCHASES.data }), "done", undefined],
  ["delivered, with its token", answered(transaction("delivered", WITH_TOKEN), electricity), "done", undefined],
  ["delivered airtime", answered(transaction("delivered")), "done", undefined],
];
for (const [name, answer, word, why] of DOUBTS)
  test(`an answer that is ${name} is ${word}, and ${why ? "a person must look at it" : "in no doubt"}`, () => {
    const outcome = outcomeOf(answer);
    assert.equal(inAWord(outcome), word);
    const doubt = "doubt" in outcome ? outcome.doubt : undefined;
    assert.equal(doubt?.answer, why && answer.text);
    if (why) assert.match(doubt?.why ?? "", why);
  });

test("a code that is not listed decides nothing, whatever else the answer says", () => {
  const unlisted = fc.string().filter((code) => !Object.hasOwn(STATUSES, code.trim()));
  fc.assert(
    fc.property(unlisted, fc.constantFrom("pay", "requery"), fc.string(), (code, call, words) => {
      const body = transaction("failed", { code, response_description: words });
      assert.equal(outcomeOf(answered(body, { call })).kind, "unknown");
    }),
  );
});

test("no answer makes the reading throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), fc.integer({ min: 200, max: 599 }), (text, status) => {
      for (const call of ["pay", "requery"] as const) outcomeOf(answered(text, { call, status, ...electricity }));
    }),
  );
});

const failing = (more: object, description = "TRANSACTION FAILED") => ({
  ...transaction("failed", { code: "016", response_description: description }),
  ...more,
});
for (const [where, body] of [
  ["in its words", failing({}, `SOLD Token : ${TOKEN}`)],
  ["in its words, in groups", failing({}, "SOLD 1234\u00a05678\u00a09012\u00a03456\u00a07890 to 08031234567")],
  ["in the transaction", failing({ content: { transactions: { status: "failed", token: TOKEN } } })],
  ["in the extras", failing({ content: { transactions: { status: "failed", extras: TOKEN } } })],
  ["under a name of no disco", failing({ standardTokenValue: "12345 67890 12345 67890" })],
  ["deep in a list", failing({ details: [{ parcels: [{ content: Number("1e3") }, { content: TOKEN }] }] })],
] as const)
  test(`a failure that brings a token ${where} is no failure`, () => {
    assert.equal(inAWord(outcomeOf(answered(body, electricity))), "unknown");
    assert.equal(inAWord(outcomeOf(answered(body))), "rejected route vendor_failed", "a phone takes no token");
  });

test("a sale of energy that was taken back is reversed although it shows its token", () => {
  const body = transaction("reversed", { code: "040", token: TOKEN });
  assert.equal(inAWord(outcomeOf(answered(body, { ...electricity, ...requery }))), "reversed");
});

test("ids, dates and zeros of a failure are no token", () => {
  const body = failing({ token: "0".repeat(20), transaction_date: { date: "2026-10-03 13:07:21.000000" } });
  assert.equal(inAWord(outcomeOf(answered(body, electricity))), "rejected route vendor_failed");
});

test("what does not fit together is told in words, without a token", () => {
  const detail = (body: object, more: object = {}) => {
    const outcome = outcomeOf(answered(body, more));
    return "detail" in outcome && outcome.detail;
  };
  assert.equal(detail(told({ unique_element: "1" })), "the answer is about another recipient");
  assert.equal(detail(told({ amount: 5 })), "the answer is about another amount");
  assert.equal(detail(transaction(TOKEN)), `the transaction's status "**** **** **** **** 7890" is not listed`);
  const long = { code: "083", response_description: "x".repeat(177) + TOKEN };
  assert.match(String(detail(long)), /^083 x{177}\*{4} [* ]*$/);
});

test("a vendor's id is kept digit by digit, also when it comes as a number", () => {
  const text = JSON.stringify(transaction("delivered")).replace(/"(1759\d+)"/, "$1");
  const outcome = outcomeOf(answered(text));
  assert.equal(outcome.kind === "done" && outcome.providerReference, "17590000000000000000000001");
});

const inWords = (meaning: Meaning): string => {
  switch (meaning.kind) {
    case "by_status":
      return "by the transaction's status";
    case "rejected":
      if (meaning.scope === "order") return `rejected (order): \`${meaning.code}\``;
      return `rejected (route)${meaning.alarm === undefined ? "" : ", operator alarm"}`;
    case "duplicate":
      return "throttled";
    case "not_found":
      return "not found";
    default:
      return meaning.kind;
  }
};

test("docs/providers/vtpass.md lists every code with what it means, and no other", () => {
  const page = readFileSync(new URL("../../../docs/providers/vtpass.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(\d{3})` \| (.+?) \| (.+?) \| (.+?) \|$/gm)].map((match) => match.slice(1));
  const table = Object.entries(STATUSES).map(([code, { says, pay, requery }]) => [
    code,
    says,
    inWords(pay),
    inWords(requery),
  ]);
  assert.deepEqual(
    rows,
    table.sort(([a = ""], [b = ""]) => a.localeCompare(b)),
  );
  for (const status of Object.keys(INNER_STATUSES)) assert.ok(page.includes(`\`${status}\``), status);
});
