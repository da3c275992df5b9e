import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import pg from "pg";
import { migrate, readSchema } from "../db/migrate.ts";
import { MIGRATIONS_DIR, makeEmptyDatabases, makeTestDatabase, SILENT } from "../testing/database.ts";
import { MovableClock } from "../testing/webhooks-rig.ts";
import { libraryOptions } from "./library.ts";
import { openLibraryPool } from "./library-pool.repo.ts";
import { makeSessionKeys } from "./session-keys.ts";

const database = await makeTestDatabase();
const empty = await makeEmptyDatabases();
const PEOPLE_MIGRATION = 45;

async function optionsAt(connection: pg.ClientConfig) {
  const pool = openLibraryPool(connection, SILENT);
  after(() => pool.end());
  const nothing = () => undefined;
  return libraryOptions({
    clock: new MovableClock(),
    log: SILENT,
    pool,
    keys: makeSessionKeys("secret of the tests", false),
    isSecure: false,
    approves: async () => true,
    events: {
      verificationWanted: nothing,
      knownAddress: nothing,
      resetWanted: nothing,
      passwordReset: async () => undefined,
      proven: async () => undefined,
      mayEnter: async () => true,
    },
  });
}

test("our migrations make every table and column that better-auth wants, so that nothing is made at run time", async () => {
  const { getMigrations } = await import("better-auth/db/migration");
  const plan = await getMigrations(await optionsAt(database.connection));
  assert.deepEqual([plan.toBeCreated, plan.toBeAdded], [[], []]);
  assert.equal((await plan.compileMigrations()).replace(/;\s*$/, ""), "");

  const bare = await getMigrations(await optionsAt(await empty.make()));
  assert.equal(bare.toBeCreated.length, 5, "what is compared are the tables of the library");
});

test("members of a gateway that is upgraded become invitations with their roles", async () => {
  const client = new pg.Client(await empty.make());
  await client.connect();
  after(() => client.end());
  const schema = readSchema(MIGRATIONS_DIR);
  const before = schema.migrations.filter(({ number }) => number < PEOPLE_MIGRATION);
  await migrate(client, { migrations: before, functions: schema.functions });
  const accountId = randomUUID();
  await client.query("insert into accounts (id, name) values ($1, 'Ikoyi Foods')", [accountId]);
  await client.query(
    `insert into members (account_id, email, name, role)
     values ($1, 'ada@example.com', 'Ada', 'owner'), ($1, 'obi@example.com', 'Obi', 'finance')`,
    [accountId],
  );

  await migrate(client, schema);
  const { rows } = await client.query(
    "select account_id, email, role, expires_at > now() + interval '80 days' as open from account_invitations order by email",
  );
  assert.deepEqual(rows, [
    { account_id: accountId, email: "ada@example.com", role: "owner", open: true },
    { account_id: accountId, email: "obi@example.com", role: "finance", open: true },
  ]);
  assert.equal((await client.query("select to_regclass('members') as old")).rows[0].old, null);
});
