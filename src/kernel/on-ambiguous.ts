/** What becomes of a message when the answer of its vendor is lost: it is sent again, so that it may come twice, or not at all. */
export const ON_AMBIGUOUS = ["retry", "fail"] as const;
export type OnAmbiguous = (typeof ON_AMBIGUOUS)[number];

/** Where a request does not say: a code that comes twice is better than none; what was not asked for must not come twice. */
export const ON_AMBIGUOUS_DEFAULT = {
  transactional: "retry",
  promotional: "fail",
  bulk: "fail",
} as const satisfies Record<string, OnAmbiguous>;
