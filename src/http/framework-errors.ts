import { type Refusal, refusal } from "../kernel/refusal.ts";
import { CallerGone } from "../kernel/slices.ts";
import { AnswerLost, DatabaseAway, DatabaseUnable } from "../kernel/storage-faults.ts";
import { RefusedError } from "./problems.ts";

/** Long enough for a server restart. */
const STORAGE_RETRY_SECONDS = 1;

/**
 * Storage that could not be reached, or went away before it answered. Whoever accepts orders knows better what became of
 * them (`acceptance_unknown`); here are all others: reading, cancelling, the look-up of a key.
 */
function storageFault(error: unknown): Refusal | undefined {
  const why =
    error instanceof DatabaseUnable
      ? "Storage can't store anything just now: nothing was done. Send the request again."
      : error instanceof DatabaseAway
        ? "Storage is not reachable: nothing was done. Send the request again."
        : error instanceof AnswerLost
          ? "Storage went away before it answered, so a change that was asked for may have been made. Look, or send the request again."
          : undefined;
  if (why === undefined || !(error instanceof Error)) return undefined;
  return refusal("database_unavailable", why, { retryAfterSeconds: STORAGE_RETRY_SECONDS, internal: error.message });
}

export const BODY_TOO_LARGE = refusal(
  "payload_too_large",
  "The body is larger than this endpoint takes: 256 KiB, bulk calls 4 MiB.",
);

/** The framework's errors that a caller can cause, as refusals. */
const BY_CODE: Readonly<Record<string, Refusal>> = {
  FST_ERR_BAD_URL: refusal(
    "malformed_request",
    "The path has a percent sign that is not followed by two hex digits of UTF-8.",
  ),
  FST_ERR_MAX_PARAM_LENGTH: refusal(
    "uri_too_long",
    "A part of the path is longer than any id: at most 600 characters.",
  ),
  FST_ERR_CTP_BODY_TOO_LARGE: BODY_TOO_LARGE,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: refusal("malformed_request", "The body is not as long as Content-Length says."),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refusal(
    "unsupported_media_type",
    "Send the body as JSON with the header Content-Type: application/json.",
  ),
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: refusal(
    "unsupported_media_type",
    "Send the header Content-Type: application/json.",
  ),
  // The connection broke while the body was being read; the answer may not arrive.
  ECONNRESET: refusal("malformed_request", "The connection ended before the body was complete."),
};

/** The caller is gone and won't read this. */
const GONE = refusal("malformed_request", "The connection ended before the answer: nothing was accepted.");

const NOTHING = refusal("not_found", "There is nothing under this name.");

/** The refusal for a thrown error; undefined for an internal error. */
export function refusalOfError(error: unknown): Refusal | undefined {
  if (error instanceof RefusedError) return error.refusal;
  if (error instanceof CallerGone) return GONE;
  if (!(error instanceof Error)) return undefined;
  const storage = storageFault(error);
  if (storage) return storage;
  if ("code" in error && typeof error.code === "string" && error.code in BY_CODE) return BY_CODE[error.code];
  // The plugin for static files refuses paths that lead out of its folder with 403; to a stranger there is nothing.
  if ("statusCode" in error && (error.statusCode === 403 || error.statusCode === 404)) return NOTHING;
  return undefined;
}
