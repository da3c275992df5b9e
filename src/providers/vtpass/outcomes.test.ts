import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { inAWord, PURCHASES } from "../../testing/purchase-task.ts";
import { type Answered, outcomeOf } from "./outcomes.ts";
import { INNER_STATUSES, type Meaning, STATUSES } from "./statuses.ts";

const REFERENCE = "202610031407aaaaaaaaaaaaaaaa";
const TOKEN = "12345678901234567890";

const answered = (body: unknown, more: Partial<Answered> = {}): Answered => ({
  call: "pay",
  status: 200,
  text: typeof body === "string" ? body : JSON.stringify(body),
  reference: REFERENCE,
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
];
for (const [name, answer, outcome] of JUDGED)
  test(`an answer that is ${name} is ${outcome}`, () => {
    assert.equal(inAWord(outcomeOf(answer)), outcome);
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

test("a vendor's id is kept digit by digit, also when it comes as a number", () => {
  const text = JSON.stringify(transaction("delivered")).replace(/"(1759\d+)"/, "$1");
  const outcome = outcomeOf(answered(text));
  assert.equal(outcome.kind === "done" && outcome.providerReference, "17590000000000000000000001");
});

const told = (meaning: Meaning): string => {
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
    told(pay),
    told(requery),
  ]);
  assert.deepEqual(
    rows,
    table.sort(([a = ""], [b = ""]) => a.localeCompare(b)),
  );
  for (const status of Object.keys(INNER_STATUSES)) assert.ok(page.includes(`\`${status}\``), status);
});
