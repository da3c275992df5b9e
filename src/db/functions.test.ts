import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { MIGRATIONS_DIR, makeEmptyDatabases } from "../testing/database.ts";
import { readFunctions, type SqlFunction } from "./functions.ts";
import { type Migration, migrate, readSchema } from "./migrate.ts";
import { rebuildDatabase } from "./rebuild.ts";

const databases = await makeEmptyDatabases();
const SCHEMA = readSchema(MIGRATIONS_DIR);
/** The last migration that an earlier build had, whose functions stood in migrations. */
const BEFORE = 35;

async function openEmpty(options?: { readonly migrated: boolean }): Promise<pg.Client> {
  const client = new pg.Client(await databases.make(options));
  client.on("error", () => undefined);
  await client.connect();
  after(() => client.end());
  return client;
}

/** All functions as the server has them. */
async function definitions(client: pg.ClientBase): Promise<readonly { name: string; definition: string }[]> {
  const { rows } = await client.query(
    `select proname as name, pg_get_functiondef(oid) as definition from pg_proc
      where pronamespace = current_schema()::regnamespace order by proname, oid`,
  );
  return rows;
}

const functionOf = (name: string, rest: string): SqlFunction => ({
  name,
  sql: `create or replace function ${name}${rest};`,
});
const withFunction = (one: SqlFunction) => ({
  ...SCHEMA,
  functions: [...SCHEMA.functions.filter(({ name }) => name !== one.name), one],
});
const ANSWER = functionOf("answer", "() returns int language sql as $$ select 1 $$");
const OTHER_ANSWER = functionOf("answer", "() returns int language sql as $$ select 2 $$");
const answerOf = async (client: pg.ClientBase) => (await client.query("select answer() as n")).rows[0].n;
const migrationOf = (number: number, sql: string): Migration => ({ number, name: "next", sql });

test("a fresh database has exactly the functions of the files, as the files say them", async () => {
  const client = await openEmpty({ migrated: true });
  const found = await definitions(client);
  assert.deepEqual(
    found.map(({ name }) => name),
    SCHEMA.functions.map(({ name }) => name),
  );
  // With every body checked, and with settings that only the files could take away again.
  for (const { name } of SCHEMA.functions) await client.query(`alter function ${name} set work_mem = '1MB'`);
  for (const { sql } of SCHEMA.functions) await client.query(sql);
  assert.deepEqual(await definitions(client), found);
  for (const { name, sql } of SCHEMA.functions) {
    const { rows } = await client.query("select prosrc from pg_proc where proname = $1", [name]);
    assert.equal(rows[0].prosrc, sql.split("$$")[1], name);
  }
});

for (const level of [1, 6, 12, 21, 28, BEFORE])
  test(`a database of migration ${level} is upgraded to the functions of a fresh one`, async () => {
    const upgraded = await openEmpty();
    await migrate(upgraded, { migrations: SCHEMA.migrations.slice(0, level), functions: [] });
    await migrate(upgraded, SCHEMA);
    assert.deepEqual(await definitions(upgraded), await definitions(await openEmpty({ migrated: true })));
  });

test("the functions of every batch plan once a connection, and only by index", async () => {
  const client = await openEmpty({ migrated: true });
  const names = [
    "accept_orders",
    "begin_accepted",
    "change_orders",
    "claim_orders",
    "due_queues",
    "find_attempts",
    "find_references",
    "place_events",
    "release_orders",
    "renew_leases",
    "wake_orders",
  ];
  const { rows } = await client.query(
    "select proname, proconfig from pg_proc where proname = any($1) order by proname",
    [names],
  );
  const proconfig = [
    "plan_cache_mode=force_generic_plan",
    "enable_seqscan=off",
    "enable_hashjoin=off",
    "enable_mergejoin=off",
  ];
  assert.deepEqual(
    rows,
    names.map((proname) => ({
      proname,
      proconfig: ["due_queues", "find_references"].includes(proname)
        ? proconfig.toSpliced(2, 0, "enable_bitmapscan=off")
        : proconfig,
    })),
  );
});

test("a changed function is applied anew, an unchanged one is not", async () => {
  const client = await openEmpty({ migrated: true });
  const versions = async () =>
    (await client.query("select proname, xmin::text from pg_proc where pronamespace = 'public'::regnamespace")).rows;
  const before = await versions();
  await migrate(client, SCHEMA);
  assert.deepEqual(await versions(), before);

  await migrate(client, withFunction(ANSWER));
  assert.equal(await answerOf(client), 1);
  await migrate(client, withFunction(OTHER_ANSWER));
  assert.equal(await answerOf(client), 2);
  assert.deepEqual(
    (await versions()).filter(({ proname }) => proname !== "answer"),
    before,
  );
});

