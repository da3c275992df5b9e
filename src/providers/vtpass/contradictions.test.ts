import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { inAWord, PURCHASES } from "../../testing/purchase-task.ts";
import type { Answered } from "./answered.ts";
import { outcomeOf } from "./outcomes.ts";

const REFERENCE = "202610031407a1b2c3";
const METER = "1111111111111";
const TOKEN = "26362054405982757802";
const OTHER_TOKEN = "11112054405982757802";

type Body = Readonly<Record<string, unknown>>;
type Row = readonly [what: string, body: Body | string, outcome: string, more?: Partial<Answered>];

/** The vendor's sample of a sale of airtime, whole. */
const sold = (transaction: Body = {}, top: Body = {}): Body => ({
  code: "000",
  response_description: "TRANSACTION SUCCESSFUL",
  requestId: REFERENCE,
  amount: 500,
  transaction_date: "2026-10-03T13:07:21.000000Z",
  purchased_code: "",
  content: {
    transactions: {
      status: "delivered",
      product_name: "MTN Airtime VTU",
      unique_element: "08011111111",
      unit_price: 500,
      quantity: 1,
      service_verification: null,
      channel: "api",
      commission: 15,
      total_amount: 485,
      discount: null,
      type: "Airtime Recharge",
      email: "ops@example.test",
      phone: "08000000000",
      name: null,
      convinience_fee: 0,
      amount: 500,
      platform: "api",
      method: "api",
      transactionId: "17590000000000000000000001",
      commission_details: { rate: "3.00", rate_type: "percent" },
      ...transaction,
    },
  },
  ...top,
});
const energy = (transaction: Body = {}, top: Body = {}): Body =>
  sold(
    { unique_element: METER, unit_price: 2000, amount: 2000, ...transaction },
    { purchased_code: `Token : ${TOKEN}`, token: `Token : ${TOKEN}`, units: "79.9 kWh", meterNumber: "N/A", ...top },
  );
/** It failed, and no token is told. */
const unsold = (top: Body = {}, transaction: Body = {}): Body =>
  sold(
    { status: "failed", unique_element: METER, unit_price: 2000, amount: 2000, ...transaction },
    { code: "016", response_description: "TRANSACTION FAILED", ...top },
  );
const coded = (code: string, status: unknown): Body => sold({ status }, { code });

const judged = (rows: readonly Row[], common: Partial<Answered>) => {
  for (const [what, body, outcome, more] of rows)
    test(`${common.payload?.product}, ${what}: ${outcome}`, () => {
      const answered: Answered = {
        call: "pay",
        status: 200,
        text: typeof body === "string" ? body : JSON.stringify(body),
        reference: REFERENCE,
        recipient: "2348011111111",
        payload: PURCHASES.airtime,
        duplicateWaitMs: 30_000,
        ...common,
        ...more,
      };
      assert.equal(inAWord(outcomeOf(answered)), outcome);
    });
};

const FAILED = "rejected route vendor_failed";
const ALARM = "rejected route no_route alarm";
const requery = { call: "requery" } as const;
const at = (status: number) => ({ status });

