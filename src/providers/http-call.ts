import { deadline } from "../kernel/deadline.ts";
import { loggedCode } from "../kernel/logged-code.ts";

/** One HTTP call to a vendor, bounded in time and size. Redirects are never followed: they would carry the secret elsewhere. */
export interface HttpCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A form goes as multipart, with a content type of its own. */
  readonly body?: string | FormData;
  /** For the whole call: connecting, sending, and reading the last byte. A stall of our own does not count (kernel/deadline.ts). */
  readonly timeoutMs: number;
  /** A longer answer is given up: `unknown`. */
  readonly answerBytesMax?: number;
}

export type HttpOutcome<Body = { readonly text: string }> =
  /** A whole answer, whatever its status. Redirects come back as they are. */
  | ({ readonly kind: "answered"; readonly status: number; readonly headers: Headers } & Body)
  /** Certain: no byte of the request left, as there was no connection to carry it. */
  | { readonly kind: "not_sent"; readonly detail: string }
  /** The vendor may or may not have it: no answer in time, or a broken or endless one. */
  | {
      readonly kind: "unknown";
      readonly detail: string;
      /** What came of an answer that broke off. It decides nothing, but may show that the vendor has the request. */
      readonly part?: AnswerPart;
    };

/** The beginning of an answer. */
export interface AnswerPart {
  readonly status: number;
  readonly text: string;
}

const ANSWER_BYTES_MAX = 1024 * 1024;
/** What is kept of an answer that broke off: whole purchases are shorter. */
const PART_BYTES_MAX = 64 * 1024;

/** Some vendors' pages begin with it; JSON has no place for it. */
const BYTE_ORDER_MARK = /^\ufeff/;

/**
 * Never throws. Details are for the operator: no header and no body is in them. Bytes that are not UTF-8 become U+FFFD: what
 * reads the text finds that it is broken.
 */
export const httpCall = async (fetchIt: typeof fetch, call: HttpCall): Promise<HttpOutcome> =>
  asText(await httpBytes(fetchIt, call));

/** Of an answer whose bytes were wanted first: a signature is over these. */
export function asText(outcome: HttpOutcome<{ readonly bytes: Buffer }>): HttpOutcome {
  if (outcome.kind !== "answered") return outcome;
  const { bytes, ...answer } = outcome;
  return { ...answer, text: textFrom(bytes) };
}

const textFrom = (bytes: Buffer): string => bytes.toString("utf8").replace(BYTE_ORDER_MARK, "");

/** The same for an answer that is no text, or not yet. */
export async function httpBytes(
  fetchIt: typeof fetch,
  call: HttpCall,
): Promise<HttpOutcome<{ readonly bytes: Buffer }>> {
  const { url, timeoutMs, answerBytesMax = ANSWER_BYTES_MAX, ...init } = call;
  const abort = new AbortController();
  const limit = deadline(timeoutMs, () => abort.abort());
  const chunks: Uint8Array[] = [];
  let response: Response | undefined;
  const unknown = (detail: string) =>
    ({ kind: "unknown", detail, ...(response && { part: partOf(response.status, chunks) }) }) as const;
  try {
    response = await fetchIt(url, { ...init, redirect: "manual", signal: abort.signal });
    if (!(await readAtMost(response, chunks, answerBytesMax)))
      return unknown(`the answer is longer than ${answerBytesMax} bytes`);
    return { kind: "answered", status: response.status, headers: response.headers, bytes: Buffer.concat(chunks) };
  } catch (error) {
    const reason = rootOf(error);
    if (abort.signal.aborted) return unknown(`no whole answer within ${timeoutMs} ms`);
    return response === undefined && neverConnected(reason)
      ? { kind: "not_sent", detail: sayError(reason) }
      : unknown(sayError(reason));
  } finally {
    limit.cancel();
  }
}

/** Fields of a log line about an answer: never its words. `codeIn` finds the vendor's code in the text of a whole one. */
export function loggedAnswer(outcome: HttpOutcome, codeIn: (text: string) => string | undefined): object {
  if (outcome.kind !== "answered") return { why: outcome.detail };
  const code = loggedCode(codeIn(outcome.text));
  return { http_status: outcome.status, ...(code !== undefined && { code }) };
}

/** How long `Retry-After` asks to wait: seconds or a date (RFC 9110, section 10.2.3). Undefined where it is missing or neither. */
export function retryAfterOf(headers: Headers, now: Date): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

const partOf = (status: number, chunks: readonly Uint8Array[]): AnswerPart => ({
  status,
  text: textFrom(Buffer.concat(chunks).subarray(0, PART_BYTES_MAX)),
});

/** Reads into `chunks`, so that what came is there when the rest does not come. False when there is more. */
async function readAtMost(response: Response, chunks: Uint8Array[], bytesMax: number): Promise<boolean> {
  let bytes = 0;
  // Leaving the loop early cancels the body, which ends the connection.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    chunks.push(chunk);
    if (bytes > bytesMax) return false;
  }
  return true;
}

interface Reason {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
  /** Of a host with several addresses: one failure each. */
  readonly errors?: readonly Reason[];
}

/** `fetch` wraps what happened into a "fetch failed". */
const rootOf = (error: unknown): Reason => {
  const cause = (error as { cause?: unknown }).cause;
  return (typeof cause === "object" && cause !== null ? cause : error) as Reason;
};

/** Faults of a certificate end the TLS handshake, before the request is written. */
const CERTIFICATE = /^(?:CERT_|ERR_TLS_CERT|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/** Only what certainly came before the request: a connection that breaks later may have carried it. */
function neverConnected({ code, syscall, errors }: Reason): boolean {
  if (errors && errors.length > 0) return errors.every(neverConnected);
  if (syscall === "connect" || syscall === "getaddrinfo") return true;
  return code === "UND_ERR_CONNECT_TIMEOUT" || (typeof code === "string" && CERTIFICATE.test(code));
}

const sayError = ({ code, message }: Reason): string => String(code ?? message ?? "the connection failed");