test("a function whose file is gone is dropped", async () => {
  const client = await openEmpty({ migrated: true });
  await migrate(client, withFunction(ANSWER));
  await migrate(client, SCHEMA);
  await assert.rejects(answerOf(client), /function answer\(\) does not exist/);
});

for (const [what, rest] of [
  ["another parameter", "(p_more int default 0) returns int language sql as $$ select 3 $$"],
  ["another result", "() returns text language sql as $$ select '3' $$"],
] as const)
  test(`a function with ${what} takes the place of the former one`, async () => {
    const client = await openEmpty({ migrated: true });
    await migrate(client, withFunction(ANSWER));
    await migrate(client, withFunction(functionOf("answer", rest)));
    assert.equal(Number(await answerOf(client)), 3);
    const { rows } = await client.query("select count(*)::int as n from pg_proc where proname = 'answer'");
    assert.deepEqual(rows, [{ n: 1 }]);
  });

test("a function may call one that is defined after it", async () => {
  const client = await openEmpty({ migrated: true });
  const first = functionOf("a_first", "() returns int language sql as $$ select answer() $$");
  await migrate(client, { ...SCHEMA, functions: [first, ...SCHEMA.functions, ANSWER] });
  assert.deepEqual((await client.query("select a_first() as n")).rows, [{ n: 1 }]);
});

test("a function that can't be defined leaves the last migration undone as well, and is named", async () => {
  const client = await openEmpty({ migrated: true });
  const next = migrationOf(SCHEMA.migrations.length + 1, "create table next (n int)");
  const migrations = [...SCHEMA.migrations, next];
  const broken = functionOf("broken", "() returns no_such_type language sql as $$ select 1 $$");
  await assert.rejects(
    migrate(client, { ...withFunction(broken), migrations }),
    /Function broken failed: .*no_such_type/,
  );
  assert.deepEqual((await client.query("select to_regclass('next') as found")).rows, [{ found: null }]);
  assert.deepEqual(await migrate(client, { ...withFunction(ANSWER), migrations }), [next.number]);
  assert.equal(await answerOf(client), 1);
});

test("an older build that starts leaves a newer one's functions", async () => {
  const client = await openEmpty({ migrated: true });
  const next = migrationOf(SCHEMA.migrations.length + 1, "create table next (n int)");
  await migrate(client, { ...withFunction(OTHER_ANSWER), migrations: [...SCHEMA.migrations, next] });
  assert.deepEqual(await migrate(client, withFunction(ANSWER)), []);
  assert.equal(await answerOf(client), 2);
  assert.deepEqual(await migrate(client, SCHEMA), []);
  assert.equal(await answerOf(client), 2);
});

test("an upgrade whose connection is killed before its commit goes on at the next start", async () => {
  const connection = await databases.make();
  const killed = new pg.Client(connection);
  killed.on("error", () => undefined);
  await killed.connect();
  await migrate(killed, { migrations: SCHEMA.migrations.slice(0, BEFORE), functions: [] });
  const kill = { name: "zz_kill", sql: "select pg_terminate_backend(pg_backend_pid())" };
  await assert.rejects(migrate(killed, { ...SCHEMA, functions: [...SCHEMA.functions, kill] }));

  const client = new pg.Client(connection);
  await client.connect();
  after(() => client.end());
  const { rows } = await client.query(
    "select max(number) as level, (select count(*)::int from sql_functions) as functions from migrations",
  );
  // The functions come with the last migration.
  assert.deepEqual(rows, [{ level: SCHEMA.migrations.length - 1, functions: 0 }]);
  await migrate(client, SCHEMA);
  assert.deepEqual(await definitions(client), await definitions(await openEmpty({ migrated: true })));
});

