import { Server } from "node:net";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import type { Http } from "./edge.ts";

/**
 * Stops taking traffic without losing a request. `/readyz` fails at once and every answer closes its connection, so that load
 * balancers and clients move elsewhere; after `delaySeconds` no new connection is accepted, and requests in progress are
 * answered. Safe to call twice: the second call waits for the first.
 */
export function drain(app: Http, delaySeconds: number): Promise<void> {
  let stopping = STOPPING.get(app);
  if (stopping === undefined) {
    stopping = stop(app, delaySeconds);
    STOPPING.set(app, stopping);
  }
  return stopping;
}

const STOPPING = new WeakMap<Http, Promise<void>>();

async function stop(app: Http, delaySeconds: number): Promise<void> {
  app.edge.draining = true;
  await wait(delaySeconds * 1000);
  await acceptWaiting(app.server);
  // Only the listener: the server's own `close` would also cut connections that are currently idle.
  const ended = new Promise<void>((resolve) => Server.prototype.close.call(app.server, () => resolve()));
  await Promise.race([ended, wait(IDLE_GRACE_MS)]);
  const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS);
  await ended;
  clearInterval(sweep);
  await app.close();
}

/**
 * Closing the listener resets the connections that the kernel has accepted and we have not yet, one of which the loop takes a turn: it
 * is closed right behind a turn that brought none.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let isNew = true;
  const note = () => {
    isNew = true;
  };
  server.on("connection", note);
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
  }, ACCEPT_MS_MAX);
  while (isNew && !isOver) {
    isNew = false;
    await turn();
  }
  clearTimeout(timer);
  server.off("connection", note);
}

/** The limit under a load with new connections in every turn. */
const ACCEPT_MS_MAX = 250;

/**
 * A connection that is idle at the signal may have a request in flight, which closing would reset. An active caller sends its next
 * request within this time, and the answer closes the connection; connections still idle afterwards are closed.
 */
const IDLE_GRACE_MS = 1_000;
const IDLE_SWEEP_MS = 50;
