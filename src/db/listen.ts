import pg from "pg";
import type { Log } from "../kernel/log.ts";
import type { Connection } from "./database.ts";

export interface Listener {
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly connection: Connection;
  readonly channel: string;
  readonly log: Log;
  /** Also called after each connect, as earlier notifications are lost. */
  readonly heard: () => void;
}

const FIRST_WAIT_MS = 250;
const WAIT_MS_MAX = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

const ignore = () => undefined;

/**
 * Listens to a database channel (LISTEN/NOTIFY) on a separate connection and reconnects whenever it breaks. It never fails:
 * notifications only make things faster, and nothing may depend on them.
 */
export function listen({ connection, channel, log, heard }: ListenOptions): Listener {
  let closed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let waitMs = FIRST_WAIT_MS;

  const connect = async (): Promise<void> => {
    const own = new pg.Client({ ...connection, keepAlive: true, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    client = own;
    let lost = false;
    const lose = (error?: Error): void => {
      if (lost || closed) return;
      lost = true;
      own.end().catch(ignore);
      log.warn({ error: error?.message, waitMs }, "no announcements from the database; changes are noticed within 4 s");
      retry = setTimeout(() => void connect(), waitMs);
      waitMs = Math.min(waitMs * 2, WAIT_MS_MAX);
    };
    own.on("error", lose);
    own.on("end", lose);
    own.on("notification", heard);
    try {
      await own.connect();
      await own.query(`listen ${own.escapeIdentifier(channel)}`);
    } catch (error) {
      lose(error as Error);
      return;
    }
    waitMs = FIRST_WAIT_MS;
    heard();
  };
  void connect();

  return {
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(ignore);
    },
  };
}
