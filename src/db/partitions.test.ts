import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { onServer } from "../testing/database-server.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makePartitions, missingPartitions } from "./partitions.ts";

const { connection } = await makeTestDatabase();

/** All tables lose the partition of the month so many ahead of this one. */
const dropMonth = (ahead: number) => `do $$ begin
  execute (select string_agg(format('drop table %I',
                    name || to_char(now() at time zone 'UTC' + interval '${ahead} months', '_YYYY_MM')), '; ') from partitioned_tables);
end $$`;
const withoutMonth = (names: readonly string[]) => names.map((name) => name.replace(/_\d{4}_\d{2}$/, ""));

test("a table with a reader is passed over, the others get their partitions, and it gets its own afterwards", async () => {
  await onServer(connection, (client) =>
    onServer(connection, async (reader) => {
      await client.query(dropMonth(1));
      await reader.query("begin");
      await reader.query("select count(*) from orders");
      await makePartitions(client);
      assert.deepEqual(withoutMonth(await missingPartitions(client)), ["orders"]);
      await reader.query("commit");
      await makePartitions(client);
      assert.deepEqual(await missingPartitions(client), []);
    }),
  );
});

test("a partition is made beside orders that take the tables in another order", async () => {
  await onServer(connection, (client) =>
    onServer(connection, async (order) => {
      await client.query(dropMonth(0));
      // The tables in the order of an order's end. Events come first when partitions are made.
      await order.query("begin");
      await order.query("select from orders for update");
      const made = makePartitions(client);
      await order.query("select from events");
      await order.query("commit");
      await made;
      await makePartitions(client);
      assert.deepEqual(await missingPartitions(client), []);
    }),
  );
});

test("for the month that has begun a reader is waited for: an order that comes meanwhile must not fall outside", async () => {
  await onServer(connection, (client) =>
    onServer(connection, async (reader) => {
      await client.query(dropMonth(0));
      await reader.query("begin");
      await reader.query("select count(*) from orders");
      const made = makePartitions(client);
      await waitFor("a waiter", async () => {
        const { rows } = await reader.query("select from pg_locks where relation = 'orders'::regclass and not granted");
        return rows.length > 0;
      });
      await reader.query("commit");
      await made;
      assert.deepEqual(await missingPartitions(client), []);
    }),
  );
});

test("a table with a row outside its months keeps no other from its partitions", async () => {
  await onServer(connection, async (client) => {
    await client.query(dropMonth(1));
    await client.query(
      `insert into transfers (account_id, id, mode, kind, debit_kind, credit_kind, amount_kobo, state, created_at)
       values (gen_random_uuid(), uuidv7_floor(date_trunc('month', now() at time zone 'UTC') + interval '1 month 1 day'),
               'test', 'hold', 'wallet', 'sales:sms', 1, 'pending', now())`,
    );
    await makePartitions(client);
    assert.deepEqual(withoutMonth(await missingPartitions(client)), ["transfers"]);
    await client.query("delete from transfers_default");
    await makePartitions(client);
    assert.deepEqual(await missingPartitions(client), []);
  });
});

test("a partition made later has the room for updates that the default one has", async () => {
  const rows = await onServer(connection, async (client) => {
    await client.query("drop table orders_default, transfers_default"); // no settings to copy is no fault either
    await makePartitions(client);
    await client.query("alter table orders_default set (fillfactor = 60)");
    const { rows: last } = await client.query<{ name: string }>(
      `select max(relname) as name from pg_class where relname ~ '^(orders|transfers)_\\d{4}_\\d{2}$'
        group by left(relname, 6) order by 1`,
    );
    for (const { name } of last) await client.query(`drop table ${name}`);
    await makePartitions(client);
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

test("months begin by UTC, whatever the session's time zone", async () => {
  await onServer(connection, async (client) => {
    const bounds = async () =>
      (
        await client.query<{ bounds: string }>(
          `select string_agg(pg_get_expr(c.relpartbound, c.oid), ' ' order by c.relname) as bounds
             from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'orders'::regclass`,
        )
      ).rows[0]!.bounds;
    await makePartitions(client);
    const byUtc = await bounds();
    for (const zone of ["America/New_York", "Europe/London", "Asia/Tokyo"]) {
      for (const ahead of [0, 1, 2, 3]) await client.query(dropMonth(ahead));
      await client.query(`set timezone = '${zone}'`);
      await makePartitions(client);
      assert.equal(await bounds(), byUtc, zone);
    }
    await client.query("reset timezone");
  });
});
