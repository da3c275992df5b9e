import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A caller who takes nothing of its answer for this long has gone, whatever its connection says. */
export const STALLED_MS = 30_000;

/**
 * Ends connections whose caller does not read: what it was sent stays in memory until it does. One that reads slowly goes on, as
 * does one that waits for an answer which is not made yet; one that is kept open without a request ends as before.
 */
export function endStalledReaders(server: Server, stalledMs: number = STALLED_MS): void {
  server.setTimeout(stalledMs, (socket: Socket & { _httpMessage?: ServerResponse | null }) => {
    const isAnswerInTheMaking = socket.writableLength === 0 && Boolean(socket._httpMessage);
    if (isAnswerInTheMaking) socket.setTimeout(stalledMs);
    else socket.destroy();
  });
}
