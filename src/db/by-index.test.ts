import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { byIndex } from "./by-index.ts";
import type { Db } from "./database.ts";

const db = (await makeTestDatabase()).open();

const SETTINGS = `select current_setting('enable_seqscan') as seqscan, current_setting('enable_bitmapscan') as bitmapscan,
                         current_setting('statement_timeout') as timeout`;
const settings = async (one: Pick<typeof db, "query">) => (await one.query<Record<string, string>>(SETTINGS)).rows[0];

test("a read by its index is forbidden to read all, and leaves no setting behind", async () => {
  const before = await settings(db);
  assert.deepEqual(await byIndex(db, settings), { seqscan: "off", bitmapscan: "off", timeout: "500ms" });
  assert.deepEqual(await settings(db), before);
});

test("a read that takes long by its index, as when a vendor is away, is read as PostgreSQL chooses", async () => {
  const slowByIndex = `select current_setting('enable_seqscan') as seqscan
                         from (select case current_setting('enable_seqscan') when 'off' then pg_sleep(60) end) waited`;
  let reads = 0;
  const { rows } = await byIndex(db, (one) => {
    reads += 1;
    return one.query(slowByIndex);
  });
  assert.deepEqual([rows, reads], [[{ seqscan: "on" }], 2]);
});

test("a plan that a session keeps by the index does not serve the read without the rule: they have names of their own", async () => {
  const names: string[] = [];
  const watch = (one: Db): Db => ({
    query(statement, values) {
      if (typeof statement !== "string") names.push(statement.name);
      return one.query(statement, values);
    },
  });
  const watched = {
    ...db,
    ...watch(db),
    transaction: <T>(act: (one: Db) => Promise<T>) => db.transaction((one) => act(watch(one))),
  };
  const read = (one: Db) => one.query({ name: "divided", text: "select 1 / 0" });
  await assert.rejects(byIndex(watched, read), /division by zero/);
  assert.deepEqual(names, ["divided_by_index", "divided"]);
});

test("a read that fails either way tells its own error", async () => {
  await assert.rejects(
    byIndex(db, (one) => one.query("select 1 / 0")),
    /division by zero/,
  );
});
