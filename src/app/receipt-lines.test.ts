import assert from "node:assert/strict";
import { test } from "node:test";
import { AIRTIME_RECEIPTS } from "../airtime/receipt.ts";
import { CABLE_RECEIPTS } from "../cable/receipt.ts";
import { ELECTRICITY_RECEIPTS } from "../electricity/receipt.ts";
import { kobo } from "../kernel/kobo.ts";
import type { Order } from "../orders/order.ts";
import { PURCHASE_STEPS } from "../purchases/purchase.steps.ts";
import type { ServiceReceipts } from "../purchases/receipt.replies.ts";
import { receiptDocument, receiptOf } from "../purchases/receipt.ts";
import { makeTokenSeal } from "../purchases/tokens.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import { SERVICES } from "./services.ts";

const PLAN = { id: "p", code: "c", provider: "v", name: "A plan", cost_kobo: "100000" };
const VIEW = { seal: makeTokenSeal("a secret of the server"), mayVend: true };

/** What each service sells, with the words of its lines of money and VAT. */
const SOLD: readonly (readonly [service: string, payload: object, what: string])[] = [
  ["airtime", { product: "airtime", network: "mtn" }, "airtime"],
  ["airtime", { product: "data", network: "mtn", plan: PLAN }, "data"],
  ["electricity", { product: "electricity", disco: "ikeja-electric", meter_type: "prepaid" }, "electricity"],
  ["cable", { product: "cable", tv_provider: "dstv", kind: "renew" }, "the TV subscription"],
  ["cable", { product: "cable", tv_provider: "showmax", kind: "change", plan: PLAN }, "the TV subscription"],
];

function linesOf<Own extends object>(receipts: ServiceReceipts<Own>, payload: object) {
  const order = {
    ...SMS_ORDER,
    service: receipts.line.service,
    state: "successful",
    recipient: "2348031234567",
    priceKobo: kobo(110_000),
    taxKobo: kobo(7_674),
    payload: {
      ...payload,
      phone: "2348031234567",
      amount_kobo: "100000",
      paid_for_kobo: "100000",
      vat_basis_points: 750,
      customer: { name: "TEST CUSTOMER", address: null },
    },
  } as unknown as Order;
  const receipt = receiptOf(order, receipts.own(order, VIEW), undefined);
  return receiptDocument(receipt, receipts.lines(receipt), undefined);
}

function documentOf(service: string, payload: object) {
  if (service === "airtime") return linesOf(AIRTIME_RECEIPTS, payload);
  return service === "cable" ? linesOf(CABLE_RECEIPTS, payload) : linesOf(ELECTRICITY_RECEIPTS, payload);
}

test("a receipt of each service names what was paid for and the VAT on it, in grammatical words", () => {
  for (const [service, payload, what] of SOLD) {
    const { money, tax } = documentOf(service, payload);
    assert.equal(money[0]?.[0], `Paid for ${what}`);
    assert.deepEqual(
      tax.map(([label]) => label),
      [`VAT on ${what}`, "VAT on the service fee", "VAT in the total"],
    );
  }
  const sellers = SERVICES.filter(({ table }) => table === PURCHASE_STEPS).map(({ service }) => service);
  assert.deepEqual(new Set(SOLD.map(([service]) => service)), new Set(sellers));
});
