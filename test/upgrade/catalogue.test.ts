import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { listPlans, readListTimes } from "../../src/catalogue/plans.repo.ts";
import { openDatabase } from "../../src/db/database.ts";
import { migrate, readSchema } from "../../src/db/migrate.ts";
import { MIGRATIONS_DIR, makeEmptyDatabases, SILENT } from "../../src/testing/database.ts";
import { loadFixture } from "./fixture.ts";

/** Data plans, which had tables of their own, are plans of one product among others. */

const opened: { close(): Promise<void> }[] = [];
// Registered before the database's own end, which drops it.
after(async () => {
  for (const one of opened) await one.close();
});
const connection = await (await makeEmptyDatabases()).make();
await loadFixture(connection);
const client = new pg.Client(connection);
await client.connect();
opened.push({ close: () => client.end() });
const db = openDatabase({ connection, connections: 2, connectTimeoutMs: 5_000, log: SILENT });
opened.push(db);

const rowsOf = async (sql: string) =>
  (await client.query<{ row: string }>(`select row_to_json(t)::text as row from (${sql}) t`)).rows;
const PLANS = "plan_id, provider, code, generation, name, cost_kobo, added_at, changed_at, gone_at";
const OLD = {
  plans: `select ${PLANS}, network as plan_group from data_plans order by plan_id`,
  changes: "select plan_id, at, change, name, cost_kobo from data_plan_changes order by 1, 2, 3",
  lists: "select provider, fetched_at from data_plan_lists order by 1",
};
const NEW = {
  plans: `select ${PLANS}, plan_group from catalogue_plans where product = 'data' order by plan_id`,
  changes: "select plan_id, at, change, name, cost_kobo from catalogue_changes order by 1, 2, 3",
  lists: "select provider, fetched_at from catalogue_lists where product = 'data' order by 1",
};
const all = async ({ plans, changes, lists }: typeof OLD) => ({
  plans: await rowsOf(plans),
  changes: await rowsOf(changes),
  lists: await rowsOf(lists),
});

const before = await all(OLD);
await migrate(client, readSchema(MIGRATIONS_DIR));

test("each data plan keeps its id and its history, and is as fresh as it was", async () => {
  for (const [what, rows] of Object.entries(before)) assert.ok(rows.length > 0, what);
  assert.deepEqual(await all(NEW), before);
  const providers = [
    ...new Set((await db.query<{ provider: string }>(OLD.lists)).rows.map(({ provider }) => provider)),
  ];
  const plans = await listPlans(db, { product: "data", providers, goneAfter: new Date(0) });
  assert.equal(plans.length, before.plans.length);
  assert.equal((await readListTimes(db, "data", providers)).size, before.lists.length);
});

test("a node of the previous version goes on with its own copy until it is stopped", async () => {
  assert.deepEqual(await all(OLD), before);
});
