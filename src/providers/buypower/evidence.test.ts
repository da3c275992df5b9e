import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answered } from "./answered.ts";
import { outcomeOf } from "./outcomes.ts";

/** Answers that decide nothing, and whether they show that the vendor has the purchase all the same. */

const REFERENCE = "0199a0b000007000800000000000000a-1";
const METER = "04123456784";
const TOKEN = "26362054405982757802";

type Body = Readonly<Record<string, unknown>>;
type Row = readonly [what: string, status: number, body: Body | string, isKnown: true | undefined, call?: "requery"];

const sale = (more: Body = {}): Body => ({ id: 5001, orderId: REFERENCE, vendRef: 880001, vendAmount: 2000, ...more });
const torn = JSON.stringify({ data: sale(), responseCode: 200 }).slice(0, -9);

const ANSWERS: readonly Row[] = [
  [
    "the orderId was received already",
    409,
    { status: false, responseCode: 201, message: "Order Id already exists" },
    true,
  ],
  ["a conflict with another code", 409, { status: false, responseCode: 409 }, true],
  ["the same in words", 400, { status: false, responseCode: 400, message: "orderId already received" }, true],
  ["still processing", 200, { status: true, responseCode: 201, message: "Still processing" }, true],
  ["an orderId that is not valid", 400, { status: false, responseCode: 201, message: "Invalid Order ID" }, undefined],
  ["vended, and nothing that bears it out", 200, { responseCode: 200 }, true],
  ["vended, and failed at once", 200, { status: true, responseCode: 200, data: sale({ status: "failed" }) }, true],
  [
    "ours by its orderId, and of another amount",
    200,
    { status: true, responseCode: 200, data: sale({ vendAmount: 5 }) },
    true,
  ],
  ["an unexpected error, with a number", 500, { responseCode: 500, data: sale() }, true],
  ["not found, and shown", 404, { status: false, responseCode: 20, data: sale() }, true, "requery"],
  ["a torn answer with our orderId and a number", 200, torn, true],
  ["an unexpected error", 500, { status: false, responseCode: 500, message: "Please requery" }, undefined],
  ["an unexpected error that echoes our orderId", 500, { responseCode: 500, data: { orderId: REFERENCE } }, true],
  ["an unexpected error with a token", 502, { status: false, responseCode: 503, data: { token: TOKEN } }, true],
  ["an unexpected error with units", 503, { status: false, responseCode: 502, data: { units: "12.8" } }, true],
  ["an unexpected error with a receipt", 500, { responseCode: 500, data: { receiptNo: "R-77" } }, true],
  ["in progress by its words", 200, { status: true, responseCode: 202, message: "in progress" }, true],
  ["in progress by its words", 500, { status: true, responseCode: 202, message: "in progress" }, true],
  ["in progress by its delays", 500, { responseCode: 202, delay: [20, 20] }, true],
  ["in progress, with our orderId", 200, { status: false, responseCode: 202, data: { orderId: REFERENCE } }, true],
  ["without a body", 202, "", true],
  ["an empty object", 202, {}, true],
  ["no code", 202, { status: true, message: "in progress" }, true],
  ["a page of a proxy's", 202, "<html>", true],
  ["vended by its words", 200, { status: true, message: "Vend Successful" }, true],
  ["another code than for vended", 200, { status: true, responseCode: 101, data: { orderId: REFERENCE } }, true],
  ["a yes and no more", 200, { status: true }, true],
  ["no code, with our orderId", 200, { result: { data: { orderId: REFERENCE } } }, true, "requery"],
  ["no code, with a token", 200, { result: { status: true, data: { token: TOKEN } } }, true, "requery"],
  ["a failure with a token", 400, { status: false, responseCode: 202, data: { token: TOKEN } }, true, "requery"],
  ["a question that succeeded", 200, { status: true, message: "Successful" }, undefined, "requery"],
  ["an orderId that is not found", 200, { message: "Not found", data: { orderId: REFERENCE } }, undefined, "requery"],
  ["a torn answer with a token", 200, `{"status":true,"data":{"token":"${TOKEN}","units":"1`, true],
  ["a torn one of another's with a token", 200, `{"data":{"orderId":"x9","token":"${TOKEN}","units":"1`, undefined],
  ["another's token", 502, { responseCode: 503, data: { orderId: "other-1", token: TOKEN } }, undefined],
  ["the faults of the form", 422, { errors: { orderId: ["The order id has already been taken."] } }, true],
  ["the faults of the form, short", 422, { errors: { orderId: ["already exists"] } }, true],
  ["a form without an orderId", 422, { errors: { orderId: ["The order id is required."] } }, undefined],
  [
    "a low wallet by its code, and our orderId is used",
    422,
    { responseCode: 202, message: "orderId already received" },
    true,
  ],
  ["forbidden by its status, and our orderId is used", 403, { message: "Duplicate order" }, true],
  ["the same as a text", 403, "orderId already received", true],
  ["an orderId that was used and is another's", 422, { message: "Order id 0199ffff0000-1 already exists" }, undefined],
  ["not initiated", 400, { status: false, responseCode: 203 }, undefined],
  ["a request that is not valid", 400, { status: false, responseCode: 400, message: "meter is required" }, undefined],
  ["another's sale", 200, { status: true, responseCode: 200, data: sale({ orderId: "other" }) }, undefined],
  ["another meter's, without an orderId", 500, { responseCode: 500, data: { id: 7, meter: "04999999999" } }, undefined],
  ["a page", 502, "<html>order already received</html>", undefined],
  ["nothing", 200, "", undefined],
];

for (const [what, status, body, isKnown, call = "vend"] of ANSWERS)
  test(`HTTP ${status}, ${what}: unknown, and it is ${isKnown ? "shown" : "not shown"} that the vendor has it`, () => {
    const answered: Answered = {
      call,
      status,
      text: typeof body === "string" ? body : JSON.stringify(body),
      reference: REFERENCE,
      meter: METER,
      disco: "IKEJA",
      payload: { amount_kobo: "200000" },
    };
    const outcome = outcomeOf(answered);
    assert.equal(outcome.kind, "unknown");
    assert.equal(outcome.kind === "unknown" && outcome.isKnown, isKnown);
    const isSealed = isKnown && answered.text.includes(TOKEN);
    assert.equal("doubt" in outcome && outcome.doubt?.answer, isSealed ? answered.text : false, "a token is kept");
  });

test("a refusal that says nothing of our orderId stays one", () => {
  const more = { reference: REFERENCE, meter: METER, disco: "IKEJA", payload: { amount_kobo: "200000" } };
  for (const [status, text] of [
    [422, '{"status":false,"responseCode":202,"message":"Insufficient wallet balance"}'],
    [403, '{"message":"You may not sell this"}'],
    [403, "<html>order already received</html>"],
  ] as const)
    assert.equal(outcomeOf({ call: "vend", status, text, ...more }).kind, "rejected", text);
});
