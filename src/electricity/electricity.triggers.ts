import type { Trigger, Triggers } from "../ports/trigger.ts";

/** A purchase for a meter with a fixed outcome: docs/guides/test-mode.md. */
const buyFor =
  (meter: string): Trigger =>
  ({ post }) =>
    post("/electricity/purchase", {
      meter_number: meter,
      disco: "ikeja-electric",
      amount: 1_000,
      to: "+2348031234567",
      allow_duplicate: true,
    });

export const ELECTRICITY_TRIGGERS: Triggers = {
  "electricity.successful": buyFor("11111111111"),
  "electricity.token_pending": buyFor("60000000006"),
  "electricity.reversed": buyFor("70000000007"),
  "electricity.failed": {
    never:
      "No magic meter fails. Let the simulated vendor do so with the scenario pending_then_failed: docs/guides/vendor-simulators.md says how.",
  },
};
