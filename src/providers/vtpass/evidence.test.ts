import assert from "node:assert/strict";
import { test } from "node:test";
import { PURCHASES } from "../../testing/purchase-task.ts";
import type { Answered } from "./answered.ts";
import { outcomeOf } from "./outcomes.ts";

/** Answers that decide nothing, and whether they show that the vendor has the attempt all the same. */

const REFERENCE = "202610031407a1b2c3";
const TOKEN = "12345678901234567890";

type Body = Readonly<Record<string, unknown>>;

const transaction = (status: string, more: Body = {}, top: Body = {}): Body => ({
  code: "000",
  requestId: REFERENCE,
  content: {
    transactions: { status, unique_element: "08031234567", unit_price: 500, transactionId: "17415980200001", ...more },
  },
  ...top,
});
const torn = JSON.stringify(transaction("delivered")).slice(0, -8);

const KNOWN: readonly (readonly [what: string, body: Body | string, more?: Partial<Answered>])[] = [
  ["014, with words", { code: "014", response_description: "REQUEST ID ALREADY EXIST" }],
  ["014 alone", { code: "014" }],
  ["014 to a requery", { code: "014" }, { call: "requery" }],
  [
    "the same words under a code that is not listed",
    { code: "114", response_description: "REQUEST ID ALREADY EXISTS" },
  ],
  ["them among the faults of a form", { code: "011", content: { errors: ["The request id has already been taken."] } }],
  ["them under HTTP 500", { code: "014" }, { status: 500 }],
  ["a status that is not listed", transaction("resolved")],
  ["a status that is not listed, to a requery", transaction("resolved"), { call: "requery" }],
  ["a number and no status", transaction("", {})],
  ["000 without a transaction", { code: "000", response_description: "TRANSACTION SUCCESSFUL" }],
  ["a delivery that contradicts itself", transaction("delivered", {}, { code: "016" })],
  ["a duplicate, with our transaction", transaction("pending", {}, { code: "019" })],
  ["not found, and shown", transaction("pending", {}, { code: "015" }), { call: "requery" }],
  ["a delivery under HTTP 500", transaction("delivered"), { status: 500 }],
  ["ours by its request_id, and for another phone", transaction("delivered", { unique_element: "08099999999" })],
  ["ours by its request_id, and of another amount", transaction("delivered", { unit_price: 5 })],
  ["a code that is not listed, with a transaction", transaction("pending", {}, { code: "777" })],
  ["044, resolved", { code: "044" }],
  ["040 to a pay", { code: "040" }],
  ["a torn answer with our request_id and a number", torn],
  ["processing, under HTTP 500", { code: "099", response_description: "TRANSACTION PROCESSING" }, { status: 500 }],
  ["still processing, under HTTP 503", { code: "089" }, { status: 503 }],
  ["processing, under HTTP 502 to a requery", { code: "099" }, { status: 502, call: "requery" }],
  ["processing, torn", `{"code":"099","requestId":"${REFERENCE}","response_descr`],
  ["used, torn", '{"code":"014","response_description":"REQUEST ID AL'],
  [
    "successful by its words, without a code",
    { response_description: "TRANSACTION SUCCESSFUL", requestId: REFERENCE, amount: "500.00", purchased_code: "" },
  ],
  ["successful by its words alone", { response_description: "TRANSACTION SUCCESSFUL" }],
  ["code and words in each other's place", { response_description: "000", code: "TRANSACTION_PENDING" }],
  ["our request_id without a code", { requestId: REFERENCE, amount: "500.00" }],
  ["a code that is not listed, with our request_id", { code: "777", requestId: REFERENCE }],
  ["the faults of a form", { errors: { request_id: ["The request id has already been taken."] } }, { status: 422 }],
  ["014 with the faults of a form", { code: "014", errors: { request_id: ["already exists"] } }],
  ["failed by its code, and used by its words", { code: "016", response_description: "REQUEST ID ALREADY EXIST" }],
  ["refused by its code, and used by its words", { code: "085", response_description: "REQUEST ID has been used" }],
  ["an amount below the least, and used", { code: "013", response_description: "Duplicate request id" }],
  ["turned away, and used", { message: "Request id already used" }, { status: 403 }],
  ["a duplicate by its code, and used", { code: "019", response_description: "REQUEST ID ALREADY EXISTS" }],
  ["a failure with a token", { code: "016", token: TOKEN }, { payload: PURCHASES.electricity }],
  ["a token under HTTP 502", { mainToken: TOKEN }, { payload: PURCHASES.electricity, status: 502 }],
  ["one that says a thing twice", `{"code":"016",${JSON.stringify(transaction("delivered")).slice(1)}`],
];
const NOT_KNOWN: readonly (readonly [what: string, body: Body | string, more?: Partial<Answered>])[] = [
  ["nothing", ""],
  ["a page", "<html>request id already used</html>"],
  ["a system error with our request_id", { code: "083", requestId: REFERENCE }],
  ["a code that is not listed", { code: "777", response_description: "TRY LATER" }],
  ["faults of the form", { code: "011", content: { errors: ["The phone is required."] } }],
  [
    "the request_id that does not exist, under another code",
    { code: "115", response_description: "REQUEST ID DOES NOT EXIST" },
  ],
  ["a biller that is away", { code: "030" }],
  ["another's transaction", transaction("pending", {}, { requestId: "202610031407bbbbbb" })],
  ["014 about another's request_id", { code: "014", requestId: "202610031407bbbbbb" }],
  [
    "another phone's, without a request_id",
    transaction("delivered", { unique_element: "08099999999" }, { requestId: null }),
  ],
  ["001 without a transaction", { code: "001" }, { call: "requery" }],
  ["another's code under HTTP 500", { code: "099", requestId: "202610031407bbbbbb" }, { status: 500 }],
  ["another's that is torn", '{"code":"099","requestId":"202610031407bbbbbb","respo'],
  ["a question that succeeded", { status: "success" }, { call: "requery" }],
  ["a request_id that is not found", { code: "777", message: "Transaction not found", requestId: REFERENCE }],
  [
    "another's request_id in the words",
    { code: "114", response_description: "REQUEST ID 202610031407bbbbbb ALREADY EXISTS" },
  ],
  ["a request_id that is missing", { errors: { request_id: ["The request id is required."] } }, { status: 422 }],
  ["a torn answer about another", torn.replaceAll(REFERENCE, "202610031407bbbbbb")],
];

for (const [rows, isKnown] of [
  [KNOWN, true],
  [NOT_KNOWN, undefined],
] as const)
  for (const [what, body, more] of rows)
    test(`${what}: unknown, and it is ${isKnown ? "shown" : "not shown"} that the vendor has it`, () => {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const outcome = outcomeOf({
        call: "pay",
        status: 200,
        text,
        reference: REFERENCE,
        recipient: "2348031234567",
        payload: PURCHASES.airtime,
        duplicateWaitMs: 31_000,
        ...more,
      });
      assert.equal(outcome.kind, "unknown");
      assert.equal(outcome.kind === "unknown" && outcome.isKnown, isKnown);
      assert.equal("doubt" in outcome && outcome.doubt?.why.includes("it has a token"), text.includes(TOKEN));
    });