judged(
  [
    ["016, and failed", coded("016", "failed"), FAILED],
    ["016, and Failed", coded("016", "Failed"), FAILED],
    ...["pending", "initiated", "Delivered", "successful", "delivered", "reversed", true, "ok"].map(
      (status): Row => [`016, and ${status}`, coded("016", status), "unknown"],
    ),
    ["091, and pending", coded("091", "pending"), "unknown"],
    ["018, and pending", coded("018", "pending"), "unknown"],
    ["018, and failed", coded("018", "failed"), ALARM],
    ["013, and delivered", coded("013", "delivered"), "unknown"],
    [
      "016, with a list that has one delivered",
      sold({}, { code: "016", content: { transactions: [{ status: "failed" }, { status: "delivered" }] } }),
      "unknown",
    ],
    [
      "016, with a list that failed",
      sold({}, { code: "016", content: { transactions: [{ status: "failed" }] } }),
      FAILED,
    ],
    ["016, with a list of another", { code: "016", content: { transactions: [{ requestId: "x" }] } }, "unknown"],
    ["016, delivered beside it", { code: "016", requestId: REFERENCE, content: { status: "delivered" } }, "unknown"],
    ["016, with another code in it", { code: "016", content: { code: "000" } }, "unknown"],
    ["016, with another Code", { Code: "000", code: "016" }, "unknown"],
    ["016, with a success", { code: "016", success: true }, "unknown"],
    ["016, with none", { code: "016", success: false, content: { errors: "x" } }, FAILED],
    ["016, without its request_id", coded("016", "failed"), FAILED],
    ["016, ours but for the request_id", sold({ status: "failed" }, { code: "016", requestId: undefined }), FAILED],
    [
      "016, without a request_id, for another phone",
      sold({ status: "failed", unique_element: "08099999999" }, { code: "016", requestId: undefined }),
      "unknown",
    ],
    ["000 failed, without a request_id", sold({ status: "failed" }, { requestId: undefined }), "unknown"],
    ["015, and shown as pending", coded("015", "pending"), "unknown", requery],
    ["015, and shown", coded("015", null), "unknown", requery],
    [
      "015, with an empty transaction",
      { code: "015", content: { transactions: { status: null } } },
      "not_found",
      requery,
    ],
    ["019, and shown as pending", coded("019", "pending"), "unknown"],
    ["019, and shown as failed", coded("019", "failed"), "unknown"],
    ["019", { code: "019", content: { errors: "LIKELY DUPLICATE TRANSACTION" } }, "throttled"],
    [
      "delivered, failed beside it",
      sold({}, { content: { ...(sold().content as Body), status: "failed" } }),
      "unknown",
    ],
    ["delivered, with a failure's code in it", sold({ code: "016" }), "unknown"],
    ["delivered, under HTTP 401", sold(), "unknown", at(401)],
    ["HTTP 401, torn", JSON.stringify(sold()).slice(0, -5), "unknown", at(401)],
    ["HTTP 401, torn at its head", JSON.stringify(sold()).slice(90), "unknown", at(401)],
    ["HTTP 403, with its code twice", '{"code":"000","code":"016"}', "unknown", at(403)],
    ["HTTP 401, delivered without a code", { content: { transactions: { status: "delivered" } } }, "unknown", at(401)],
    ["HTTP 401, with words", { message: "Unauthenticated." }, ALARM, at(401)],
    ["HTTP 403, with a page", "<html><script>{}</script></html>", ALARM, at(403)],
    [
      "040, without a status, with the net",
      sold({ status: undefined, amount: 485 }, { code: "040" }),
      "reversed",
      requery,
    ],
    ["040, of more than that", sold({ status: undefined, amount: 600 }, { code: "040" }), "unknown", requery],
    ["040, of a part", sold({ status: undefined, amount: 5 }, { code: "040" }), "unknown", requery],
    ["040, and failed", sold({ status: "failed", amount: 485 }, { code: "040" }), "reversed", requery],
    ["040, and successful", coded("040", "successful"), "unknown", requery],
  ],
  { payload: PURCHASES.airtime },
);

