import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { onServer } from "../testing/database-server.ts";

const { connection } = await makeTestDatabase();

test("a partition made later has the room for updates that the default one has", async () => {
  const rows = await onServer(connection, async (client) => {
    await client.query("drop table orders_default, transfers_default"); // no settings to copy is no fault either
    await client.query("select ensure_partitions()");
    await client.query("alter table orders_default set (fillfactor = 60)");
    const { rows: last } = await client.query<{ name: string }>(
      `select max(relname) as name from pg_class where relname ~ '^(orders|transfers)_\\d{4}_\\d{2}$'
        group by left(relname, 6) order by 1`,
    );
    for (const { name } of last) await client.query(`drop table ${name}`);
    await client.query("select ensure_partitions()");
    return (
      await client.query<{ reloptions: string[] | null }>(
        "select reloptions from pg_class where relname = any($1) order by relname",
        [last.map(({ name }) => name)],
      )
    ).rows;
  });
  assert.deepEqual(rows, [{ reloptions: ["fillfactor=60"] }, { reloptions: null }]);
});

test("the end of an order changes nothing by which a hold is found, so that its row alone is written", async () => {
  const { rows } = await onServer(connection, (client) =>
    client.query<{ definition: string }>(
      "select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = 'transfers'::regclass",
    ),
  );
  assert.ok(rows.length >= 3);
  for (const { definition } of rows)
    assert.doesNotMatch(definition, /\b(state|posted_kobo|decided_at|decided_in)\b/, definition);
});
