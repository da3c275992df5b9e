import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { MIGRATIONS_DIR, makeTestDatabase } from "../testing/database.ts";
import { onServer } from "../testing/database-server.ts";
import { schemaText } from "./schema-text.ts";

const { connection } = await makeTestDatabase();

test("migrations/schema.sql is the schema of a fresh database", async () => {
  const file = readFileSync(join(MIGRATIONS_DIR, "schema.sql"), "utf8");
  assert.equal(await onServer(connection, schemaText), file, "renew it: npm run schema");
});

test("the schema names what changes in a table", async () => {
  const before = (await onServer(connection, schemaText)).split("\n");
  const after = await onServer(connection, async (client) => {
    await client.query("create table added (n int not null default 7 constraint positive check (n > 0))");
    await client.query("create index added_n on added (n)");
    await client.query("create trigger added_once before update on added execute function refuse_audit_change()");
    return (await schemaText(client)).split("\n");
  });
  assert.deepEqual(
    after.filter((line) => !before.includes(line)),
    [
      "create table added (",
      "  n integer not null default 7,",
      "  constraint positive CHECK ((n > 0))",
      "CREATE INDEX added_n ON added USING btree (n);",
      "CREATE TRIGGER added_once BEFORE UPDATE ON added FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();",
    ],
  );
});
