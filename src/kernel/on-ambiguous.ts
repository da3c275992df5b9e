/** Handling of a message whose vendor's answer was lost: resend it, possibly twice, or don't. */
export const ON_AMBIGUOUS = ["retry", "fail"] as const;
export type OnAmbiguous = (typeof ON_AMBIGUOUS)[number];

/** Defaults: a code received twice is better than none; unsolicited messages must not be repeated. */
export const ON_AMBIGUOUS_DEFAULT = {
  transactional: "retry",
  promotional: "fail",
  bulk: "fail",
} as const satisfies Record<string, OnAmbiguous>;
