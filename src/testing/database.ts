import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { after } from "node:test";
import pg from "pg";
import { type Database, openDatabase } from "../db/database.ts";
import { migrate, readMigrations } from "../db/migrate.ts";
import { runningTestServer, startTestServer } from "./database-server.ts";

export const MIGRATIONS_DIR = join(import.meta.dirname, "..", "..", "migrations");

export const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

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
  const shared = runningTestServer();
  const own = shared === undefined ? await startTestServer() : undefined;
  const server = own?.connection ?? (JSON.parse(shared as string) as pg.ClientConfig);
  const database = `t_${Date.now().toString(36)}_${randomBytes(4).toString("hex")}`;
  await onServer(server, (client) => client.query(`create database ${database}`));
  const connection = { ...server, database };
  await onServer(connection, (client) => migrate(client, readMigrations(MIGRATIONS_DIR)));

  const opened: Database[] = [];
  after(async () => {
    await Promise.all(opened.map((db) => db.close()));
    await onServer(server, (client) => client.query(`drop database ${database} with (force)`));
    await own?.remove();
  });
  const url = `postgres://${connection.user}@localhost:${connection.port}/${database}?host=${encodeURIComponent(String(connection.host))}`;
  return {
    connection,
    url,
    open() {
      const db = openDatabase({ connection, connections: 10, connectTimeoutMs: 5_000, log: SILENT });
      opened.push(db);
      return db;
    },
  };
}

async function onServer<T>(connection: pg.ClientConfig, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}
