import { checkSecret } from "../accounts/index.ts";
import { type Connection, type Database, openDatabase } from "../db/database.ts";
import { isMigrated, migrateAt, readSchema } from "../db/migrate.ts";
import { makeStorageProbe } from "../db/storage-probe.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";

export interface NodeDatabaseOptions {
  readonly connection: Connection;
  readonly migrationsDir: string;
  readonly secret: string;
  readonly node: Uuid;
  readonly clock: Clock;
  readonly log: Log;
}

export interface NodeDatabase {
  readonly db: Database;
  /** For `/readyz`. */
  readonly checks: {
    /** Reachable, and migrated as this version needs it. */
    database(): Promise<boolean>;
    /** Writable. */
    storage(): Promise<boolean>;
  };
}

/** Connections of one node: two for accepting, one each for begin, record, report and claim, and some for queries. */
const CONNECTIONS = 16;
const CONNECT_TIMEOUT_MS = 5_000;

/** Migrates the database and opens it for a running gateway. Errors: throws when it was made with another secret. */
export async function openNodeDatabase(options: NodeDatabaseOptions): Promise<NodeDatabase> {
  const { connection, migrationsDir, secret, node, clock, log } = options;
  const schema = readSchema(migrationsDir);
  await migrateAt(connection, schema);
  const db = openDatabase({ connection, connections: CONNECTIONS, connectTimeoutMs: CONNECT_TIMEOUT_MS, log });
  await checkSecret(db, secret);
  return {
    db,
    checks: { database: () => isMigrated(db, schema.migrations), storage: makeStorageProbe(db, node, clock) },
  };
}
