import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { MIGRATIONS_DIR, makeTestDatabase } from "../testing/database.ts";
import { isMigrated, type Migration, migrate, readMigrations, readSchema } from "./migrate.ts";

const { connection, open } = await makeTestDatabase();
const SCHEMA = readSchema(MIGRATIONS_DIR);
const ALL = SCHEMA.migrations;

/** An empty database beside the file's own, and clients on it. */
async function emptyDatabase(): Promise<() => Promise<pg.Client>> {
  const name = `t_empty_${randomBytes(4).toString("hex")}`;
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const clients: pg.Client[] = [];
  after(async () => {
    for (const client of clients) await client.end();
    await admin.query(`drop database ${name}`);
    await admin.end();
  });
  return async () => {
    const client = new pg.Client({ ...connection, database: name });
    await client.connect();
    clients.push(client);
    return client;
  };
}

async function directoryWith(...files: readonly string[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "afara-migrations-"));
  after(() => rm(directory, { recursive: true }));
  for (const file of files) await writeFile(join(directory, file), "select 1");
  return directory;
}

test("an empty database gets every migration, in order, and the second time none", async () => {
  const client = await (await emptyDatabase())();
  assert.deepEqual(
    await migrate(client, SCHEMA),
    ALL.map((migration) => migration.number),
  );
  assert.deepEqual(await migrate(client, SCHEMA), []);
});

test("nodes that start together on an empty database migrate it once", async () => {
  const connect = await emptyDatabase();
  const clients = await Promise.all(Array.from({ length: 4 }, connect));
  const applied = await Promise.all(clients.map((client) => migrate(client, SCHEMA)));
  assert.deepEqual(
    applied.flat(),
    ALL.map((migration) => migration.number),
  );
});

test("a migration that fails leaves nothing of itself, names itself, and is applied when it is mended", async () => {
  const client = await (await emptyDatabase())();
  const broken: Migration = {
    number: ALL.length + 1,
    name: "half",
    sql: "create table half (n int); select no_such_function()",
  };
  await assert.rejects(migrate(client, { ...SCHEMA, migrations: [...ALL, broken] }), /half failed: .*no_such_function/);
  const { rows } = await client.query<{ found: string | null }>("select to_regclass('half') as found");
  assert.equal(rows[0]?.found, null);
  const mended = { ...broken, sql: "create table half (n int)" };
  assert.deepEqual(await migrate(client, { ...SCHEMA, migrations: [...ALL, mended] }), [broken.number]);
});

test("a database counts as migrated only when it has all that this build needs", async () => {
  const db = open();
  assert.equal(await isMigrated(db, ALL), true);
  assert.equal(await isMigrated(db, [...ALL, { number: ALL.length + 1, name: "next", sql: "" }]), false);
});

for (const [why, files] of [
  ["has a gap", ["0001_a.sql", "0003_c.sql"]],
  ["has a number twice", ["0001_a.sql", "0001_b.sql"]],
  ["does not begin at 1", ["0002_b.sql"]],
] as const) {
  test(`a sequence that ${why} is refused before anything is applied`, async () => {
    const directory = await directoryWith(...files);
    assert.throws(() => readMigrations(directory), /out of sequence/);
  });
}

test("a file that is not named like a migration is refused by name", async () => {
  const directory = await directoryWith("0001_a.sql", "later.sql");
  assert.throws(() => readMigrations(directory), /later\.sql: a migration is named/);
});
