import { join } from "node:path";
import type { Connection } from "../db/database.ts";
import { type Migration, migrateAt, readSchema, type Schema } from "../db/migrate.ts";
import type { Report } from "./report.ts";

export const schemaOf = (root: string): Schema => readSchema(join(root, "migrations"));

export const migrationsOf = (root: string): readonly Migration[] => schemaOf(root).migrations;

/** Applies missing migrations, as a starting gateway does; for migrating before a rollout. */
export async function migrateNow(connection: Connection, root: string): Promise<Report> {
  const schema = schemaOf(root);
  const applied = await migrateAt(connection, schema);
  const names = schema.migrations
    .filter(({ number }) => applied.includes(number))
    .map(({ number, name }) => `${String(number).padStart(4, "0")} ${name}`);
  return {
    ok: true,
    json: { applied: names },
    text: names.length === 0 ? "Nothing to apply." : `Applied:\n${names.map((name) => `  ${name}`).join("\n")}`,
  };
}
