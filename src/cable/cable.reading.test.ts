import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault, Refusal } from "../kernel/refusal.ts";
import { type PurchaseRequest, readPurchase } from "./cable.reading.ts";

const RENEWAL: PurchaseRequest = {
  provider: "dstv",
  kind: "renew",
  to: "08031234567",
  smartcard_number: "1212 1212-12",
};
const CHANGE: PurchaseRequest = { ...RENEWAL, kind: "change", plan_id: "dstv-6xaa0st1" };
const VOUCHER: PurchaseRequest = {
  provider: "showmax",
  kind: "change",
  to: "08031234567",
  plan_id: "showmax-90d-1m0c9q7x",
};

const PHONE = "2348031234567";
const CARD = { tvProvider: "dstv", smartcardNumber: "1212121212" };

const faultsOf = (request: PurchaseRequest): readonly string[] => {
  const read = readPurchase(request, "test");
  assert.ok(!read.ok && !("code" in read.error), JSON.stringify(read));
  return (read.error as readonly Fault[]).map(({ pointer, code }) => `${pointer} ${code}`);
};
const refusalOf = (request: PurchaseRequest): Refusal => {
  const read = readPurchase(request, "test");
  assert.ok(!read.ok && "code" in read.error, JSON.stringify(read));
  return read.error;
};

test("a renewal is of a card, a change of a bouquet for a card, and a voucher of a bouquet for a phone", () => {
  assert.deepEqual(readPurchase(RENEWAL, "test"), { ok: true, value: { kind: "renew", phone: PHONE, card: CARD } });
  assert.deepEqual(readPurchase({ ...CHANGE, verification_id: "ver_1" }, "test"), {
    ok: true,
    value: {
      kind: "change",
      provider: "dstv",
      planId: "dstv-6xaa0st1",
      phone: PHONE,
      card: CARD,
      verificationId: "ver_1",
    },
  });
  assert.deepEqual(readPurchase(VOUCHER, "test"), {
    ok: true,
    value: { kind: "change", provider: "showmax", planId: "showmax-90d-1m0c9q7x", phone: PHONE },
  });
});

test("what a TV provider does not renew is refused with what is possible there", () => {
  for (const provider of ["startimes", "showmax"] as const) {
    const { code, members, errors } = refusalOf({ ...RENEWAL, provider });
    assert.equal(code, "not_supported_by_provider");
    assert.deepEqual(members?.possible, { verify: provider === "startimes", kinds: ["change"] });
    assert.deepEqual(
      errors?.map(({ pointer }) => pointer),
      ["/kind"],
    );
  }
});

test("all faults of a request are told together, each at its field", () => {
  const { smartcard_number: _, ...cardless } = CHANGE;
  const { plan_id: _plan, ...planless } = CHANGE;
  assert.deepEqual(faultsOf(cardless), ["/smartcard_number required"]);
  assert.deepEqual(faultsOf(planless), ["/plan_id required"]);
  assert.deepEqual(faultsOf({ ...RENEWAL, plan_id: "dstv-6xaa0st1" }), ["/plan_id not_together"]);
  assert.deepEqual(faultsOf({ ...planless, smartcard_number: "12345", to: "12" }), [
    "/smartcard_number wrong_format",
    "/plan_id required",
    "/to invalid_phone_number",
  ]);
});

test("Showmax takes neither a card nor a verification", () => {
  assert.deepEqual(faultsOf({ ...VOUCHER, smartcard_number: "1212121212", verification_id: "ver_1" }), [
    "/smartcard_number not_together",
    "/verification_id not_together",
  ]);
});

test("a smartcard number has 10 or 11 digits, with its leading zero", () => {
  for (const number of ["0212345678", "02123456789", "1212-1212-12"])
    assert.ok(readPurchase({ ...RENEWAL, smartcard_number: number }, "test").ok, number);
  for (const number of ["121212121", "121212121212", "12121212AB", "١٢١٢١٢١٢١٢", "+1212121212", ""])
    assert.deepEqual(faultsOf({ ...RENEWAL, smartcard_number: number }), ["/smartcard_number wrong_format"], number);
});
