// Renews migrations/schema.sql from a fresh database: `npm run schema`. A test in src/db says when it is due.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { schemaText } from "../src/db/schema-text.ts";
import { createMigrated, MIGRATIONS_DIR, onServer, useTestServer } from "../src/testing/database-server.ts";

const { connection, release } = await useTestServer();
try {
  const database = await createMigrated(connection);
  writeFileSync(join(MIGRATIONS_DIR, "schema.sql"), await onServer({ ...connection, database }, schemaText));
} finally {
  await release();
}
