import assert from "node:assert/strict";
import { test } from "node:test";
import { addressKey, isSameAddress, isSubscriber } from "./address.ts";

const MOBILE_FORMS: readonly string[] = [
  "2348031460021",
  "+2348031460021",
  "08031460021",
  "8031460021",
  "23408031460021",
  "+23408031460021",
  "002348031460021",
  "0092348031460021",
  "+234 803 146 0021",
  "0803-146-0021",
  "(0803) 146.0021",
  "8031460021\n",
  "\r\n08031460021\r\n",
  "\u00a0+234\u00a0803\u00a0146\u00a00021",
  "\u202a+2348031460021\u202c", // as copied from a phone's contacts
  "\ufeff2348031460021",
  "0803\u2011146\u20130021",
  "0032348031460021", // with the routing number of the network that the number was ported to
];
for (const form of MOBILE_FORMS) {
  test(`${form} is the subscriber 2348031460021`, () => {
    assert.equal(addressKey(form), "2348031460021");
    assert.ok(isSubscriber(form));
  });
}

const KEPT: readonly (readonly [address: string, key: string, isSubscriber: boolean])[] = [
  ["32811", "32811", false],
  ["+32811", "32811", false],
  ["0700", "0700", false],
  ["20002000", "20002000", false],
  ["Afara", "afara", false],
  [" ACME Ltd ", "acme ltd", false],
  ["A-1", "a-1", false],
  ["\u00a0Afara\r\n", "afara", false],
  ["ÀFARA", "Àfara", false],
  ["234803XXXX021", "234803xxxx021", false],
  ["", "", false],
  ["02013300000", "2342013300000", true],
  ["+2342013300000", "2342013300000", true],
  ["447012345678", "447012345678", true],
  ["00447012345678", "447012345678", true],
  ["17185550123", "17185550123", true],
  ["00923481234567", "923481234567", true],
];
for (const [address, key, subscriber] of KEPT) {
  test(`${JSON.stringify(address)} is compared as ${key} and is ${subscriber ? "a" : "no"} subscriber's number`, () => {
    assert.deepEqual([addressKey(address), isSubscriber(address)], [key, subscriber]);
  });
}

test("numbers of other countries whose last ten digits are a Nigerian mobile number's are not that number", () => {
  for (const foreign of ["447031460021", "+18031460021", "00448031460021"])
    assert.equal(isSameAddress(foreign, "2348031460021"), false, foreign);
});

test("the one form of an address is its own one form", () => {
  for (const address of [...MOBILE_FORMS, ...KEPT.map(([address]) => address)])
    assert.equal(addressKey(addressKey(address)), addressKey(address));
});
