import type { Uuid } from "../kernel/ids.ts";

/** A matter for a person to decide. Its subject stays unchanged meanwhile: a case moves no money. */
export interface Case {
  readonly id: Uuid;
  readonly kind: CaseKind;
  /** Null: not about one of our orders. */
  readonly accountId: Uuid | null;
  readonly orderId: Uuid | null;
  readonly evidence: Evidence;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  readonly resolution: string | null;
}

/** JSON. Amounts are decimal strings in naira, times RFC 3339. No tokens. */
export type Evidence = Readonly<Record<string, unknown>>;

/** The kinds of cases: what happened and what a person can do. */
export const CASE_KINDS = {
  outcome_unknown:
    "nobody knows what became of a purchase, and its money is held. Ask the vendor's support, then ./afara orders resolve with what they said",
  taken_not_found:
    "a vendor took a purchase, by its own word, and says now that it knows nothing of it. Its money is held, and it is bought nowhere else. Ask the vendor's support, then ./afara orders resolve with what they said",
  late_success:
    "a vendor delivered after the money had gone back: our loss. Settle it with the vendor or the subscriber, then close",
  answer_in_doubt:
    "a vendor's answer to a delivered purchase says more, or less, than was taken from it (see WHY). ./afara cases show CASE --answer has it whole, with its tokens: read it, ask the vendor, give the customer what is missing, then close",
  outdated_attempt:
    "a vendor speaks of an attempt that was given up as not done. Look it up at the vendor; if it was done, the loss is ours",
  reconciliation:
    "a vendor's books and ours differ. Look the reference up at the vendor (for a float, its own list of transactions), and settle the difference there",
} as const;

export type CaseKind = keyof typeof CASE_KINDS;

/** A case about held money: it closes only with its order. */
export const OPEN_WITH_ORDER: readonly CaseKind[] = ["outcome_unknown", "taken_not_found"];
