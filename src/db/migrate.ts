import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Connection, Db } from "./database.ts";
import { applyFunctions, readFunctions, type SqlFunction } from "./functions.ts";
import { makePartitions } from "./partitions.ts";

/** All SQL of this build: numbered migrations and the current functions. */
export interface Schema {
  readonly migrations: readonly Migration[];
  readonly functions: readonly SqlFunction[];
}

/** A `NNNN_what_it_does.sql` file: forward only, number unique, not edited once merged. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

const FILE = /^(\d{4})_([a-z0-9_]+)\.sql$/;
/** The whole schema for reading; nothing is applied from it. */
const DUMP = "schema.sql";

export const readSchema = (directory: string): Schema => ({
  migrations: readMigrations(directory),
  functions: readFunctions(join(directory, "functions")),
});

export function readMigrations(directory: string): readonly Migration[] {
  const migrations = readdirSync(directory)
    .filter((file) => file.endsWith(".sql") && file !== DUMP)
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
 * together do it once. The functions follow in the transaction of the last one; without a missing migration they have one of
 * their own. A build older than the database leaves the functions alone. Returns the numbers applied.
 */
export async function migrate(client: pg.ClientBase, schema: Schema): Promise<readonly number[]> {
  const { migrations, functions } = schema;
  await client.query("select pg_advisory_lock(hashtext('afara.migrate'))");
  try {
    await client.query(MIGRATIONS_TABLE);
    const { rows } = await client.query<{ number: number }>("select number from migrations");
    const applied = new Set(rows.map((row) => row.number));
    const missing = migrations.filter((migration) => !applied.has(migration.number));
    const isOlder = [...applied].some((number) => number > migrations.length);
    for (const migration of missing)
      await inTransaction(client, async () => {
        await applyMigration(client, migration, functions);
        if (migration === missing.at(-1) && !isOlder) await applyFunctions(client, functions);
      });
    if (missing.length === 0 && !isOlder) await inTransaction(client, () => applyFunctions(client, functions));
    await makePartitions(client);
    return missing.map((migration) => migration.number);
  } finally {
    await client.query("select pg_advisory_unlock(hashtext('afara.migrate'))");
  }
}

async function inTransaction(client: pg.ClientBase, act: () => Promise<void>): Promise<void> {
  await client.query("begin");
  try {
    await act();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

async function applyMigration(
  client: pg.ClientBase,
  { number, name, sql }: Migration,
  functions: readonly SqlFunction[],
): Promise<void> {
  try {
    await client.query(withFunctions(sql, functions));
    await client.query("insert into migrations (number, name) values ($1, $2)", [number, name]);
  } catch (error) {
    throw new Error(`Migration ${number}_${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/** A line `-- define: NAME` in a migration stands for that function's text: a trigger needs its function. */
const withFunctions = (sql: string, functions: readonly SqlFunction[]): string =>
  sql.replace(/^-- define: ([a-z0-9_]+)$/gm, (_, name: string) => {
    const found = functions.find((one) => one.name === name);
    if (!found) throw new Error(`there is no migrations/functions/${name}.sql`);
    return found.sql;
  });

const MIGRATIONS_TABLE =
  "create table if not exists migrations (number int primary key, name text not null, applied_at timestamptz not null default now())";

/** Applies migrations inside the caller's transaction: a restore's, which has all of them or nothing. */
export async function applyAgain(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  functions: readonly SqlFunction[],
): Promise<void> {
  await client.query(MIGRATIONS_TABLE);
  for (const migration of migrations) await applyMigration(client, migration, functions);
  await makePartitions(client);
}

/** `migrate` on a connection of its own. */
export async function migrateAt(connection: Connection, schema: Schema): Promise<readonly number[]> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined); // a connection that breaks fails the statement as well
  await client.connect();
  try {
    return await migrate(client, schema);
  } finally {
    await client.end();
  }
}

/** Migrations of this build that the database lacks; all of them if it is new. */
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

/** Migrations applied to a database: this build's, oldest first, and the numbers known only to a newer build. */
export async function appliedMigrations(db: Db, migrations: readonly Migration[]) {
  const { rows } = await db.query<{ number: number }>("select number from migrations order by number");
  const applied = new Set(rows.map((row) => row.number));
  return {
    known: migrations.filter(({ number }) => applied.has(number)),
    unknown: [...applied].filter((number) => !migrations.some((migration) => migration.number === number)),
  };
}
