import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import type { Order } from "../orders/order.ts";
import type { ElectricityPayload } from "../ports/electricity-payload.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import type { StoredPurchase } from "./purchase.ts";
import { type PurchaseViewOptions, purchaseView } from "./purchase.view.ts";
import { makeTokenSeal, type TokenForm } from "./tokens.ts";

const seal = makeTokenSeal("a secret of the server");
const tokens: TokenForm = {
  kinds: ["credit"],
  written: (value) => `whole ${value}`,
  masked: (value) => `masked ${value.slice(-4)}`,
  valueText: "",
  useText: "",
};
const line: PurchaseViewOptions["line"] = {
  subjectOf: ({ recipient }) => ({ to: recipient }),
  deliveredOf: ({ facts }) => ({ units_kwh: facts?.units_kwh }),
  tokens,
};
const id = newUuid();
const payload: StoredPurchase & ElectricityPayload = {
  product: "electricity",
  disco: "ikeja-electric",
  meter_type: "prepaid",
  amount_kobo: "200000",
  phone: "2348031234567",
  customer: { name: "TEST CUSTOMER", address: null },
  paid_for_kobo: "200000",
};
const facts = seal.seal(id, {
  tokens: [{ kind: "credit", value: "12345678901234567890", units_kwh: "12.8" }],
  units_kwh: "12.8",
  breakdown: { energy: "1860.47", vat: "139.53" },
});
const purchase: Order = {
  ...SMS_ORDER,
  id,
  service: "electricity",
  ambiguity: "requery",
  recipient: "14123456780",
  priceKobo: kobo(205_000),
  payload,
  facts,
};
/** What the line shows of the delivery. */
const delivered = (view: object) => ("units_kwh" in view ? [view.units_kwh] : []);
const viewIn = (state: string, mayVend = true) =>
  purchaseView({ ...purchase, state, endedAt: new Date() }, { line, seal, mayVend });

test("a token is shown to who paid for it, in its service's form: whole to a key that may vend and masked to others", () => {
  const shown = (value: string) => [{ kind: "credit", value, units_kwh: "12.8" }];
  assert.deepEqual(viewIn("successful").tokens, shown("whole 12345678901234567890"));
  assert.deepEqual(viewIn("successful", false).tokens, shown("masked 7890"));
  assert.deepEqual(delivered(viewIn("successful")), ["12.8"]);
});

test("what was delivered is shown where it is less than was bought, and the price stays", () => {
  const short = { ...purchase, state: "successful", endedAt: new Date(), facts: { delivered_amount: "1900.00" } };
  const view = purchaseView(short, { line, seal, mayVend: true });
  assert.deepEqual(view.delivered_amount, { amount: "1900.00", currency: "NGN" });
  assert.equal(view.price.amount, "2050.00");
  assert.equal(viewIn("successful").delivered_amount, undefined);
});

for (const [state, what] of [
  ["failed", "was delivered after the money had gone back"],
  ["reversed", "the vendor took back, and was refunded"],
] as const)
  test(`what ${what} is shown to nobody`, () => {
    for (const mayVend of [true, false]) {
      const view = viewIn(state, mayVend);
      assert.deepEqual([view.tokens, delivered(view)], [undefined, []]);
      assert.ok(!JSON.stringify(view).includes("7890"));
    }
  });