for (const level of [20, SCHEMA.migrations.length])
  test(`a backup of migration ${level} is restored with the functions of this build, each recorded`, async () => {
    const connection = await databases.make();
    await rebuildDatabase({
      connection,
      schema: SCHEMA,
      level,
      installationId: "ins_restored",
      mark: undefined,
      fillAll: async () => undefined,
      sequences: [],
    });
    const client = new pg.Client(connection);
    await client.connect();
    after(() => client.end());
    const reference = await openEmpty({ migrated: true });
    assert.deepEqual(await definitions(client), await definitions(reference));
    const recorded = async (of: pg.Client) =>
      (await of.query("select name, sha256 from sql_functions order by name")).rows;
    assert.deepEqual(await recorded(client), await recorded(reference));
  });

test("nodes that start together apply a changed function once", async () => {
  const connection = await databases.make({ migrated: true });
  const clients = Array.from({ length: 4 }, () => new pg.Client(connection));
  for (const client of clients) await client.connect();
  after(() => Promise.all(clients.map((client) => client.end())));
  await clients[0]!.query("create table defined (name text)");
  const noted = { ...ANSWER, sql: `${ANSWER.sql} insert into defined values ('answer');` };
  await Promise.all(clients.map((client) => migrate(client, withFunction(noted))));
  assert.deepEqual((await clients[0]!.query("select * from defined")).rows, [{ name: "answer" }]);
});

test("a migration defines a function in place where its trigger needs it", async () => {
  const client = await openEmpty({ migrated: true });
  const touch = functionOf("touch", "() returns trigger language plpgsql as $$ begin new.n := 7; return new; end $$");
  const next = migrationOf(
    SCHEMA.migrations.length + 1,
    `create table touched (n int);
-- define: touch
create trigger touched_n before insert on touched for each row execute function touch();`,
  );
  const migrations = [...SCHEMA.migrations, next];
  await assert.rejects(migrate(client, { ...SCHEMA, migrations }), /there is no migrations\/functions\/touch\.sql/);
  await migrate(client, { ...withFunction(touch), migrations });
  assert.deepEqual((await client.query("insert into touched values (1) returning n")).rows, [{ n: 7 }]);
});

/** What in a migration after the last with functions of its own defines, changes or drops one. */
const ownFunction = ({ number, sql }: Migration): string | undefined =>
  number > BEFORE
    ? /\b(?:create|create or replace|alter|drop) (?:function|procedure|routine)\b/i.exec(
        sql.replace(/--.*$/gm, ""),
      )?.[0]
    : undefined;

test(`after migration ${BEFORE} functions are defined in migrations/functions alone`, () => {
  for (const migration of SCHEMA.migrations)
    assert.equal(ownFunction(migration), undefined, `${migration.number}: move the function to migrations/functions`);
});

for (const sql of [
  "create function f() returns int language sql as $$ select 1 $$",
  "CREATE OR REPLACE FUNCTION f() returns int language sql as $$ select 1 $$",
  "alter function accept_orders set work_mem = '1MB'",
  "drop function if exists f",
])
  test(`a later migration with “${sql.slice(0, 30)} …” breaks that rule`, () => {
    assert.notEqual(ownFunction(migrationOf(BEFORE + 1, sql)), undefined);
    assert.equal(ownFunction(migrationOf(BEFORE, sql)), undefined);
  });

/** Of all functions, without comments: what only explains is no new version. */
const codeHash = (functions: readonly SqlFunction[]): string =>
  createHash("sha256")
    .update(functions.map(({ sql }) => sql.replace(/--.*$/gm, "").replace(/\s+/g, " ").trim()).join("\n"))
    .digest("hex")
    .slice(0, 16);

test("the newest migration that names the functions names these: a node of an older build is known by its migrations", () => {
  const named = SCHEMA.migrations.flatMap(({ sql }) => /^-- functions: (\w+)$/m.exec(sql)?.[1] ?? []);
  const now = codeHash(SCHEMA.functions);
  assert.equal(named.at(-1), now, `functions changed: add a migration with the line “-- functions: ${now}”`);
});

for (const [what, file, sql] of [
  ["two functions", "a.sql", "create or replace function a() x;\ncreate or replace function b() x;"],
  ["another function than its own", "a.sql", "create or replace function b() x;"],
  ["none", "a.sql", "select 1;"],
  ["no name of a function", "A function.sql", "create or replace function a() x;"],
] as const)
  test(`a file of migrations/functions with ${what} is refused by name`, () => {
    const directory = mkdtempSync(join(tmpdir(), "afara-functions-"));
    after(() => rmSync(directory, { recursive: true }));
    writeFileSync(join(directory, file), sql);
    assert.throws(() => readFunctions(directory), new RegExp(`^Error: ${file}: holds one`));
  });
