import assert from "node:assert/strict";
import { test } from "node:test";
import { segmentText } from "../kernel/segments.ts";
import type { CablePayload } from "../ports/cable-payload.ts";
import { cableNotice } from "./notice.ts";

const basics = { product: "cable", phone: "2348031234567" } as const;
const RENEWAL: CablePayload = {
  ...basics,
  tv_provider: "dstv",
  kind: "renew",
  amount_kobo: "1900000",
  customer: { name: "ADA OBI" },
};
const CHANGE = {
  ...basics,
  tv_provider: "startimes",
  kind: "change",
  amount_kobo: "210000",
  plan: {
    id: "p",
    code: "startimes:nova",
    provider: "v",
    name: "Nova (Dish) - 2100 Naira - 1 Month",
    cost_kobo: "210000",
  },
} as const satisfies CablePayload;
const VOUCHER: CablePayload = {
  ...CHANGE,
  tv_provider: "showmax",
  plan: { ...CHANGE.plan, name: "Full - N8,400 - 3 Months" },
};
const purchase = (payload: CablePayload) => ({
  recipient: "1212121212",
  payload: { ...payload, paid_for_kobo: payload.amount_kobo },
  facts: {},
});

test("the customer of a card hears what was paid for it, in one SMS, and no more than is known", () => {
  for (const [payload, words] of [
    [RENEWAL, "DStv, smartcard 1212121212. Your subscription was renewed. Paid: NGN 19,000.00. Keep your decoder on."],
    [
      CHANGE,
      "StarTimes, smartcard 1212121212. Paid for Nova (Dish) - 2100 Naira - 1 Month. Paid: NGN 2,100.00. Keep your decoder on.",
    ],
  ] as const) {
    assert.deepEqual(cableNotice(purchase(payload), []), { text: words });
    assert.deepEqual([segmentText(words).encoding, segmentText(words).segments], ["gsm7", 1]);
  }
});

test("the customer of Showmax gets the voucher; what is shown of it is masked", () => {
  const { text, shownAs } = cableNotice(purchase(VOUCHER), [{ kind: "voucher", value: "SHMVHXQ9L3RXGPU" }]);
  assert.equal(text, "Showmax Full - N8,400 - 3 Months: your voucher is SHMVHXQ9L3RXGPU. Paid: NGN 2,100.00.");
  assert.equal(shownAs, "Showmax Full - N8,400 - 3 Months: your voucher is **** XGPU. Paid: NGN 2,100.00.");
});
