import type { IncomingMessage, ServerResponse } from "node:http";

/** Answers of requests whose body comes only once we say so (`Expect: 100-continue`, RFC 9110 section 10.1.1). */
const EXPECTING = new WeakMap<IncomingMessage, ServerResponse>();

/** Keeps the word back until the body is wanted: a request that is refused without its body is refused before it is sent. */
export const expectContinue = (request: IncomingMessage, response: ServerResponse): void =>
  void EXPECTING.set(request, response);

export const isExpecting = (request: IncomingMessage): boolean => EXPECTING.has(request);

/** To be called as soon as the body is wanted. */
export function letContinue(request: IncomingMessage): void {
  EXPECTING.get(request)?.writeContinue();
  EXPECTING.delete(request);
}
