import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeId, newUuid } from "../kernel/ids.ts";
import { momentOr } from "./arguments.ts";
import { readOrderId, recipientText, referenceForms } from "./order-names.ts";

for (const [written, stored] of [
  ["8F3C", "8f3c"], // compared as text
  ["8F3C", "36668"], // hexadecimal in the answer, decimal in the receipt
  ["0x8f3c", "36668"],
  ["0000012345", "12345"],
  ["12345", "74565"], // digits that are hexadecimal
  ["wamid.HBgNMjM0ODAz", "wamid.HBgNMjM0ODAz"], // upper and lower case differ
] as const) {
  test(`a vendor's number that is written ${written} is found as ${stored}`, () => {
    assert.ok(referenceForms(written).includes(stored), referenceForms(written).join(" "));
  });
}

test("an order is named by its id with a prefix or as the log has it, and by nothing else", () => {
  const id = newUuid();
  assert.equal(readOrderId(encodeId("msg", id)), id);
  assert.equal(readOrderId(encodeId("pur", id)), id);
  assert.equal(readOrderId(id), id);
  assert.equal(readOrderId(encodeId("req", id)), undefined);
});

test("a recipient is written as its service writes it", () => {
  assert.equal(recipientText({ service: "sms", recipient: "2348031234567" }), "+2348031234567");
  assert.equal(recipientText({ service: "airtime", recipient: "2348031234567" }), "+2348031234567");
  assert.equal(recipientText({ service: "electricity", recipient: "11111111111" }), "11111111111");
});

const NOW = new Date("2026-11-28T12:00:00.000Z");
for (const [text, at] of [
  ["24h", "2026-11-27T12:00:00.000Z"],
  ["7d", "2026-11-21T12:00:00.000Z"],
  ["2026-11-28", "2026-11-27T23:00:00.000Z"], // a day in Lagos begins an hour before UTC's
  ["today", "2026-11-27T23:00:00.000Z"],
  ["yesterday", "2026-11-26T23:00:00.000Z"],
  ["2026-11-28T09:00:00Z", "2026-11-28T09:00:00.000Z"],
] as const) {
  test(`since ${text} is since ${at}`, () => {
    assert.equal(momentOr("from")(text)(NOW).toISOString(), at);
  });
}

test("what is no moment is refused with each form that is one", () => {
  for (const text of ["tomorrow", "2026-02-30", "1w", ""])
    assert.throws(() => momentOr("from")(text), /24h, 7d.*2026-11-28, today, yesterday.*2026-11-28T09:00:00Z/);
});

test("until a day is until its end", () => {
  assert.equal(momentOr("to")("2026-11-28")(NOW).toISOString(), "2026-11-28T22:59:59.999Z");
  assert.equal(momentOr("to")("yesterday")(NOW).toISOString(), "2026-11-27T22:59:59.999Z");
});
