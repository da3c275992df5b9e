import { ok } from "../../kernel/result.ts";
import type { FundingDefinition } from "../../ports/funding.ts";
import { PaystackFunding } from "./adapter.ts";
import { readSettings } from "./settings.ts";

/** Top-ups by payment page or bank transfer. Settings: docs/providers/paystack.md. */
export const paystack: FundingDefinition = {
  adapter: "paystack",
  build(settings, deps) {
    const checked = readSettings(settings);
    return checked.ok ? ok(new PaystackFunding(checked.value, deps)) : checked;
  },
};
