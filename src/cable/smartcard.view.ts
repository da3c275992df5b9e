import { encodeId } from "../kernel/ids.ts";
import { moneyOf } from "../kernel/money.ts";
import { expiresAt, type Verification } from "./cable.ts";

/** A verified smartcard as subscribers see it. */
export const smartcardView = (card: Verification) => ({
  object: "smartcard_verification" as const,
  verification_id: encodeId("ver", card.id),
  smartcard_number: card.smartcardNumber,
  provider: card.tvProvider,
  customer: { name: card.customerName },
  ...(card.currentPlan !== null && { current_plan: card.currentPlan }),
  ...(card.renewalKobo !== null && { renewal_amount: moneyOf(card.renewalKobo) }),
  ...(card.dueDate !== null && { due_date: card.dueDate }),
  expires_at: expiresAt(card).toISOString(),
});
