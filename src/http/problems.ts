import type { ErrorCode, Refusal } from "../kernel/refusal.ts";

export interface ProblemKind {
  readonly status: number;
  /** The same for every occurrence of the code. */
  readonly title: string;
  /** Whether the very same request may pass later, without a change by the caller. */
  readonly retryable: boolean;
}

const kind = (status: number, title: string, retryable = false): ProblemKind => ({ status, title, retryable });
const RETRYABLE = true;

/** The only table of HTTP statuses. A code without a row does not compile. */
export const PROBLEMS: Readonly<Record<ErrorCode, ProblemKind>> = {
  invalid_json: kind(400, "Body is not valid JSON"),
  validation_failed: kind(400, "Request does not have the documented form"),
  invalid_character: kind(400, "Body has a character that no text may have"),
  amount_not_exact: kind(400, "Amount is not an exact number of kobo"),
  idempotency_key_required: kind(400, "Idempotency-Key or reference is required"),
  invalid_idempotency_key: kind(400, "Idempotency-Key does not have the documented form"),
  invalid_cursor: kind(400, "Cursor does not belong to this list"),
  unknown_version: kind(400, "API version does not exist"),
  duplicate_api_key_header: kind(400, "X-API-Key was sent twice"),
  malformed_request: kind(400, "Request is not well-formed HTTP"),
  missing_api_key: kind(401, "API key is missing"),
  invalid_api_key: kind(401, "API key is not valid"),
  api_key_expired: kind(401, "API key has expired"),
  invalid_signature: kind(401, "Signature of the callback is not valid"),
  use_x_api_key_header: kind(401, "API key belongs in the X-API-Key header"),
  insufficient_balance: kind(402, "Wallet balance is too low"),
  not_subscribed: kind(403, "Account is not subscribed to this service"),
  scope_missing: kind(403, "API key lacks the scope"),
  ip_not_allowed: kind(403, "API key may not be used from this address"),
  account_suspended: kind(403, "Account is suspended"),
  test_mode_only: kind(403, "Endpoint exists for test keys only"),
  live_mode_only: kind(403, "Only a live key may do this"),
  not_found: kind(404, "Object was not found"),
  unknown_endpoint: kind(404, "Endpoint does not exist"),
  method_not_allowed: kind(405, "Method is not allowed here"),
  not_acceptable: kind(406, "No representation fits the Accept header"),
  request_timeout: kind(408, "Request took too long to arrive", RETRYABLE),
  invalid_state: kind(409, "State of the object does not allow this"),
  idempotency_in_progress: kind(409, "First request with this key is still being accepted", RETRYABLE),
  reference_already_used: kind(409, "Reference belongs to another order"),
  possible_duplicate: kind(409, "The same was bought a moment ago"),
  price_changed: kind(409, "Price is no longer the expected one"),
  meter_changed: kind(409, "Meter belongs to another customer than verified"),
  chat_window_closed: kind(409, "Recipient has not written in the last 24 hours"),
  payload_too_large: kind(413, "Body is too large"),
  uri_too_long: kind(414, "Path is too long"),
  unsupported_media_type: kind(415, "Body is not of a type that is taken here"),
  invalid_phone_number: kind(422, "Phone number is not valid"),
  destination_not_supported: kind(422, "Destination is not served"),
  message_too_long: kind(422, "Message has too many segments"),
  sender_not_approved: kind(422, "Sender ID is not approved"),
  plan_not_found: kind(422, "Plan does not exist"),
  wrong_network: kind(422, "Number is on another network"),
  meter_not_found: kind(422, "Meter does not exist at this disco"),
  meter_is_postpaid: kind(422, "Meter is postpaid"),
  purchase_failed: kind(422, "Purchase failed and its price came back"),
  template_not_found: kind(422, "Template can't be sent"),
  template_variables_mismatch: kind(422, "Variables do not fit the template"),
  media_refused: kind(422, "File can't be sent"),
  recipient_opted_out: kind(422, "Recipient has opted out"),
  amount_out_of_bounds: kind(422, "Amount is out of bounds, or not in whole naira"),
  outside_quiet_hours: kind(422, "Promotional messages may not leave now"),
  no_acceptable_recipient: kind(422, "No recipient is acceptable"),
  repeated_recipient: kind(422, "Recipient is repeated in the bulk"),
  idempotency_key_reused: kind(422, "Idempotency key was used for a different request"),
  rate_limited: kind(429, "Too many requests", RETRYABLE),
  quota_exceeded: kind(429, "Quota is used up", RETRYABLE),
  destination_rate_limited: kind(429, "Too many messages to this number", RETRYABLE),
  headers_too_large: kind(431, "Header fields are too large"),
  internal_error: kind(500, "Something went wrong on our side", RETRYABLE),
  provider_unavailable: kind(503, "No vendor can take this order now", RETRYABLE),
  database_unavailable: kind(503, "Storage is not reachable now", RETRYABLE),
  overloaded: kind(503, "Gateway is busy", RETRYABLE),
  acceptance_unknown: kind(503, "Order may have been accepted", RETRYABLE),
};

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** RFC 9457 body of a refusal. Members of the refusal come last and may make `retryable` more exact, nothing else. */
export const problemOf = ({ code, detail, errors, members }: Refusal, requestId: string) => ({
  type: `/docs/errors/${code}`,
  title: PROBLEMS[code].title,
  status: PROBLEMS[code].status,
  code,
  detail,
  request_id: requestId,
  retryable: PROBLEMS[code].retryable,
  ...(errors && { errors }),
  ...members,
});

/** Carries a refusal through places that can only throw: validators, body parsers, hooks of the framework. */
export class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.name = "RefusedError";
    this.refusal = refusal;
  }
}
