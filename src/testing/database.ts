import { after } from "node:test";
import type pg from "pg";
import { type Database, openDatabase } from "../db/database.ts";
import { createEmpty, createMigrated, onServer, useTestServer } from "./database-server.ts";

export { MIGRATIONS_DIR } from "./database-server.ts";

export const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** It is also the time that a query may wait for a free connection: on a busy machine, and behind a hundred others, long. */
const CONNECT_TIMEOUT_MS = 60_000;

export interface TestDatabase {
  readonly connection: pg.ClientConfig;
  /** The same as a URL, for a program of its own. */
  readonly url: string;
  /** Opens a pool that is closed after the file's tests. */
  open(): Database;
}

/**
 * A fresh, migrated database for one test file, dropped when its tests have passed. Call it at the top of the file: it hooks
 * into the file's end.
 */
export async function makeTestDatabase(): Promise<TestDatabase> {
  const server = await useTestServer();
  const database = await createMigrated(server.connection);
  const connection = { ...server.connection, database };

  const opened: Database[] = [];
  after(async () => {
    await Promise.all(opened.map((db) => db.close()));
    await onServer(server.connection, (client) => client.query(`drop database ${database} with (force)`));
    await server.release();
  });
  const url = urlOf(connection);
  return {
    connection,
    url,
    open() {
      const db = openDatabase({ connection, connections: 10, connectTimeoutMs: CONNECT_TIMEOUT_MS, log: SILENT });
      opened.push(db);
      return db;
    },
  };
}

/** Databases without a table, for tests that fill one themselves; dropped after the file's tests. */
export async function makeEmptyDatabases(): Promise<{
  make(options?: { readonly migrated?: boolean }): Promise<pg.ClientConfig>;
}> {
  const { connection: server, release } = await useTestServer();
  const made: string[] = [];
  after(async () => {
    for (const database of made)
      await onServer(server, (client) => client.query(`drop database ${database} with (force)`));
    await release();
  });
  return {
    async make({ migrated = false } = {}) {
      const database = await (migrated ? createMigrated(server) : createEmpty(server));
      made.push(database);
      return { ...server, database };
    },
  };
}

/** A connection as DATABASE_URL, for a program of its own. */
export const urlOf = ({ user, host, port, database }: pg.ClientConfig): string =>
  `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`;
