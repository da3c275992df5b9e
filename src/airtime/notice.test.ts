import assert from "node:assert/strict";
import { test } from "node:test";
import type { AirtimeFacts, AirtimePayload, DataPayload } from "../ports/airtime-payload.ts";
import { airtimeNotice } from "./notice.ts";

const purchase = (payload: AirtimePayload | DataPayload, facts: AirtimeFacts = {}) => ({
  recipient: "2348031234567",
  payload: { ...payload, paid_for_kobo: "50000" },
  facts: { ...facts },
});

test("airtime names the network that the vendor found, data its plan; neither is a secret", () => {
  const airtime = purchase({ product: "airtime", network: "mtn", amount_kobo: "50000" }, { network: "glo" });
  assert.deepEqual(airtimeNotice(airtime, []), { text: "You have received NGN 500.00 of Glo airtime." });
  const plan = { id: "p", code: "c", provider: "v", name: "MTN 1GB 30 Days", cost_kobo: "1" };
  assert.deepEqual(airtimeNotice(purchase({ product: "data", network: "mtn", plan }), []), {
    text: "You have received this data plan: MTN 1GB 30 Days.",
  });
});

test("the customer of airtime is told what came, not what was bought", () => {
  const airtime: AirtimePayload = { product: "airtime", network: "mtn", amount_kobo: "50000" };
  const { text } = airtimeNotice(purchase(airtime, { delivered_amount: "455.00" }), []);
  assert.equal(text, "You have received NGN 455.00 of MTN airtime.");
});
