import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fields } from "../../../vendor-text/fields.ts";
import { readVouchers } from "./cable-vouchers.ts";

const CODE = "SHMVHXQ9L3RXGPU";
const PHONE = "2348031234567";

const read = (body: Fields) => readVouchers(body, [PHONE]);

test("a voucher in purchased_code, in the list and in a requery's extras is one voucher", () => {
  const pay = { purchased_code: CODE, Voucher: [CODE], content: { transactions: { status: "delivered" } } };
  assert.deepEqual(read(pay), { vouchers: [CODE], unread: [] });
  const requery = { ...pay, content: { transactions: { status: "delivered", extras: CODE } } };
  assert.deepEqual(read(requery), { vouchers: [CODE], unread: [] });
  assert.deepEqual(read({ purchased_code: `Voucher: ${CODE}`, Voucher: CODE }).vouchers, [CODE]);
});

test("nothing, empty and null fields are no voucher yet", () => {
  for (const body of [{}, { purchased_code: "", Voucher: [] }, { purchased_code: null, Voucher: null }])
    assert.deepEqual(read(body), { vouchers: [], unread: [] });
});

test("two different vouchers are both kept; what is none of a known form is told apart", () => {
  assert.deepEqual(read({ purchased_code: CODE, Voucher: ["SHM0000000000A1"] }).vouchers, [CODE, "SHM0000000000A1"]);
  for (const text of ["Successful", "Your voucher was sent by SMS", "1234", "x".repeat(41)])
    assert.deepEqual(read({ purchased_code: text }), { vouchers: [], unread: [text] });
});

for (const phone of [
  "08031234567",
  "8031234567",
  "2348031234567",
  "+234 803 123 4567",
  "0803-123-4567",
  "Tel 0803 123 4567",
])
  test(`the purchase's own phone is no voucher: ${phone}`, () => {
    assert.deepEqual(read({ purchased_code: "", extras: phone }), { vouchers: [], unread: [] });
    assert.deepEqual(read({ purchased_code: CODE, extras: phone }), { vouchers: [CODE], unread: [] });
  });

for (const text of [
  "08099999999",
  "1234567890123456",
  "1234-5678-9012",
  "SUCCESSFUL",
  "Showmax 30 days",
  "Mobile 1 month",
])
  test(`a voucher has letters and digits, in groups of three or more: ${text} is none`, () => {
    assert.deepEqual(read({ extras: text }), { vouchers: [], unread: [text] });
  });

for (const text of [
  CODE.toLowerCase(),
  "SHMV-HXQ9-L3RX-GPU",
  "SHMV HXQ9 L3RX GPU",
  `Showmax Voucher: ${CODE}`,
  `Showmax Mobile voucher code = ${CODE}`,
  `Voucher ${CODE}`,
  `PIN: ${CODE.toLowerCase()}`,
])
  test(`a voucher is one however it is spelled: ${text}`, () => {
    assert.deepEqual(read({ purchased_code: CODE, Voucher: [text] }), { vouchers: [CODE], unread: [] });
    assert.equal(read({ purchased_code: text }).vouchers.length, 1);
  });