judged(
  [
    ["delivered, with its token", energy(), "done"],
    ["delivered, with a disco's own words", energy({}, { status: "ACCEPTED", responseCode: 100 }), "done"],
    ["delivered, the disco says failed", energy({}, { status: "FAILED" }), "unknown"],
    ["delivered to our meter", energy({}, { meterNumber: METER }), "done"],
    ["delivered, with the token of another meter", energy({}, { meterNumber: "2222222222222" }), "unknown"],
    ["delivered, another meter deep in it", energy({ extras: { meter_number: "2222222222222" } }), "unknown"],
    ["delivered, with two tokens", energy({}, { purchased_code: `Token : ${OTHER_TOKEN}` }), "unknown"],
    ["delivered, with another in the extras", energy({ extras: { token: OTHER_TOKEN } }), "unknown"],
    ["delivered, with two key changes", energy({}, { kct1: TOKEN, KCT1: OTHER_TOKEN }), "unknown"],
    [
      "delivered, with the same token and bonus under several names",
      energy({}, { purchased_code: `Token : ${TOKEN} Bonus Token : ${OTHER_TOKEN}`, bonusToken: OTHER_TOKEN }),
      "done",
    ],
    [
      "delivered, with two bonuses",
      energy({}, { bonusToken: OTHER_TOKEN, bonus_token: METER + METER.slice(6) }),
      "unknown",
    ],
    [
      "delivered to a meter that ours is the end of",
      energy({ unique_element: "9991123456784" }),
      "unknown",
      { recipient: "123456784" },
    ],
    [
      "delivered to some meter, ours being zeros",
      energy({ unique_element: "555" }),
      "unknown",
      { recipient: "00000000000" },
    ],
    [
      "delivered to our meter as a number",
      energy({ unique_element: "4123456784" }),
      "done",
      { recipient: "04123456784" },
    ],
    ["delivered to Port Harcourt's meter", energy({ unique_element: `61${METER}` }), "done"],
    ["016", unsold(), FAILED],
    ["016, with a token", unsold({ token: TOKEN }), "unknown"],
    ["016, with units", unsold({ units: "79.9 kWh" }), "unknown"],
    ["016, with units of nothing", unsold({ units: "0.0 kWh" }), FAILED],
    ["016, the disco succeeded", unsold({ responseCode: 100 }), "unknown"],
    ["016, with a time of PHP's", unsold({ date: { date: "2020-09-23 18:24:32.000000", timezone_type: 3 } }), FAILED],
    ["016, created at one", unsold({}, { created_at: "2020-09-23 18:24:32.000000" }), FAILED],
    ["016, with the disco's reference", unsold({ exchangeReference: "12022609231824320001" }), FAILED],
    ["016, with a longer one", unsold({ exchangeReference: "12022609231824320000001" }), FAILED],
    [
      "016, with the vendor's number",
      unsold({ response_description: "TRANSACTION FAILED: 20261003140712345678" }),
      FAILED,
    ],
    [
      "016, with phone, amount and meter",
      unsold({ response_description: "TRANSACTION FAILED 08011111111 / 2000.00 / 1111" }),
      FAILED,
    ],
    [
      "040, with its token and the disco's words",
      energy({ status: "reversed" }, { code: "040", status: "ACCEPTED", responseCode: 100 }),
      "reversed",
      requery,
    ],
  ],
  { payload: { ...PURCHASES.electricity, amount_kobo: "200000" }, recipient: METER },
);

test("a refusal beside any other word of what became of it decides nothing, however deep that stands", () => {
  const refusals = fc.constantFrom("013", "016", "018", "034", "091");
  const word = fc.oneof(
    fc.constantFrom("delivered", "Pending", "successful", true),
    fc.stringMatching(/^[a-z]{1,12}$/),
  );
  const names = fc.array(fc.constantFrom("content", "transactions", "extras", "data", "0"), { maxLength: 5 });
  fc.assert(
    fc.property(refusals, word, names, fc.boolean(), (code, status, path, isListed) => {
      fc.pre(!["failed", "false", "nil", "null"].includes(String(status)));
      const inner = path.reduceRight<Body>((value, name) => ({ [name]: isListed ? [value] : value }), { status });
      const text = JSON.stringify({ ...inner, code });
      const { kind } = outcomeOf({
        call: "pay",
        status: 200,
        text,
        reference: REFERENCE,
        recipient: "2348011111111",
        payload: PURCHASES.airtime,
        duplicateWaitMs: 30_000,
      });
      assert.equal(kind, "unknown", text);
    }),
  );
});

test("what contradicts what is told to the operator, without a token", () => {
  const detail = (body: Body) => {
    const outcome = outcomeOf({
      call: "pay",
      status: 200,
      text: JSON.stringify(body),
      reference: REFERENCE,
      recipient: METER,
      payload: { ...PURCHASES.electricity, amount_kobo: "200000" },
      duplicateWaitMs: 30_000,
    });
    return outcome.kind === "unknown" && outcome.detail;
  };
  assert.equal(detail(unsold({ units: "79.9" })), 'it is said to have failed, and "units" says "79.9"');
  assert.equal(detail(unsold({ token: TOKEN })), "it is said to have failed, and has a token");
  assert.equal(detail(energy({}, { status: "pending" })), 'it is said to be delivered, and "status" says "pending"');
  assert.equal(
    detail(energy({}, { token: OTHER_TOKEN })),
    "it is said to be delivered, and has two tokens of one kind (credit)",
  );
  assert.equal(
    detail(unsold({}, { status: TOKEN })),
    'it is said to have failed, and "status" says "**** **** **** **** 7802"',
  );
});
