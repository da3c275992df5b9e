import pg from "pg";
import type { Connection } from "../db/database.ts";
import type { Log } from "../kernel/log.ts";

/** The connections of better-auth, which brings its own SQL. Few: people sign in seldom. */
export type LibraryPool = pg.Pool;

const CONNECTIONS = 4;
const CONNECT_MS = 5_000;
const STATEMENT_MS = 8_000;

export function openLibraryPool(connection: Connection, log: Log): LibraryPool {
  const pool = new pg.Pool({
    ...connection,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 10_000,
    statement_timeout: STATEMENT_MS,
    keepAlive: true,
    allowExitOnIdle: true,
  });
  pool.on("error", (error) => log.warn({ error: error.message }, "an idle connection of sign-in broke"));
  // A connection that breaks in use emits as well; the rejection of the query is what counts.
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}
