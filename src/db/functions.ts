import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

/** The current text of one SQL function: `migrations/functions/<name>.sql`. */
export interface SqlFunction {
  readonly name: string;
  /** One `create or replace function`, with its `set` clauses, and comments. */
  readonly sql: string;
}

const FILE = /^([a-z0-9_]+)\.sql$/;
const DEFINITION = /^create or replace function ([a-z0-9_]+)\(/gm;

export function readFunctions(directory: string): readonly SqlFunction[] {
  return readdirSync(directory)
    .sort()
    .map((file) => {
      const sql = readFileSync(join(directory, file), "utf8");
      const defined = [...sql.matchAll(DEFINITION)].map((match) => match[1]);
      const name = FILE.exec(file)?.[1];
      if (name === undefined || defined.length !== 1 || defined[0] !== name)
        throw new Error(`${file}: holds one \`create or replace function\`, of the file's own name`);
      return { name, sql };
    });
}

const hashOf = ({ sql }: SqlFunction): string => createHash("sha256").update(sql).digest("hex");

/**
 * Brings the functions of a database to these texts, inside the caller's transaction: defines those whose text is not the one
 * recorded in `sql_functions`, and drops those recorded that have no text any more. Does nothing before migration 36, which
 * creates that table.
 */
export async function applyFunctions(client: pg.ClientBase, functions: readonly SqlFunction[]): Promise<void> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    "select to_regclass('sql_functions') is not null as there",
  );
  if (!tables[0]?.there) return;
  const { rows } = await client.query<{ name: string; sha256: string }>("select name, sha256 from sql_functions");
  const recorded = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  const changed = functions.filter((one) => recorded.get(one.name) !== hashOf(one));
  const removed = [...recorded.keys()].filter((name) => !functions.some((one) => one.name === name));
  if (changed.length === 0 && removed.length === 0) return;

  // Functions may name each other in any order.
  await client.query("set local check_function_bodies = off");
  for (const one of changed) {
    await define(client, one);
    await client.query(
      `insert into sql_functions (name, sha256) values ($1, $2)
         on conflict (name) do update set sha256 = excluded.sha256, applied_at = now()`,
      [one.name, hashOf(one)],
    );
  }
  for (const name of removed) {
    await dropAll(client, name);
    await client.query("delete from sql_functions where name = $1", [name]);
  }
}

/** Defines a function. Where the signature differs, the former one is dropped first: a name has one function. */
async function define(client: pg.ClientBase, { name, sql }: SqlFunction): Promise<void> {
  try {
    await client.query("savepoint define_function");
    const isReplaced = await client.query(sql).then(
      async () => (await signaturesOf(client, name)).length === 1,
      (error: unknown) => {
        if (error instanceof pg.DatabaseError && error.code === INVALID_DEFINITION) return false;
        throw error;
      },
    );
    if (!isReplaced) {
      await client.query("rollback to savepoint define_function");
      await dropAll(client, name);
      await client.query(sql);
    }
    await client.query("release savepoint define_function");
  } catch (error) {
    throw new Error(`Function ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/** `create or replace` does not change a result type or a parameter's name. */
const INVALID_DEFINITION = "42P13";

async function signaturesOf(client: pg.ClientBase, name: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ signature: string }>(
    "select oid::regprocedure::text as signature from pg_proc where pronamespace = current_schema()::regnamespace and proname = $1",
    [name],
  );
  return rows.map(({ signature }) => signature);
}

async function dropAll(client: pg.ClientBase, name: string): Promise<void> {
  for (const signature of await signaturesOf(client, name)) await client.query(`drop function ${signature}`);
}
