/**
 * Why an accepted order did not end well: the closed list behind `failure.code`, each with who can mend it.
 * Source of the wording: docs/errors/failures.md is held equal to this table by a test.
 */
export const FAILURES = {
  invalid_number: { who: "subscriber", what: "The network does not know this number." },
  dnd: { who: "recipient", what: "The recipient has Do-Not-Disturb on for this kind of message." },
  sender_refused: { who: "subscriber", what: "The network does not accept this sender ID." },
  content_refused: { who: "subscriber", what: "The network does not accept this content." },
  absent_subscriber: { who: "recipient", what: "The phone was switched off or out of reach." },
  not_delivered: { who: "recipient", what: "The network gave up without saying more." },
  rejected_by_network: { who: "operator", what: "The network refused the message." },
  part_refused: {
    who: "operator",
    what: "A later part of the message was refused after earlier parts had been taken.",
  },
  validity_expired: { who: "subscriber", what: "The validity time ran out before delivery." },
  outcome_unknown: { who: "operator", what: "The vendor's answer was lost and no report came in time." },
  wrong_network: { who: "subscriber", what: "The number is on another network." },
  plan_not_found: { who: "subscriber", what: "The vendor no longer sells this plan." },
  amount_out_of_bounds: { who: "subscriber", what: "The vendor does not sell this amount." },
  meter_not_found: { who: "subscriber", what: "The disco does not know this meter." },
  meter_is_postpaid: { who: "subscriber", what: "The meter is postpaid: it takes no tokens." },
  chat_window_closed: {
    who: "subscriber",
    what: "More than 24 hours have passed since the recipient last wrote: only a template may be sent.",
  },
  template_not_found: { who: "subscriber", what: "The vendor has no approved template of this name and language." },
  template_paused: { who: "subscriber", what: "The vendor has paused or disabled the template." },
  template_variables_mismatch: { who: "subscriber", what: "The values do not fit the template's placeholders." },
  media_refused: {
    who: "subscriber",
    what: "The vendor did not take the media: of a wrong kind, too large, or out of its reach.",
  },
  marketing_withheld: { who: "recipient", what: "The vendor holds back promotional messages to this recipient." },
  vendor_failed: { who: "operator", what: "The vendor tried and did not deliver." },
  not_sent_in_time: { who: "operator", what: "No vendor was able to take it in time." },
  no_route: { who: "operator", what: "Every route refused or was unable to take it." },
  route_misconfigured: { who: "operator", what: "The vendor refused our request as malformed or not allowed." },
  quiet_hours: {
    who: "subscriber",
    what: "A promotional message missed the hours in which it may leave and was not to wait.",
  },
  opted_out: { who: "recipient", what: "The recipient opted out of promotional messages before it could leave." },
  account_suspended: { who: "subscriber", what: "The account was suspended when the time to send came." },
  payload_unreadable: { who: "operator", what: "The stored order could not be read for sending." },
} as const satisfies Record<string, { who: "subscriber" | "recipient" | "operator"; what: string }>;

export type FailureCode = keyof typeof FAILURES;

/** What a subscriber is told of a vendor's refusal: our sentence, and in brackets the vendor's own words, for support. */
export function explainFailure(code: string, vendorWords: string | undefined): string {
  const sentence = Object.hasOwn(FAILURES, code) ? FAILURES[code as FailureCode].what : undefined;
  if (sentence === undefined || !vendorWords) return sentence ?? vendorWords ?? "";
  return `${sentence} (${vendorWords})`;
}
