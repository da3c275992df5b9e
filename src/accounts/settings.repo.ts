import type { Db } from "../db/database.ts";

/** What all nodes of a database must agree on, by name. */

/** Stores a value unless there is one, and gives what is stored. */
export async function keepSetting(db: Db, name: string, value: string): Promise<string> {
  // Two statements: the second sees what another node committed while the first one waited for it.
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
