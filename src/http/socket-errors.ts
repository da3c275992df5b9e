import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { API_VERSION } from "../kernel/api-version.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { COMMON_REFUSALS, type CommonCode } from "./common.refusals.ts";
import { PROBLEM_MEDIA_TYPE, problemOf } from "./problems.ts";
import { STANDARD_HEADERS } from "./standard-headers.ts";
import { endSlowly, isAnsweredEarly } from "./unread-body.ts";

/** Has a refusal written to the log. */
type Tell = (problem: Refusal<CommonCode>, requestId: string) => void;

/** What Node's HTTP parser refuses before there is a request. */
function refusalOf(code: string | undefined): Refusal<CommonCode> {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return refusal("headers_too_large", "All header fields together may have at most 16 KiB, the address included.");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return refusal("payload_too_large", "The extensions of the body's chunks are too large.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return refusal("request_timeout", "The request did not arrive whole in time. Nothing was done; send it again.");
    default:
      return refusal("malformed_request", "What came can't be read as an HTTP/1.1 request.");
  }
}

/**
 * Answers what never became a request, on the bare socket, as problem+json too, and ends the connection.
 *
 * When an earlier request on the same connection has been read and waits for its answer, garbage behind it must not be
 * answered first: the caller would take that for the answer to the earlier one. Then the connection is ended after that
 * answer.
 */
export function answerSocketError(error: NodeJS.ErrnoException, socket: Socket, tell: Tell): void {
  if (isAnsweredEarly(socket)) {
    // One that is being ended ends by itself; on another the rest of a request that was answered did not come.
    if (!socket.writableEnded) socket.destroy();
    return;
  }
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const pending = pendingAnswer(socket);
  if (pending?.req.complete) {
    pending.once("close", () => socket.destroySoon());
    return;
  }
  if (pending?.headersSent) {
    socket.destroy();
    return;
  }
  endSlowly(socket, rawAnswer(refusalOf(error.code), tell));
}

/**
 * The response that Node is about to write on the socket, if any. It has no public name (Node's own handler reads it
 * likewise).
 */
function pendingAnswer(socket: Socket & { _httpMessage?: ServerResponse | null }): ServerResponse | undefined {
  return socket._httpMessage ?? undefined;
}

function rawAnswer(problem: Refusal<CommonCode>, tell: Tell): string {
  const requestId = encodeId("req", newUuid());
  tell(problem, requestId);
  const kind = COMMON_REFUSALS.problems[problem.code];
  const { status } = kind;
  const body = JSON.stringify(problemOf(problem, requestId, kind));
  const headers = {
    ...STANDARD_HEADERS,
    "request-id": requestId,
    "afara-version": API_VERSION,
    "content-type": PROBLEM_MEDIA_TYPE,
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}

/** CONNECT asks for a tunnel; Node would hang up without a word. */
export function answerConnect(socket: Duplex, tell: Tell): void {
  socket.end(rawAnswer(refusal("method_not_allowed", "This is an API, not a proxy: CONNECT is not served."), tell));
}
