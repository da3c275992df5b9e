import { API_VERSION } from "../kernel/api-version.ts";

/**
 * On every answer: not to be cached, sniffed, framed or run. No CORS headers: keys are secrets of servers, so no
 * browser page of another origin has a reason to call. Pages of the reference bring a policy of their own.
 */
export const STANDARD_HEADERS = {
  "afara-version": API_VERSION,
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
} as const;

/** Only where the caller came over TLS: over plain HTTP browsers ignore it. One year, in seconds. */
export const STRICT_TRANSPORT = "max-age=31536000; includeSubDomains";
