import assert from "node:assert/strict";
import { test } from "node:test";
import type { Routed } from "../orders/service-definition.ts";
import { PURCHASE_STEPS } from "../purchases/purchase.steps.ts";
import { SERVICES } from "./services.ts";

const PLAN = { id: "p", code: "c", provider: "v", name: "A plan", cost_kobo: "100000" };
const [phone, shownPhone] = ["2348031234567", "+2348031234567"];

/** What each service sells, with the members that `./afara orders show` has of it. */
const BOUGHT: readonly (readonly [service: string, order: object, members: object])[] = [
  [
    "airtime",
    { payload: { product: "airtime", network: "mtn", network_guessed: true } },
    { product: "airtime", network_guess: "mtn" },
  ],
  [
    "airtime",
    { payload: { product: "airtime", network: "mtn", network_guessed: true }, facts: { network: "glo" } },
    { product: "airtime", network: "glo" },
  ],
  [
    "airtime",
    { payload: { product: "data", network: "mtn", plan: PLAN } },
    { product: "data", network: "mtn", plan: "A plan" },
  ],
  [
    "electricity",
    { payload: { product: "electricity", disco: "eko-electric", meter_type: "prepaid", phone } },
    { disco: "eko-electric", meter_type: "prepaid", phone: shownPhone },
  ],
  [
    "cable",
    { payload: { product: "cable", tv_provider: "dstv", kind: "renew", phone } },
    { provider: "dstv", kind: "renew", phone: shownPhone },
  ],
  [
    "cable",
    { payload: { product: "cable", tv_provider: "gotv", kind: "change", plan: PLAN, phone } },
    { provider: "gotv", kind: "change", plan: "A plan", phone: shownPhone },
  ],
];

test("the operator sees what an order of each service that sells by purchase bought", () => {
  for (const [name, order, members] of BOUGHT) {
    const definition = SERVICES.find(({ service }) => service === name);
    const bought = definition?.boughtOf?.(order as Routed) ?? {};
    assert.deepEqual(Object.fromEntries(Object.entries(bought).filter(([, value]) => value !== undefined)), members);
  }
  const sellers = SERVICES.filter(({ table }) => table === PURCHASE_STEPS).map(({ service }) => service);
  assert.deepEqual(new Set(BOUGHT.map(([service]) => service)), new Set(sellers));
});
