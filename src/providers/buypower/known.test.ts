import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answered, outcomeOf } from "./outcomes.ts";

/** Answers that decide nothing, and whether they show that the vendor has the purchase all the same. */

const REFERENCE = "0199a0b000007000800000000000000a-1";
const METER = "04123456784";

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
  ["an unexpected error that echoes our orderId", 500, { responseCode: 500, data: { orderId: REFERENCE } }, undefined],
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
  });
