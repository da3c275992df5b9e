import { API_VERSION, API_VERSIONS } from "./api-version.ts";

/** Headers of answers, as OpenAPI components. */
export const ANSWER_HEADERS = {
  "Request-Id": { description: "Names this request; tell it to support.", schema: { type: "string" } },
  "Afara-Version": {
    description: "On every answer: the version of the API that answered.",
    schema: { type: "string" },
  },
  "Idempotent-Replayed": {
    description: "`true` when this repeat is answered from what the first request made. Absent otherwise.",
    schema: { type: "string", enum: ["true"] },
  },
  Location: {
    description: "Where to ask what became of it: with 202, while the outcome is not known yet.",
    schema: { type: "string" },
  },
  "RateLimit-Policy": {
    description: 'On every answer to a key: the per-minute limit, `"sms-send";q=60;w=60` is 60 in 60 seconds.',
    schema: { type: "string" },
  },
  RateLimit: {
    description: 'What is left: `"sms-send";r=59;t=42` is 59, and all again in 42 seconds.',
    schema: { type: "string" },
  },
  "X-RateLimit-Limit": {
    description: "As in `RateLimit-Policy`, in the older form: requests that the limit allows a minute.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": { description: "Requests that are left of it.", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "Seconds until all of it is there again.", schema: { type: "integer" } },
  Deprecation: {
    description:
      "On every answer to a key that has been replaced by another: since when, as `@` and Unix seconds (RFC 9745). Absent otherwise.",
    schema: { type: "string" },
  },
  Sunset: {
    description: "Until when the replaced API key works (RFC 8594). Absent otherwise.",
    schema: { type: "string" },
  },
  "Retry-After": {
    description: "Seconds after which a repeat may pass. Absent when waiting does not help.",
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
      "Names what is to be done once. A repeat with the same key and body is answered from the first, with `Idempotent-Replayed: true`; with another body it is refused. 1 to 255 printable ASCII characters, e.g. a UUID; with or without double quotes around them.",
    required: false,
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    description:
      "How long to wait for the outcome: `wait=N`, 0 to 20 seconds, or `respond-async` for not at all (RFC 7240). 20 seconds unless told.",
    required: false,
    schema: { type: "string" },
  },
  "Afara-Version": {
    name: "Afara-Version",
    in: "header",
    description: `The version of the API that you were written for; ${API_VERSION} unless told.`,
    required: false,
    schema: { type: "string", enum: API_VERSIONS },
  },
} as const;

export type HeaderParameter = keyof typeof HEADER_PARAMETERS;
