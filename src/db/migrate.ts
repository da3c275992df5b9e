import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Connection, Db } from "./database.ts";

/** A `NNNN_what_it_does.sql` file: forward only, number unique, not edited once merged. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

const FILE = /^(\d{4})_([a-z0-9_]+)\.sql$/;

export function readMigrations(directory: string): readonly Migration[] {
  const migrations = readdirSync(directory)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => {
      const match = FILE.exec(file);
      if (!match) throw new Error(`${file}: a migration is named NNNN_what_it_does.sql`);
      return { number: Number(match[1]), name: match[2]!, sql: readFileSync(join(directory, file), "utf8") };
    });
  for (const [index, migration] of migrations.entries())
    if (migration.number !== index + 1)
      throw new Error(`Migration ${migration.number} (${migration.name}) is out of sequence; expected ${index + 1}.`);
  return migrations;
}

/**
 * Applies what is missing, each migration in a transaction of its own, under an advisory lock so that nodes which start
 * together do it once. Returns the numbers applied.
 */
export async function migrate(client: pg.ClientBase, migrations: readonly Migration[]): Promise<readonly number[]> {
  await client.query("select pg_advisory_lock(hashtext('afara.migrate'))");
  try {
    await client.query(MIGRATIONS_TABLE);
    const { rows } = await client.query<{ number: number }>("select number from migrations");
    const applied = new Set(rows.map((row) => row.number));
    const missing = migrations.filter((migration) => !applied.has(migration.number));
    for (const migration of missing) {
      await client.query("begin");
      try {
        await client.query(migration.sql);
        await client.query("insert into migrations (number, name) values ($1, $2)", [migration.number, migration.name]);
        await client.query("commit");
      } catch (error) {
        await client.query("rollback");
        throw new Error(`Migration ${migration.number}_${migration.name} failed: ${(error as Error).message}`, {
          cause: error,
        });
      }
    }
    await client.query("select ensure_partitions()");
    return missing.map((migration) => migration.number);
  } finally {
    await client.query("select pg_advisory_unlock(hashtext('afara.migrate'))");
  }
}

const MIGRATIONS_TABLE =
  "create table if not exists migrations (number int primary key, name text not null, applied_at timestamptz not null default now())";

/** Applies migrations inside the caller's transaction: a restore's, which has all of them or nothing. */
export async function applyAgain(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  await client.query(MIGRATIONS_TABLE);
  for (const { number, name, sql } of migrations) {
    await client.query(sql);
    await client.query("insert into migrations (number, name) values ($1, $2)", [number, name]);
  }
  await client.query("select ensure_partitions()");
}

/** `migrate` on a connection of its own. */
export async function migrateAt(connection: Connection, migrations: readonly Migration[]): Promise<readonly number[]> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined); // a connection that breaks fails the statement as well
  await client.connect();
  try {
    return await migrate(client, migrations);
  } finally {
    await client.end();
  }
}

/** What this build has and the database has not; all of it when the database is new. */
export async function missingMigrations(db: Db, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const { rows: tables } = await db.query<{ there: boolean }>("select to_regclass('migrations') is not null as there");
  if (!tables[0]?.there) return migrations;
  const { rows } = await db.query<{ number: number }>("select number from migrations");
  const applied = new Set(rows.map((row) => row.number));
  return migrations.filter((migration) => !applied.has(migration.number));
}

/** True when the database has every migration of this build. */
export async function isMigrated(db: Db, migrations: readonly Migration[]): Promise<boolean> {
  const { rows } = await db.query<{ newest: number | null }>("select max(number) as newest from migrations");
  return (rows[0]?.newest ?? 0) >= migrations.length;
}

/** What has been applied to a database: of this build's, oldest first, and the numbers that only a newer build knows. */
export async function appliedMigrations(db: Db, migrations: readonly Migration[]) {
  const { rows } = await db.query<{ number: number }>("select number from migrations order by number");
  const applied = new Set(rows.map((row) => row.number));
  return {
    known: migrations.filter(({ number }) => applied.has(number)),
    unknown: [...applied].filter((number) => !migrations.some((migration) => migration.number === number)),
  };
}
