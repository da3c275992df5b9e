import type { Db } from "../db/database.ts";

/** Settings shared by all nodes of a database, by name. */

/** Stores a value unless one exists, and returns the stored one. */
export async function keepSetting(db: Db, name: string, value: string): Promise<string> {
  // Two statements: the second sees a value that another node committed while the first waited.
  await db.query("insert into settings (name, value) values ($1, $2) on conflict (name) do nothing", [name, value]);
  return (await readSetting(db, name)) ?? value;
}

export async function readSetting(db: Db, name: string): Promise<string | undefined> {
  const { rows } = await db.query<{ value: string }>("select value from settings where name = $1", [name]);
  return rows[0]?.value;
}

export async function dropSetting(db: Db, name: string): Promise<void> {
  await db.query("delete from settings where name = $1", [name]);
}
