/** Every refusal a caller can meet. A code is public API: add, never rename or reuse. */
export const ERROR_CODES = [
  "invalid_json",
  "validation_failed",
  "invalid_character",
  "amount_not_exact",
  "idempotency_key_required",
  "invalid_idempotency_key",
  "invalid_cursor",
  "unknown_version",
  "duplicate_api_key_header",
  "missing_api_key",
  "invalid_api_key",
  "api_key_expired",
  "use_x_api_key_header",
  "invalid_signature",
  "insufficient_balance",
  "not_subscribed",
  "scope_missing",
  "ip_not_allowed",
  "account_suspended",
  "test_mode_only",
  "live_mode_only",
  "not_found",
  "unknown_endpoint",
  "method_not_allowed",
  "not_acceptable",
  "request_timeout",
  "payload_too_large",
  "unsupported_media_type",
  "headers_too_large",
  "uri_too_long",
  "malformed_request",
  "invalid_state",
  "idempotency_in_progress",
  "reference_already_used",
  "possible_duplicate",
  "price_changed",
  "meter_changed",
  "chat_window_closed",
  "invalid_phone_number",
  "destination_not_supported",
  "message_too_long",
  "sender_not_approved",
  "plan_not_found",
  "wrong_network",
  "meter_not_found",
  "meter_is_postpaid",
  "purchase_failed",
  "template_not_found",
  "template_variables_mismatch",
  "media_refused",
  "recipient_opted_out",
  "amount_out_of_bounds",
  "outside_quiet_hours",
  "no_acceptable_recipient",
  "repeated_recipient",
  "idempotency_key_reused",
  "rate_limited",
  "quota_exceeded",
  "destination_rate_limited",
  "internal_error",
  "provider_unavailable",
  "database_unavailable",
  "overloaded",
  "acceptance_unknown",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Whether a fault's code may refuse the whole request too; the others only say which rule one field breaks. */
export const isErrorCode = (code: string): code is ErrorCode => CODES.has(code);
const CODES: ReadonlySet<string> = new Set(ERROR_CODES);

/** One fault of a body, query or header. `pointer` is a JSON Pointer into the body; `parameter` names a query or header field. */
export interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly detail: string;
}

export interface Refusal {
  readonly code: ErrorCode;
  /** May be shown to the caller: says what to do; no vendor text, no other account's data. */
  readonly detail: string;
  readonly errors?: readonly Fault[];
  /** Further members of the problem body, e.g. `order_id`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Whole seconds for `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** For the log only: vendor's words, SQLSTATE, ids. */
  readonly internal?: string;
}

export const refusal = (code: ErrorCode, detail: string, more: Omit<Refusal, "code" | "detail"> = {}): Refusal => ({
  code,
  detail,
  ...more,
});
