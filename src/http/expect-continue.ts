import type { IncomingMessage, ServerResponse } from "node:http";

/** Responses to requests that wait for `100 Continue` (RFC 9110 section 10.1.1). */
const EXPECTING = new WeakMap<IncomingMessage, ServerResponse>();

/** Delays `100 Continue` until the body is needed: a request can be refused before its body is sent. */
export const expectContinue = (request: IncomingMessage, response: ServerResponse): void =>
  void EXPECTING.set(request, response);

export const isExpecting = (request: IncomingMessage): boolean => EXPECTING.has(request);

/** Call it when the body is needed. */
export function letContinue(request: IncomingMessage): void {
  EXPECTING.get(request)?.writeContinue();
  EXPECTING.delete(request);
}
