import { join } from "node:path";
import type { Connection } from "../db/database.ts";
import { type Migration, migrateAt, readMigrations } from "../db/migrate.ts";
import type { Report } from "./report.ts";

export const migrationsOf = (root: string): readonly Migration[] => readMigrations(join(root, "migrations"));

/** Applies what is missing. A starting gateway does the same; this is for those who migrate before they roll out. */
export async function migrateNow(connection: Connection, root: string): Promise<Report> {
  const migrations = migrationsOf(root);
  const applied = await migrateAt(connection, migrations);
  const names = migrations
    .filter(({ number }) => applied.includes(number))
    .map(({ number, name }) => `${String(number).padStart(4, "0")} ${name}`);
  return {
    ok: true,
    json: { applied: names },
    text: names.length === 0 ? "Nothing to apply." : `Applied:\n${names.map((name) => `  ${name}`).join("\n")}`,
  };
}
