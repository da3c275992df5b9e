import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { isExpecting } from "./expect-continue.ts";
import { makePace } from "./pace.ts";
import { isGivenUp } from "./read-body.ts";

/** A body announced to be no longer than this is read to its end behind the answer, so that its connection can be used again. */
const KEPT_BODY_BYTES_MAX = 64 * 1024;

/** How long the rest of a body that nobody needs may take. */
const REST_MS = 5_000;

/**
 * How long what still comes is read and dropped: closing at once resets the connection, and a caller still sending
 * never sees the answer.
 */
const LINGER_MS = 1_000;

/** What is dropped of all such connections together. What is over it stays unread, and its sender is reset in the end. */
const DROPPED = makePace({ bytesPerSecond: 16 * 1024 * 1024, burst: 8 * 1024 * 1024 });

/** Connections whose last request was answered before it had come in whole: nothing more is said on them until it has. */
const ANSWERED = new WeakSet<Socket>();

export const isAnsweredEarly = (socket: Socket): boolean => ANSWERED.has(socket);

/**
 * To be called before a request is answered. When its body has not come in whole, a short rest is dropped; before a long one
 * the connection is ended behind the answer. Returns whether it is, and the answer must say so.
 */
export function endUnread(raw: IncomingMessage): boolean {
  const { headers, socket } = raw;
  const length = headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity;
  if (raw.complete || raw.readableEnded || length === 0) return false;
  if (length > KEPT_BODY_BYTES_MAX || isGivenUp(raw) || isExpecting(raw)) {
    raw.pause();
    // Node's own would close with what came unread, which is a reset.
    socket.destroySoon = () => endSlowly(socket);
    return true;
  }
  ANSWERED.add(socket);
  const timer = setTimeout(() => socket.destroy(), REST_MS).unref();
  const done = () => {
    ANSWERED.delete(socket);
    clearTimeout(timer);
  };
  raw.once("end", done).once("close", done).resume();
  return false;
}

/** Says the last on a connection, which `answer` may be: drops a bounded part of what still comes, and closes. */
export function endSlowly(socket: Socket, answer?: string): void {
  ANSWERED.add(socket);
  socket.removeAllListeners("data").removeAllListeners("end");
  const goOn = () => void socket.resume();
  let forget: (() => void) | undefined;
  const destroy = () => socket.destroy();
  const timer = setTimeout(destroy, LINGER_MS).unref();
  socket.once("end", destroy).once("close", () => {
    clearTimeout(timer);
    forget?.();
  });
  socket.on("data", ({ length }: Buffer) => {
    if (DROPPED.take(length)) return;
    socket.pause();
    forget = DROPPED.wait(goOn);
  });
  if (answer === undefined) socket.end();
  else socket.end(answer);
  goOn();
}
