import type { Trigger, Triggers } from "../ports/trigger.ts";

const TO = "+2348031234567";

/** A renewal for a smartcard with a fixed outcome: docs/guides/test-mode.md. */
const renewFor =
  (smartcard: string): Trigger =>
  ({ post }) =>
    post("/cable/purchase", {
      smartcard_number: smartcard,
      provider: "dstv",
      kind: "renew",
      to: TO,
      allow_duplicate: true,
    });

export const CABLE_TRIGGERS: Triggers = {
  "cable.successful": renewFor("1212121212"),
  "cable.reversed": renewFor("7000000007"),
  // Showmax is bought for a phone, and so has the magic numbers.
  async "cable.failed"({ get, post }) {
    const { data } = await get<{ data: readonly { plan_id: string }[] }>("/cable/plans?provider=showmax");
    const plan = data[0]?.plan_id;
    return post("/cable/purchase", {
      provider: "showmax",
      kind: "change",
      plan_id: plan,
      to: "+2348000000001",
      allow_duplicate: true,
    });
  },
  "cable.token_pending": {
    never: "The simulated vendor always brings Showmax's voucher at once, and the other providers have none.",
  },
};
