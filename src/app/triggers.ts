import { AIRTIME_TRIGGERS } from "../airtime/airtime.triggers.ts";
import { CABLE_TRIGGERS } from "../cable/cable.triggers.ts";
import { CHAT_TRIGGERS } from "../chat/chat.triggers.ts";
import { ELECTRICITY_TRIGGERS } from "../electricity/electricity.triggers.ts";
import type { Triggers } from "../ports/trigger.ts";
import { SMS_TRIGGERS } from "../sms/sms.triggers.ts";

const OTHERS: Triggers = {
  "wallet.topped_up": ({ post }) => post("/wallet/topups", { amount: 1_000, method: "bank_transfer" }),
  "wallet.low": {
    never:
      "A wallet tells it once when it falls below its threshold: set one above the balance with ./afara account set <id> --low-balance 2000000.00.",
  },
  "webhook.disabled": {
    never: "An endpoint is disabled at once by the answer 410: let your own server give it.",
  },
};

/** How test mode makes each event, by its type. */
export const TRIGGERS: Triggers = {
  ...SMS_TRIGGERS,
  ...CHAT_TRIGGERS,
  ...AIRTIME_TRIGGERS,
  ...ELECTRICITY_TRIGGERS,
  ...CABLE_TRIGGERS,
  ...OTHERS,
};
