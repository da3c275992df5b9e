import assert from "node:assert/strict";
import { test } from "node:test";
import { inAWord } from "../../testing/purchase-task.ts";
import { outcomeOf } from "./outcomes.ts";

const REFERENCE = "0199a0b000007000800000000000000a-1";
const METER = "04123456784";
const TOKEN = "1234-5678-9012-3456-7890";
const OTHER_TOKEN = "0987-6543-2109-8765-4321";

type Body = Readonly<Record<string, unknown>>;
type Row = readonly [what: string, status: number, body: Body | string, outcome: string];

/** The vendor's sample of a vend, whole. */
const data = (more: Body = {}): Body => ({
  id: 5001,
  amountGenerated: 1860.47,
  tariff: null,
  debtAmount: 0,
  debtRemaining: 0,
  disco: "IKEJA",
  freeUnits: 0,
  orderId: REFERENCE,
  receiptNo: "RCPT000001",
  tax: 139.53,
  vendTime: "2026-10-03 14:07:21",
  token: TOKEN,
  totalAmountPaid: 2000,
  units: "12.8",
  vendAmount: 2000,
  vendRef: 880001,
  responseCode: 100,
  responseMessage: "Payment successful",
  charges: 0,
  demandCategory: "NMD",
  assetProvider: "IKEJA",
  parcels: [{ type: "TOKEN", content: TOKEN }],
  ...more,
});
const vended = (more: Body = {}, top: Body = {}): Body => ({
  status: true,
  responseCode: 200,
  data: data(more),
  ...top,
});
const failed = (more: Body = {}): Body => ({
  status: false,
  responseCode: 202,
  message: "Transaction failed.",
  ...more,
});
const absent = (more: Body = {}): Body => ({
  status: false,
  responseCode: 20,
  message: "No transaction found",
  ...more,
});

const judge = (call: "vend" | "requery", status: number, body: Body | string, meter: string) =>
  outcomeOf({
    call,
    status,
    text: typeof body === "string" ? body : JSON.stringify(body),
    reference: REFERENCE,
    meter,
    disco: "IKEJA",
    payload: { amount_kobo: "200000" },
  });

const judged = (call: "vend" | "requery", rows: readonly Row[], meter = METER) => {
  for (const [what, status, body, outcome] of rows)
    test(`to ${call}, HTTP ${status}, ${what}: ${outcome}`, () => {
      assert.equal(inAWord(judge(call, status, body, meter)), outcome);
    });
};

const FAILED = "rejected route vendor_failed";
const ALARM = "rejected route no_route alarm";

judged("requery", [
  ["failed", 400, failed(), FAILED],
  [
    "failed, with its code in the data",
    400,
    { result: failed({ data: { orderId: REFERENCE, responseCode: 202 } }) },
    FAILED,
  ],
  ["failed, vended around it", 200, { ...vended(), result: failed({ data: {} }) }, "unknown"],
  ["vended, failed around it", 200, { ...failed(), result: vended() }, "unknown"],
  ["failed, with a status of true", 200, failed({ status: true, data: { orderId: REFERENCE } }), "unknown"],
  [
    "failed, with status, receipt, units and number",
    200,
    { ...vended({ token: null, parcels: [] }), responseCode: 202 },
    "unknown",
  ],
  ["failed, with units", 400, failed({ data: { units: "12.8" } }), "unknown"],
  ["failed, with energy", 400, failed({ data: { amountGenerated: 1860.47 } }), "unknown"],
  [
    "failed, with none",
    400,
    failed({ data: { units: "0", amountGenerated: 0, vendAmount: 0, totalAmountPaid: 0 } }),
    FAILED,
  ],
  ["failed, with a status that is not listed", 400, failed({ data: { status: "COMPLETED" } }), "unknown"],
  ["failed, in words", 400, failed({ data: { status: "FAILED" } }), FAILED],
  ["failed, in a list that was vended", 400, failed({ data: [data()] }), "unknown"],
  ["failed, for another order", 400, failed({ data: [{ orderId: "x" }] }), "unknown"],
  ["failed, still processing by its data", 400, failed({ data: { responseCode: 201 } }), "unknown"],
  ["failed, with delays", 400, failed({ delay: [20, 20] }), "accepted"],
  ["failed, with delays that can't be kept", 400, failed({ delay: [99_999] }), "unknown"],
  ["failed, with delays of nothing", 400, failed({ delay: [0] }), FAILED],
  ["nobody knows it", 404, absent(), "not_found"],
  ["nobody knows it, without data", 404, absent({ data: { responseCode: 20, message: "x" } }), "not_found"],
  ["nobody knows it, with a status of true", 404, absent({ status: true, data: { orderId: REFERENCE } }), "unknown"],
  ["nobody knows it, and it is shown", 404, absent({ data: { orderId: REFERENCE } }), "unknown"],
  ["nobody knows it, and its receipt is shown", 404, { result: absent({ data: { receiptNo: "1" } }) }, "unknown"],
  ["failed, with a time and the meter", 400, failed({ message: "failed 2026-10-03 14:07:21 04123456784" }), FAILED],
  ["failed, at a time to the microsecond", 400, failed({ data: { vendTime: "2026-10-03 14:07:21.000000" } }), FAILED],
  ["failed, at such a time under another name", 400, failed({ at: "2026-10-03 14:07:21.000000" }), FAILED],
  ["failed, with numbers of the vendor's", 400, failed({ data: { receiptNo: "12022609231824320001" } }), FAILED],
]);

