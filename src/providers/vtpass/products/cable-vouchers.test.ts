import assert from "node:assert/strict";
import { test } from "node:test";
import { readVouchers } from "./cable-vouchers.ts";

const CODE = "SHMVHXQ9L3RXGPU";

test("a voucher in purchased_code, in the list and in a requery's extras is one voucher", () => {
  const pay = { purchased_code: CODE, Voucher: [CODE], content: { transactions: { status: "delivered" } } };
  assert.deepEqual(readVouchers(pay), { vouchers: [CODE], unread: [] });
  const requery = { ...pay, content: { transactions: { status: "delivered", extras: CODE } } };
  assert.deepEqual(readVouchers(requery), { vouchers: [CODE], unread: [] });
  assert.deepEqual(readVouchers({ purchased_code: `Voucher: ${CODE}`, Voucher: CODE }).vouchers, [CODE]);
});

test("nothing, empty and null fields are no voucher yet", () => {
  for (const body of [{}, { purchased_code: "", Voucher: [] }, { purchased_code: null, Voucher: null }])
    assert.deepEqual(readVouchers(body), { vouchers: [], unread: [] });
});

test("two different vouchers are both kept; what is none of a known form is told apart", () => {
  assert.deepEqual(readVouchers({ purchased_code: CODE, Voucher: ["SHM0000000000A1"] }).vouchers, [
    CODE,
    "SHM0000000000A1",
  ]);
  for (const text of ["Successful", "Your voucher was sent by SMS", "1234", "x".repeat(41)])
    assert.deepEqual(readVouchers({ purchased_code: text }), { vouchers: [], unread: [text] });
});
