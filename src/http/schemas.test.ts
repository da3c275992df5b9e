import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeId, newUuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import { idPattern, moneyOf, priceOf } from "./schemas.ts";

test("the pattern of an id takes what the gateway gives out, and no id of another type", () => {
  const pattern = new RegExp(idPattern("msg"));
  for (let count = 0; count < 1_000; count += 1) assert.match(encodeId("msg", newUuid()), pattern);
  assert.doesNotMatch(encodeId("pur", newUuid()), pattern);
  assert.doesNotMatch(`${encodeId("msg", newUuid())}0`, pattern);
});

test("money goes out as naira with two places, a price with the VAT in it", () => {
  assert.deepEqual(moneyOf(kobo(150_050)), { amount: "1500.50", currency: "NGN" });
  assert.deepEqual(priceOf(kobo(430), 750), { amount: "4.30", currency: "NGN", tax: "0.30" });
});
