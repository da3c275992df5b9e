import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { MIGRATIONS_DIR, makeTestDatabase } from "../testing/database.ts";
import { isMigrated, type Migration, migrate, readMigrations } from "./migrate.ts";

const { connection, open } = await makeTestDatabase();
const ALL = readMigrations(MIGRATIONS_DIR);

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
    await migrate(client, ALL),
    ALL.map((migration) => migration.number),
  );
  assert.deepEqual(await migrate(client, ALL), []);
});

test("nodes that start together on an empty database migrate it once", async () => {
  const connect = await emptyDatabase();
  const clients = await Promise.all(Array.from({ length: 4 }, connect));
  const applied = await Promise.all(clients.map((client) => migrate(client, ALL)));
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
  await assert.rejects(migrate(client, [...ALL, broken]), /half failed: .*no_such_function/);
  const { rows } = await client.query<{ found: string | null }>("select to_regclass('half') as found");
  assert.equal(rows[0]?.found, null);
  assert.deepEqual(await migrate(client, [...ALL, { ...broken, sql: "create table half (n int)" }]), [broken.number]);
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

test("the hot functions plan once a connection, and only by index, whichever migration made them last", async () => {
  const settings = [
    "plan_cache_mode=force_generic_plan",
    "enable_seqscan=off",
    "enable_hashjoin=off",
    "enable_mergejoin=off",
  ];
  const { rows } = await open().query(
    "select proname, proconfig from pg_proc where proname in ('accept_orders', 'begin_accepted', 'change_orders') order by proname",
  );
  assert.deepEqual(
    rows,
    ["accept_orders", "begin_accepted", "change_orders"].map((proname) => ({ proname, proconfig: settings })),
  );
});
