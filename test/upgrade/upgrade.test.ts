import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { SERVICES } from "../../src/app/services.ts";
import { openDatabase } from "../../src/db/database.ts";
import { migrateAt, readSchema } from "../../src/db/migrate.ts";
import { readSmscLog } from "../../src/simulators/smsc/log.ts";
import { makeCli } from "../../src/testing/cli.ts";
import { MIGRATIONS_DIR, makeEmptyDatabases, SILENT, urlOf } from "../../src/testing/database.ts";
import { endWithFile } from "../../src/testing/end-with-file.ts";
import { type Gateway, makeDataDir, startGateway } from "../../src/testing/gateway.ts";
import { ledgerFindings } from "../../src/testing/ledger-findings.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { loadFixture } from "./fixture.ts";

/** A data directory of the build before the rebuilding, upgraded to this one: see fixtures/README.md. */
const data = await makeDataDir();
const opened: { close(): Promise<void> }[] = [];
let gateway: Gateway | undefined;
after(async () => {
  await gateway?.stop();
  for (const db of opened) await db.close();
  await data.remove();
});
const databases = await makeEmptyDatabases();
const connection = await databases.make();
await loadFixture(connection, data.dir);
const config = await writeTestConfig(data.dir);
const environment = { DATABASE_URL: urlOf(connection), AFARA_CONFIG: config.path, AFARA_DATA_DIR: data.dir };
const afara = makeCli({ ...environment, USER: "ada" });
const db = openDatabase({ connection, connections: 2, connectTimeoutMs: 5_000, log: SILENT });
opened.push(db);

interface Row {
  readonly id: string;
  readonly service: string;
  readonly state: string;
  readonly recipient: string;
  readonly ended: boolean;
  readonly price: bigint;
}
const ordersNow = async (): Promise<readonly Row[]> =>
  (
    await db.query<Row & Record<string, unknown>>(
      "select id, service, state, recipient, ended_at is not null as ended, price_kobo as price from orders order by id",
    )
  ).rows;

/** Parts of the fixture that no test may lose: their number by kind. */
const KEPT = ["order_keys", "suppressions", "senders", "inbound_messages", "order_groups", "subscriptions", "api_keys"];
const rowsOf = async (tables: readonly string[]) => {
  const counts: [string, number][] = [];
  for (const table of tables) {
    const { rows } = await db.query<{ rows: number }>(`select count(*)::int as rows from ${table}`);
    counts.push([table, rows[0]?.rows ?? 0]);
  }
  return counts;
};

/** Each transfer with its amount: later ones may be added, and a hold may be settled. */
const transfersNow = async () =>
  (
    await db.query<{ row: string }>("select concat_ws(' ', account_id, id, amount_kobo) as row from transfers")
  ).rows.map(({ row }) => row);

const functionsOf = async (of: pg.ClientConfig) => {
  const client = new pg.Client(of);
  await client.connect();
  try {
    const { rows } = await client.query<{ text: string }>(
      `select pg_get_functiondef(oid) as text from pg_proc
        where pronamespace = 'public'::regnamespace and prokind in ('f', 'p') order by 1`,
    );
    return rows.map(({ text }) => text);
  } finally {
    await client.end();
  }
};

const before = await ordersNow();
const transfersBefore = await transfersNow();
const keptBefore = await rowsOf(KEPT);

/** States of which the fixture has no order, each with the reason. */
const NOT_AT_REST: Readonly<Record<string, string>> = {
  "airtime token_pending": "only electricity is delivered by a token",
  "chat unknown": "lasts four seconds in test mode, and the fixture was taken later",
};

test("the fixture has an order in each state of each service that rests, parked reports and all that an account keeps", async () => {
  const there = new Set(before.map(({ service, state }) => `${service} ${state}`));
  const all = SERVICES.flatMap(({ service, table }) => Object.keys(table.states).map((state) => `${service} ${state}`));
  assert.deepEqual(
    all.filter((state) => !there.has(state)),
    Object.keys(NOT_AT_REST),
  );
  for (const [table, rows] of keptBefore) assert.ok(rows > 0, table);
  const { rows } = await db.query("select 1 from provider_references where parked is not null");
  assert.ok(rows.length > 0, "parked reports");
  assert.deepEqual(await ledgerFindings(connection), []);
});

/** Waits until a session of the database waits for a lock. */
const waitsForLock = () =>
  waitFor("the upgrade waits for the lock", async () => {
    const { rows } = await db.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0 || undefined;
  });

/** Holds a table until `act` has resolved. */
async function withTableLocked(table: string, act: () => Promise<void>): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`begin; lock table ${table}`);
    await act();
  } finally {
    await client.end();
  }
}

const killed = async (child: ReturnType<typeof spawn>) => {
  child.kill("SIGKILL");
  await once(child, "exit");
};

