import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import pg from "pg";
import { openDatabase } from "../db/database.ts";
import { migrate, readSchema } from "../db/migrate.ts";
import { newUuid } from "../kernel/ids.ts";
import { proveLedger } from "../ledger/ledger.repo.ts";
import { MIGRATIONS_DIR, makeTestDatabase, SILENT } from "../testing/database.ts";
import { readStatement } from "./statement.ts";

const { connection } = await makeTestDatabase();
const WALLET_MIGRATION = 9;

test("a gateway that is migrated with money in it has all of that in its statements", async () => {
  const name = `t_before_${randomBytes(4).toString("hex")}`;
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const own = { ...connection, database: name };
  const client = new pg.Client(own);
  await client.connect();
  const db = openDatabase({ connection: own, connections: 2, connectTimeoutMs: 5_000, log: SILENT });
  after(async () => {
    await db.close();
    await client.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });

  const schema = readSchema(MIGRATIONS_DIR);
  await migrate(client, {
    migrations: schema.migrations.filter(({ number }) => number < WALLET_MIGRATION),
    functions: [],
  });
  const accountId = newUuid();
  await client.query("select open_ledger_accounts($1, 'live', '{wallet,funding,sales:sms}')", [accountId]);
  await client.query(
    "select post_transfer($1, $2, 'live', 'credit', 'funding', 'wallet', 1000, 'before', now() - interval '1 hour')",
    [accountId, newUuid()],
  );
  for (const state of ["pending", "posted", "voided"])
    await client.query(
      `insert into transfers (account_id, id, order_id, mode, kind, debit_kind, credit_kind, amount_kobo, state, posted_kobo, created_at, decided_at)
       values ($1, $2, $2, 'live', 'hold', 'wallet', 'sales:sms', 400, $3, case when $3 = 'posted' then 400 end,
               now() - interval '10 minutes', case when $3 <> 'pending' then now() - interval '5 minutes' end)`,
      [accountId, newUuid(), state],
    );
  await client.query(
    `update ledger_accounts set debits_pending = debits_pending + case kind when 'wallet' then 400 else 0 end,
            debits_posted = debits_posted + case kind when 'wallet' then 400 else 0 end,
            credits_pending = credits_pending + case kind when 'wallet' then 0 else 400 end,
            credits_posted = credits_posted + case kind when 'wallet' then 0 else 400 end
      where account_id = $1 and kind in ('wallet', 'sales:sms')`,
    [accountId],
  );

  await migrate(client, schema);
  const { lines } = await readStatement(db, { accountId, mode: "live" }, {}, { limit: 100 });
  assert.deepEqual(lines.map(({ kind }) => kind).toSorted(), ["charge", "credit", "hold", "hold", "hold", "return"]);
  assert.deepEqual([lines[0]?.balanceKobo, lines[0]?.heldKobo], [600n, 400n]);
  const { rules, findings } = await db.snapshot((look) => proveLedger(look, []));
  assert.ok(rules.some(({ rule }) => /statement/.test(rule)));
  assert.deepEqual(
    findings.filter(({ rule }) => /statement|balance|debits/.test(rule)),
    [],
  );
});
