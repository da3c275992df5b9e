import assert from "node:assert/strict";
import { test } from "node:test";
import { segmentText } from "../kernel/segments.ts";
import type { ElectricityFacts, ElectricityPayload, ElectricityToken } from "../ports/electricity-payload.ts";
import { electricityNotice } from "./notice.ts";

const purchase = (payload: ElectricityPayload, facts: ElectricityFacts = {}) => ({
  recipient: "11111111111",
  payload: { ...payload, paid_for_kobo: "500000" },
  facts: { ...facts },
});

const ELECTRICITY: ElectricityPayload = {
  product: "electricity",
  disco: "ikeja-electric",
  meter_type: "prepaid",
  amount_kobo: "500000",
  phone: "2348031234567",
  customer: { name: "ADA OBI", address: null },
};
const CREDIT: ElectricityToken = { kind: "credit", value: "12345678901234567890", units_kwh: "22.2" };

test("the customer of electricity gets the token in groups of four, in one SMS; what is shown of it is masked", () => {
  const { text, shownAs } = electricityNotice(purchase(ELECTRICITY, { units_kwh: "22.2" }), [CREDIT]);
  assert.equal(
    text,
    "Ikeja Electric, meter 11111111111. Token: 1234 5678 9012 3456 7890. Units: 22.2 kWh. Paid: NGN 5,000.00.",
  );
  assert.equal(
    shownAs,
    "Ikeja Electric, meter 11111111111. Token: **** **** **** **** 7890. Units: 22.2 kWh. Paid: NGN 5,000.00.",
  );
  assert.deepEqual([segmentText(text).encoding, segmentText(text).segments], ["gsm7", 1]);
});

test("several tokens are numbered in the order in which the meter takes them", () => {
  const { text, shownAs } = electricityNotice(purchase(ELECTRICITY), [
    { kind: "kct1", value: "00000000000000000001" },
    { kind: "kct2", value: "00000000000000000002" },
    CREDIT,
  ]);
  assert.equal(
    text,
    "Ikeja Electric, meter 11111111111. Enter these tokens in this order: 1) 0000 0000 0000 0000 0001 2) 0000 0000 0000 0000 0002 3) 1234 5678 9012 3456 7890. Paid: NGN 5,000.00.",
  );
  assert.doesNotMatch(shownAs ?? "", /1234|5678/);
});