judged("vend", [
  ["vended", 200, vended(), "done"],
  ["vended, in the vendor's words", 200, vended({ status: "SUCCESSFUL" }), "done"],
  ["vended, in words of nobody's", 200, vended({ status: "COMPLETED" }), "done"],
  ["vended, and failed in words", 200, vended({ status: "FAILED" }), "unknown"],
  ["vended, with an error", 200, vended({}, { error: true }), "unknown"],
  ["vended, without one", 200, vended({}, { error: false }), "done"],
  ["vended, with delays", 200, vended({}, { delay: [20, 20] }), "unknown"],
  ["vended, with delays around it", 200, { data: { delay: ["20"] }, result: vended() }, "unknown"],
  ["vended, as Abuja's samples have it", 200, vended({ vendAmount: 0 }), "done"],
  ["vended, nothing of another amount paid", 200, vended({ vendAmount: 0, totalAmountPaid: 5 }), "unknown"],
  ["vended, 5 of 2000 paid", 200, vended({ vendAmount: 5 }), "unknown"],
  ["vended, 5 paid of 2000", 200, vended({ totalAmountPaid: 5 }), "unknown"],
  ["vended, less a commission", 200, vended({ totalAmountPaid: 1960 }), "done"],
  ["vended, less charges", 200, vended({ vendAmount: 1900, charges: 100 }), "done"],
  ["vended at another disco", 200, vended({ disco: "EKO" }), "unknown"],
  ["vended at another disco, in small letters", 200, vended({ disco: "eko" }), "unknown"],
  ["vended at a disco of another name", 200, vended({ disco: "IKEJA ELECTRIC" }), "done"],
  ["vended to another meter", 200, vended({ meterNumber: "2222222222222" }), "unknown"],
  ["vended to a meter that ends like ours", 200, vended({ meterNo: "9904123456784" }), "unknown"],
  ["vended, with another token than its parcel", 200, vended({ token: OTHER_TOKEN }), "unknown"],
  [
    "vended, with two tokens and one of them named",
    200,
    vended({ parcels: [TOKEN, OTHER_TOKEN].map((content) => ({ type: "TOKEN", content })) }),
    "done",
  ],
  [
    "vended, with two of one key change",
    200,
    vended({
      parcels: [
        ["TOKEN", TOKEN],
        ["KCT1", TOKEN],
        ["KCT1", OTHER_TOKEN],
      ].map(([type, content]) => ({ type, content })),
    }),
    "unknown",
  ],
  ["unauthorized", 401, { status: false, responseCode: 401, message: "Unauthorized" }, ALARM],
  ["unauthorized, with a page", 403, "<html>", ALARM],
  ["unauthorized, without a word", 401, "", ALARM],
  ["unauthorized, torn", 401, JSON.stringify(vended()).slice(0, -3), "unknown"],
  ["unauthorized, torn before our reference", 401, JSON.stringify(vended()).slice(0, 60), "unknown"],
  ["unauthorized, with a status of true", 403, { status: true, message: "ok" }, "unknown"],
  ["unauthorized, vended without a token", 403, { status: false, data: { units: "12.8" } }, "unknown"],
  ["wallet too low", 422, failed(), ALARM],
  ["wallet too low, vended", 422, failed({ data: data() }), "unknown"],
]);

judged("vend", [["vended to no meter", 200, vended({ meter: "0" }), "unknown"]], "00000000000");

test("a disco's other code is its own", () => {
  const at = (disco: string, said: string) => {
    const text = JSON.stringify(vended({ disco: said }));
    const payload = { amount_kobo: "200000" };
    return outcomeOf({ call: "vend", status: 200, text, reference: REFERENCE, meter: METER, disco, payload }).kind;
  };
  assert.deepEqual([at("APLE", "ABA"), at("ABA", "APLE"), at("ABA", "PH")], ["done", "done", "unknown"]);
});

test("what contradicts what is told to the operator", () => {
  const outcome = judge("requery", 400, failed({ data: { units: "12.8" } }), METER);
  const detail = 'it is said to have failed, and "units" says "12.8"';
  assert.deepEqual(outcome, { kind: "unknown", detail, isKnown: true });
});
