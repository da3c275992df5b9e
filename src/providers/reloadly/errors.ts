import type { FailureCode } from "../../kernel/failures.ts";

/** What an `errorCode` in the answer to a top-up means for the attempt. */
export type Meaning =
  | {
      readonly kind: "rejected";
      readonly scope: "order" | "route";
      readonly code: FailureCode;
      /** Our own trouble, in words for the operator. */
      readonly alarm?: string;
    }
  /** The amount is not sold: for a bundle, the plan is gone. */
  | { readonly kind: "amount" }
  /** Not now: `recharge` because the same phone was topped up a moment ago, `busy` for all else. */
  | { readonly kind: "throttled"; readonly wait: "recharge" | "busy" }
  /** `isKnown`: whatever became of it, the vendor has it. */
  | { readonly kind: "unknown"; readonly isKnown?: true };

const order = (code: FailureCode): Meaning => ({ kind: "rejected", scope: "order", code });
const route = (): Meaning => ({ kind: "rejected", scope: "route", code: "no_route" });
/** Something of ours: another vendor may still deliver, and the operator hears of it. */
const ours = (alarm: string, code: FailureCode = "no_route"): Meaning => ({
  kind: "rejected",
  scope: "route",
  code,
  alarm: `Reloadly: ${alarm}`,
});
const request = (says: string): Meaning => ours(`refuses our request: ${says}`, "route_misconfigured");
const account = (says: string): Meaning => ours(`refuses our account: ${says}`);
const AMOUNT: Meaning = { kind: "amount" };
const BUSY: Meaning = { kind: "throttled", wait: "busy" };
const UNKNOWN: Meaning = { kind: "unknown" };

/**
 * Error codes of a top-up. Matched by code, never by text or HTTP status. Unknown stands where the request may have come as
 * far as the network, so that the transaction itself is asked for; a code that is not here is unknown too.
 * Source: the vendor's documentation, errors; docs/providers/reloadly.md says how often each occurs.
 */
export const ERRORS: Readonly<Record<string, Meaning>> = {
  // The number
  INVALID_RECIPIENT_PHONE: order("invalid_number"),
  INVALID_PHONE_NUMBER: order("invalid_number"),
  RECIPIENT_PHONE_INACTIVE: order("invalid_number"),
  COULD_NOT_AUTO_DETECT_OPERATOR: order("wrong_network"),
  OPERATOR_AND_RECIPIENT_PHONE_MISMATCH: order("wrong_network"),
  PHONE_BANNED_BY_OPERATOR: order("vendor_failed"),
  RECIPIENT_REACHED_MAX_TOPUP_NUMBER: order("vendor_failed"),
  TRANSACTION_REJECTED_BY_OPERATOR: order("vendor_failed"),
  TRANSACTION_REFUSED_BY_OPERATOR: order("vendor_failed"),

  // The amount
  INVALID_AMOUNT: AMOUNT,
  INVALID_AMOUNT_FOR_OPERATOR: AMOUNT,
  // Of an amount in naira, as all of ours are.
  INVALID_LOCAL_AMOUNT_FOR_OPERATOR: AMOUNT,
  INVALID_AMOUNT_FOR_RECIPIENT_PHONE: AMOUNT,

  // Not now
  PHONE_RECENTLY_RECHARGED: { kind: "throttled", wait: "recharge" },
  RECIPIENT_HAS_PENDING_TRANSACTION: BUSY,
  TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT: BUSY,

  // Not sold here at present
  OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE: route(),
  OPERATOR_NOT_IN_SERVICE: route(),
  LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR: route(),

  // Our account
  INSUFFICIENT_BALANCE: ours("our float is too low for a top-up (INSUFFICIENT_BALANCE)"),
  MAX_DAILY_TRANSACTION_AMOUNT_REACHED: account("the day's amount is used up"),
  MAX_DAILY_TRANSACTION_COUNT_REACHED: account("the day's number of top-ups is used up"),
  ACCOUNT_NOT_FOUND: account("it is not found"),
  INACTIVE_ACCOUNT: account("it is inactive"),
  INVALID_CREDENTIALS: account("the client id or secret is not valid"),
  // After the token was renewed.
  MISSING_TOKEN: account("an access token did not reach it"),
  INVALID_TOKEN: account("a fresh access token is not valid: is the audience right?"),
  TOKEN_EXPIRED: account("a fresh access token has expired: is its clock right?"),

  // Our request
  COUNTRY_NOT_SUPPORTED: request("COUNTRY_NOT_SUPPORTED"),
  INVALID_INPUT_PROVIDED: request("INVALID_INPUT_PROVIDED"),
  INVALID_SENDER_PHONE: request("INVALID_SENDER_PHONE"),
  JSON_SYNTAX_ERROR: request("JSON_SYNTAX_ERROR"),
  OPERATOR_NOT_FOUND: request("OPERATOR_NOT_FOUND"),

  // The answer does not carry the first result: it may have been delivered.
  CUSTOM_IDENTIFIER_ALREADY_USED: { kind: "unknown", isKnown: true },

  // The network may have it
  CONNECTION_TO_OPERATOR_FAILED: UNKNOWN,
  CONNECTION_TO_OPERATOR_TEMPORARILY_DOWN: UNKNOWN,
  PROVIDER_INTERNAL_ERROR: UNKNOWN,
  REQUEST_FAILED_ON_PROVIDER: UNKNOWN,
  REQUEST_PROCESSING_FAILED: UNKNOWN,
  TOPUP_TRANSACTION_FAILED: UNKNOWN,
  TRANSACTION_FAILED_ON_OPERATOR: UNKNOWN,
  UNMAPPED_PROVIDER_ERROR_CODE: UNKNOWN,
};

/** Told under HTTP 5xx too, before anything is tried. Any other refusal under one may come from after that. Source: public clients. */
export const TOLD_BEFORE: ReadonlySet<string> = new Set(["OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE"]);

/** What becomes of a transaction. A status that is not here is unknown. */
export const STATUSES: Readonly<Record<string, "delivered" | "pending" | "failed" | "reversed">> = {
  SUCCESSFUL: "delivered",
  PROCESSING: "pending",
  // Its own failure, nothing was debited.
  FAILED: "failed",
  // The network failed, at once or later, and our money is back.
  REFUNDED: "reversed",
};
