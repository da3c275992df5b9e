/**
 * The kind of every error code. Each part adds its codes from the table that describes them, by declaration merging: those of one
 * service in `src/<service>/<service>.refusals.ts`, those of several parts in `src/http/common.refusals.ts`. A code is public API:
 * add, never rename or reuse.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the parts add to it
export interface ErrorCodes {}

/** Every refusal a caller can meet. */
export type ErrorCode = keyof ErrorCodes;

/** Rules of one field that any part may report. None of these refuses a request by itself. Public like the error codes. */
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
  "out_of_range",
  "repeated",
  "not_together",
] as const;

/** Every such rule. A service adds those that are its own beside its error codes. */
export interface FieldCodes extends Record<(typeof FIELD_CODES)[number], true> {}
export type FieldCode = keyof FieldCodes;

/** All that `code` of a fault may be: a rule of one field, or a refusal that one field brought about. */
export type FaultCode =
  | FieldCode
  | { [Code in ErrorCode]: ErrorCodes[Code] extends { readonly ofField: true } ? Code : never }[ErrorCode];

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
