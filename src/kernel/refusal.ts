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

/** Which rule one field breaks. None of these refuses a request by itself. Public like `ERROR_CODES`. */
export const FIELD_CODES = [
  "required",
  "unknown_field",
  "unknown_parameter",
  "repeated_field",
  "wrong_field_name",
  "wrong_type",
  "wrong_format",
  "not_allowed_value",
  "too_short",
  "too_long",
  "too_few",
  "too_many",
  "too_deep",
  "too_small",
  "too_large",
  "too_many_marks",
  "out_of_range",
  "repeated",
  "not_together",
  "sender_form",
  "unknown_disco",
  "unknown_message",
  "unknown_range",
  "other_meter",
] as const;

/** All that `code` of a fault may be: a rule of one field, or a refusal that one field brought about. */
export const FAULT_CODES = [
  ...FIELD_CODES,
  "invalid_character",
  "invalid_phone_number",
  "destination_not_supported",
  "amount_not_exact",
  "amount_out_of_bounds",
  "message_too_long",
  "sender_not_approved",
  "recipient_opted_out",
  "outside_quiet_hours",
  "repeated_recipient",
  "reference_already_used",
  "plan_not_found",
  "meter_not_found",
  "meter_is_postpaid",
  "template_not_found",
  "template_variables_mismatch",
  "media_refused",
  "not_found",
  "not_subscribed",
  "quota_exceeded",
  "destination_rate_limited",
  "provider_unavailable",
  "overloaded",
] as const satisfies readonly ((typeof FIELD_CODES)[number] | ErrorCode)[];
export type FaultCode = (typeof FAULT_CODES)[number];

/** Whether a fault's code may refuse the whole request too; the others only say which rule one field breaks. */
export const isErrorCode = (code: string): code is ErrorCode => CODES.has(code);
const CODES: ReadonlySet<string> = new Set(ERROR_CODES);

/** One fault of a body, query or header. `pointer` is a JSON Pointer into the body; `parameter` names a query or header field. */
export interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: FaultCode;
  readonly detail: string;
}

export interface Refusal<Code extends ErrorCode = ErrorCode> {
  readonly code: Code;
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

export const refusal = <Code extends ErrorCode>(
  code: Code,
  detail: string,
  more: Omit<Refusal, "code" | "detail"> = {},
): Refusal<Code> => ({
  code,
  detail,
  ...more,
});
