import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import config from "../../afara.config.ts";
import { kobo } from "../kernel/kobo.ts";
import { NETWORKS, type Network } from "../kernel/networks.ts";
import { type SmsRoute, smsPrice } from "./prices.ts";
import type { SmsPlan } from "./sms.settings.ts";

const PLAN: SmsPlan = {
  id: "trial",
  name: "Trial",
  fee: "0.00",
  limits: { "sms-send": 1, "sms-bulk": 1, "sms-recipients": 1, "sms-preview": 1, "sms-cancel": 1 },
  quota: null,
  prices: { transactional: { default: "4.00", mtn: "3.80", "9mobile": "4.5" }, promotional: { default: "3.20" } },
};

const CASES: readonly (readonly [route: SmsRoute, network: Network | null, segments: number, priceKobo: bigint])[] = [
  ["transactional", "mtn", 1, 380n],
  ["transactional", "mtn", 10, 3_800n],
  ["transactional", "9mobile", 2, 900n],
  ["transactional", "glo", 1, 400n],
  ["transactional", null, 3, 1_200n],
  ["promotional", "mtn", 1, 320n],
  ["promotional", null, 2, 640n],
];
for (const [route, network, segments, priceKobo] of CASES) {
  test(`${segments} ${route} segment(s) to ${network ?? "an unknown network"} cost ${priceKobo} kobo`, () => {
    assert.equal(smsPrice(PLAN, route, network, segments), priceKobo);
  });
}

test("a price is read from its own plan, also when another plan of the same name was asked before", () => {
  smsPrice(PLAN, "transactional", null, 1);
  const dearer = { ...PLAN, prices: { ...PLAN.prices, transactional: { default: "9.99" } } };
  assert.equal(smsPrice(dearer, "transactional", null, 1), kobo(999));
});

test("in every plan as shipped each segment costs the same, and something", () => {
  const plans = config.services.sms!.plans;
  fc.assert(
    fc.property(
      fc.constantFrom(...plans),
      fc.constantFrom("transactional" as const, "promotional" as const),
      fc.constantFrom(...NETWORKS, null),
      fc.integer({ min: 1, max: 10 }),
      (plan, route, network, segments) => {
        const one = smsPrice(plan, route, network, 1);
        assert.ok(one > 0n);
        assert.equal(smsPrice(plan, route, network, segments), one * BigInt(segments));
      },
    ),
  );
});
