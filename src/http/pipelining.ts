import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/**
 * A connection is closed only after the last request read from it: Node drops the answers after one with `Connection: close`,
 * although their requests may have been carried out.
 */
const readFrom = new WeakMap<Socket, number>();
const turns = new WeakMap<IncomingMessage, number>();

interface Request {
  readonly raw: IncomingMessage;
}

/** Call it for each request on arrival. */
export function countRead({ raw }: Request): void {
  const turn = (readFrom.get(raw.socket) ?? 0) + 1;
  readFrom.set(raw.socket, turn);
  turns.set(raw, turn);
}

/** Whether no later request of the same connection has been read. */
export const isLastRead = ({ raw }: Request): boolean => turns.get(raw) === readFrom.get(raw.socket);
