import { type PersonalKind, PURGED_PHONE } from "../kernel/purged.ts";
import type { OwnColumns } from "../orders/order.ts";
import { emptyTexts } from "../orders/personal-data.ts";
import type { StoredPurchase } from "./purchase.ts";

/** What is personal in purchases of any service: the customer, the phone, and tokens. What a receipt must say stays. */

const NOTHING: ReadonlySet<string> = new Set();

export function forgetPurchase({ payload, facts }: OwnColumns, kind: PersonalKind): OwnColumns {
  if (kind === "tokens") {
    const { sealed_tokens: _, doubt: _answer, ...rest } = facts ?? {};
    return { payload, facts: rest };
  }
  return { payload: kind === "numbers" ? withoutCustomer(payload as StoredPurchase) : payload, facts };
}

function withoutCustomer(stored: StoredPurchase & { readonly customer?: unknown }) {
  return {
    ...stored,
    ...(stored.phone !== undefined && { phone: PURGED_PHONE }),
    ...(stored.customer !== undefined && { customer: emptyTexts(stored.customer, NOTHING) }),
  };
}
