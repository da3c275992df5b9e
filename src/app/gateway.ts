import type { Connection } from "../db/database.ts";
import type { RouteEntry } from "../http/edge.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";

/** What a gateway is given by the program that runs it. */
export interface Outside {
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: typeof fetch;
  readonly connection: Connection;
  /** Pepper of API keys. */
  readonly secret: string;
  readonly migrationsDir: string;
}

/** A whole gateway, built and not started. */
export interface App {
  readonly node: Uuid;
  /** All that it serves. */
  readonly routes: readonly RouteEntry[];
  /** Makes the account of a gateway on one's own machine. */
  ensureLocalAccount(testKey: string): Promise<Uuid>;
  /** The path of a link that signs in the owner of that account once. */
  localLink(accountId: Uuid): Promise<string>;
  /** Listens and dispatches; resolves once `/readyz` would say yes. `vendorsControl`: where simulated vendors are steered, if any. */
  start(): Promise<{
    readonly port: number;
    readonly adminPort: number | undefined;
    readonly vendorsControl: string | undefined;
  }>;
  /**
   * Stops in order: no new request, requests answered, orders finished or given back, connections closed. `alone`: no other node
   * of this data directory is left.
   */
  stop(options: { readonly drainSeconds: number }): Promise<{ readonly alone: boolean }>;
}
