import { setTimeout as wait } from "node:timers/promises";
import type { Http } from "./edge.ts";

/**
 * Stops taking traffic without losing a request that was read. `/readyz` says no from now on and every answer ends its
 * connection, so that load balancers and clients go elsewhere; after `delaySeconds` no new connection is taken, and
 * requests under way are answered first. Safe to call twice: the second call waits for the first.
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
  const closed = app.close();
  // A connection whose last answer had begun before the signal was not told to end: it is closed once it is idle.
  const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS);
  try {
    await closed;
  } finally {
    clearInterval(sweep);
  }
}

const IDLE_SWEEP_MS = 50;
