import { type PersonalKind, PURGED_PHONE } from "../kernel/purged.ts";
import type { OwnColumns } from "../orders/order.ts";

/** What is personal in messages. Their numbers are the order's own column. */

export function forgetSms({ payload, facts }: OwnColumns, kind: PersonalKind): OwnColumns {
  return { payload: kind === "texts" ? withoutText(payload as object) : payload, facts };
}

function withoutText(stored: { readonly sealed_text?: string }) {
  const { sealed_text: _, ...rest } = stored;
  return { ...rest, text: "" };
}

interface NamesNumbers {
  readonly rejected?: readonly { readonly detail?: string }[];
  readonly referenced?: readonly object[];
}

/** What a bulk remembers of its items: faults quote numbers. */
export function forgetBulk(payload: unknown): unknown {
  const { rejected = [], referenced = [], ...rest } = payload as NamesNumbers;
  return {
    ...rest,
    rejected: rejected.map((item) => ({ ...item, ...("to" in item && { to: PURGED_PHONE }), detail: "" })),
    referenced: referenced.map((item) => ({ ...item, recipient: PURGED_PHONE })),
  };
}