test("killed in the middle of a migration, the upgrade leaves nothing of it and applies it at the next try", async () => {
  const schema = readSchema(MIGRATIONS_DIR);
  const later = {
    number: schema.migrations.length + 1,
    name: "later",
    sql: "create table later (n int); alter table orders add column later int; drop table later; alter table orders drop column later",
  };
  const program = `
    const { migrateAt, readSchema } = await import(${JSON.stringify(join(import.meta.dirname, "../../src/db/migrate.ts"))});
    const [connection, directory, later] = JSON.parse(process.argv[1]);
    const schema = readSchema(directory);
    await migrateAt(connection, { ...schema, migrations: [...schema.migrations, later] });`;
  const input = JSON.stringify([connection, MIGRATIONS_DIR, later]);
  await withTableLocked("orders", async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", program, input], { stdio: "ignore" });
    endWithFile(child);
    await waitsForLock();
    await killed(child);
  });
  const { rows } = await db.query<{ there: boolean }>("select to_regclass('later') is not null as there");
  assert.deepEqual(rows, [{ there: false }]);
  assert.deepEqual(await migrateAt(connection, { ...schema, migrations: [...schema.migrations, later] }), [
    later.number,
  ]);
  await db.query("delete from migrations where number = $1", [later.number]);
  assert.deepEqual(await ordersNow(), before);
});

test("the program is killed while it looks which migrations are missing, and the next start goes on", async () => {
  await withTableLocked("migrations", async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "../../src/main.ts")], {
      env: { PATH: process.env.PATH, ...environment, AFARA_PORT: "0" },
      stdio: "ignore",
    });
    endWithFile(child);
    await waitsForLock();
    await killed(child);
  });
  assert.deepEqual(await ordersNow(), before);
  gateway = await startGateway({ dataDir: data.dir, environment });
});

test("an upgraded database has the functions of a new one", async () => {
  assert.deepEqual(await functionsOf(connection), await functionsOf(await databases.make({ migrated: true })));
});

test("what had not ended ends, or is kept with its hold", async () => {
  for (const name of ["smsc-simulator", "whatsapp-simulator"])
    assert.equal((await afara(["providers", "resume", name])).code, 0);
  /** At the vendor without an end, or for a later day. */
  const mayStay = new Set([
    "airtime processing",
    "electricity processing",
    "electricity token_pending",
    "sms scheduled",
    "sms sent",
  ]);
  await waitFor(
    "the end of the open orders",
    async () => (await ordersNow()).every(({ service, state, ended }) => ended || mayStay.has(`${service} ${state}`)),
    90_000,
  );
  const now = await ordersNow();
  const ids = new Set(now.map(({ id }) => id));
  assert.deepEqual(
    before.filter(({ id }) => !ids.has(id)),
    [],
    "no order is lost",
  );
  const ended = new Map(before.filter((order) => order.ended).map(({ id, state }) => [id, state]));
  for (const { id, state, service } of now)
    if (ended.has(id) && service !== "chat") assert.equal(state, ended.get(id), "what had ended stays as it was");
});

test("nothing that the network had taken before or after the upgrade was taken twice", async () => {
  const takes = new Map<string, number>();
  for await (const line of readSmscLog(join(data.dir, "smsc"))) {
    if (line.kind !== "submit" || line.messageId === null || !line.trace) continue;
    const piece = `${line.trace.orderId}/${line.trace.piece}`;
    takes.set(piece, (takes.get(piece) ?? 0) + 1);
  }
  assert.ok(takes.size > 0);
  assert.deepEqual(
    [...takes].filter(([, times]) => times > 1),
    [],
  );
});

test("a request that is repeated with the key of before gets the answer of before", async () => {
  const body = { to: "+2348031000001", message: "Your order is ready", reference: "delivered-1" };
  const answer = await gateway?.call<{ id: string }>("POST", "/sms/send", body, { "idempotency-key": "sms-1" });
  assert.equal(answer?.status, 202, JSON.stringify(answer?.body));
  assert.equal(answer.headers.get("idempotent-replayed"), "true");
});

test("the command line lists every order", async () => {
  const list = await afara(["orders", "list", "--since", "30d", "--limit", "1000", "--json"]);
  assert.equal(list.code, 0, list.err);
  const listed = list.json<{ orders: readonly unknown[] }>().orders;
  assert.equal(listed.length, (await ordersNow()).length);
});

test("every transfer and all that an account keeps is as it was, and the ledger is in order", async () => {
  const now = new Set(await transfersNow());
  assert.deepEqual(
    transfersBefore.filter((transfer) => !now.has(transfer)),
    [],
  );
  for (const [index, [table, rows]] of (await rowsOf(KEPT)).entries())
    assert.ok(rows >= (keptBefore[index]?.[1] ?? 0), table);
  const check = await afara(["ledger", "check"]);
  assert.equal(check.code, 0, check.out);
});
