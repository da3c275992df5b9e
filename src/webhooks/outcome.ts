/** Why an attempt failed. A closed list: a receiver's or resolver's own words could describe the inside of our network. */
export const DELIVERY_ERRORS = {
  blocked_address: "The address is not public, or its name resolves to one that is not.",
  dns_failed: "The name can't be resolved.",
  connect_failed: "Nobody answered at the address.",
  connect_timeout: "No connection within 5 seconds.",
  tls_failed: "The certificate is not valid, or TLS could not be agreed on.",
  timed_out: "No answer within 15 seconds.",
  connection_lost: "The connection ended before an answer came.",
  invalid_answer: "The answer is not HTTP.",
  redirected: "The answer is a redirect, which is not followed: change the endpoint's URL.",
  http_error: "The answer is no success: see `response_status`.",
} as const;
export type DeliveryError = keyof typeof DELIVERY_ERRORS;

/** The outcome of one attempt. */
export interface Outcome {
  /** Undefined: delivered, the answer was 2xx. */
  readonly error?: DeliveryError;
  /** Of the answer, if one came. */
  readonly status?: number;
  /** The address that was connected to. */
  readonly address?: string;
  /** The start of the answer's body, if it is text. */
  readonly answer?: string;
  /** The header of the answer. */
  readonly retryAfter?: string;
  readonly durationMs: number;
}

export const isDelivered = ({ error }: Outcome): boolean => error === undefined;

/** Somebody took the request, whatever became of it: one event may be the reason. */
export const isTaken = ({ error }: Outcome): boolean => error === undefined || !UNTAKEN.has(error);
const UNTAKEN: ReadonlySet<DeliveryError> = new Set([
  "blocked_address",
  "dns_failed",
  "connect_failed",
  "connect_timeout",
  "tls_failed",
]);

/** The receiver wants nothing more from us. */
export const GONE = 410;
