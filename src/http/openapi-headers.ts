import { API_VERSION, API_VERSIONS } from "../kernel/api-version.ts";

/** Headers of answers, as OpenAPI components. */
export const ANSWER_HEADERS = {
  "Request-Id": { description: "This request's id; quote it to support.", schema: { type: "string" } },
  "Afara-Version": {
    description: "On every answer: the version of the API that answered.",
    schema: { type: "string" },
  },
  "Idempotent-Replayed": {
    description: "`true` when this answer repeats the first request's outcome. Absent otherwise.",
    schema: { type: "string", enum: ["true"] },
  },
  Location: {
    description: "The status URL: present with 202, while the outcome is not known yet.",
    schema: { type: "string" },
  },
  "RateLimit-Policy": {
    description: 'On every answer to a key: the per-minute limit, `"sms-send";q=60;w=60` is 60 in 60 seconds.',
    schema: { type: "string" },
  },
  RateLimit: {
    description: 'The remaining limit: `"sms-send";r=59;t=42` is 59, and the full limit again in 42 seconds.',
    schema: { type: "string" },
  },
  "X-RateLimit-Limit": {
    description: "As `RateLimit-Policy`, in the older form: requests allowed per minute.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": { description: "Requests remaining.", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "Seconds until the full limit is available again.", schema: { type: "integer" } },
  Deprecation: {
    description:
      "On every answer to a replaced key: the time of its replacement, as `@` and Unix seconds (RFC 9745). Absent otherwise.",
    schema: { type: "string" },
  },
  Sunset: {
    description: "Until when the replaced API key works (RFC 8594). Absent otherwise.",
    schema: { type: "string" },
  },
  "Retry-After": {
    description: "Seconds after which a repeat may succeed. Absent when waiting does not help.",
    schema: { type: "integer" },
  },
} as const;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/**
 * Headers of requests, as OpenAPI components. They are checked where they are used, not by these schemas. None has an
 * example: the reference page would send it, and the second try would be answered as a repeat.
 */
export const HEADER_PARAMETERS = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Identifies an action that must happen once. A repeat with the same key and body gets the first outcome, with `Idempotent-Replayed: true`; with another body it is refused. 1 to 255 printable ASCII characters, e.g. a UUID; with or without double quotes around them.",
    required: false,
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    description:
      "How long to wait for the outcome: `wait=N` with 0–20 seconds (default 20), or `respond-async` to return immediately (RFC 7240).",
    required: false,
    schema: { type: "string" },
  },
  "Afara-Version": {
    name: "Afara-Version",
    in: "header",
    description: `The API version that your program was written for (default ${API_VERSION}).`,
    required: false,
    schema: { type: "string", enum: API_VERSIONS },
  },
} as const;

export type HeaderParameter = keyof typeof HEADER_PARAMETERS;
