import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readAnswer } from "./answer.ts";
import { STATUS_TABLE, verificationOf } from "./verification.ts";

const DATA = {
  id: 111,
  domain: "live",
  status: "success",
  reference: "trf-1",
  amount: 500_000,
  requested_amount: 500_000,
  currency: "NGN",
  fees: 7_500,
  paid_at: "2026-10-03T13:07:21.000Z",
  authorization: { receiver_bank_account_number: "0000000000" },
  customer: { customer_code: "CUS_example" },
};

const read = (status: number, text: string, rules: Parameters<typeof verificationOf>[2] = {}) =>
  verificationOf("trf-1", readAnswer({ kind: "answered", status, headers: new Headers(), text }), rules);
const of = (data: object, rules: Parameters<typeof verificationOf>[2] = {}) =>
  read(200, JSON.stringify({ status: true, message: "Verification successful", data: { ...DATA, ...data } }), rules);

test("a success in naira is paid, and says who paid", () => {
  assert.deepEqual(of({}), {
    kind: "paid",
    amountKobo: 500_000n,
    paidAt: new Date("2026-10-03T13:07:21.000Z"),
    customer: "CUS_example",
    accountNumber: "0000000000",
  });
});

test("every status of the table means what it says, in any case of letters, and no other means anything", () => {
  for (const [status, meaning] of Object.entries(STATUS_TABLE)) {
    assert.equal(of({ status }).kind, meaning);
    assert.equal(of({ status: status.toUpperCase() }).kind, meaning);
  }
  for (const status of ["settling", "", null, 1, true, "constructor", "__proto__", undefined])
    assert.equal(of({ status }).kind, "unknown", String(status));
});

const NOT_PAID: readonly [name: string, data: object, kind: string][] = [
  ["another currency", { currency: "USD" }, "not_creditable"],
  ["no currency", { currency: null }, "not_creditable"],
  ["a sandbox's domain", { domain: "test" }, "not_creditable"],
  ["an amount with a fraction", { amount: 500_000.5 }, "unknown"],
  ["an amount in naira", { amount: "5000.00" }, "unknown"],
  ["a negative amount", { amount: -1 }, "unknown"],
  ["nothing", { amount: 0 }, "unknown"],
  ["an amount that a float can't hold", { amount: 2 ** 53 }, "unknown"],
  ["no amount", { amount: null }, "unknown"],
  ["no time", { paid_at: null }, "unknown"],
  ["somebody else's reference", { reference: "trf-2" }, "unknown"],
];
for (const [name, data, kind] of NOT_PAID) test(`${name} is not paid`, () => assert.equal(of(data).kind, kind));

test("fees that the payer bears are taken off, and without them the amount is not known", () => {
  const rules = { feesPaidBy: "payer" } as const;
  assert.deepEqual(of({ amount: 507_500 }, rules), of({}));
  assert.equal(of({ fees: null }, rules).kind, "unknown");
  assert.equal(of({ fees: 500_000 }, rules).kind, "unknown");
});

test("a success that comes with a fault's HTTP status is not believed", () => {
  const text = JSON.stringify({ status: true, message: "Verification successful", data: DATA });
  for (const status of [202, 301, 400, 404, 500, 503]) assert.equal(read(status, text).kind, "unknown", String(status));
});

test("only Paystack's own refusal says that there is no such transaction", () => {
  const refused = '{"status":false,"message":"Transaction reference not found"}';
  assert.equal(read(404, refused).kind, "not_found");
  assert.equal(read(400, refused).kind, "not_found");
  assert.equal(read(404, "<html>not found</html>").kind, "unknown");
  assert.equal(read(500, refused).kind, "unknown");
  assert.equal(read(401, '{"status":false,"message":"Invalid key"}').kind, "unknown");
  assert.equal(read(429, '{"status":false,"message":"Too many requests"}').kind, "unknown");
});

test("no JSON and no text whatever makes a payment that is not there, nor throws", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 599 }), fc.oneof(fc.json(), fc.string()), (status, text) => {
      assert.ok(["unknown", "not_found"].includes(read(status, text).kind));
    }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(DATA)), fc.jsonValue(), (name, value) => {
      const answer = of({ [name]: value });
      if (answer.kind === "paid") assert.ok(answer.amountKobo > 0n);
    }),
  );
});
