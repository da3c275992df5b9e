import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import pg from "pg";
import type { Database } from "../db/database.ts";
import { migrate, readSchema } from "../db/migrate.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { MIGRATIONS_DIR, makeTestDatabase } from "../testing/database.ts";
import { engineFindings, keyOf, makeCustomer, newOrder, REAL_CLOCK } from "../testing/engine.ts";
import { waitFor } from "../testing/wait-for.ts";
import { acceptOrders, type NewOrder, type Unit } from "./accept.repo.ts";
import { makeAcceptor } from "./accept.ts";

/** The request that made an order, kept with it by migration 0035; and what else that migration mends. */

const database = await makeTestDatabase();
const db = database.open();
const acceptor = makeAcceptor({
  db,
  node: newUuid(),
  clock: REAL_CLOCK,
  leaseSeconds: 30,
  waitingMax: 1_000,
  answerMs: 2_000,
  idOf: ({ group, orders: [first] }) => group?.id ?? first!.id,
});
const options = { node: newUuid(), leaseSeconds: 30, strict: false, recheck: false } as const;

async function requestsOf(orders: readonly NewOrder[]): Promise<readonly (Uuid | null)[]> {
  const { rows } = await db.query<{ id: Uuid; request_id: Uuid | null }>(
    "select id, request_id from orders where id = any($1::uuid[])",
    [orders.map(({ id }) => id)],
  );
  return orders.map(({ id }) => rows.find((row) => row.id === id)!.request_id);
}

test("each order of a batch keeps its own request's id, and one that no request made has none", async () => {
  const accountId = await makeCustomer(db);
  const requests = [newUuid(), undefined, newUuid()];
  const orders = requests.map((requestId) => newOrder(accountId, { requestId }));
  await acceptOrders(
    db,
    orders.map((order) => ({ orders: [order], leased: false })),
    options,
  );
  assert.deepEqual(await requestsOf(orders), [requests[0], null, requests[2]]);
});

test("every order of a bulk keeps the id of the bulk's request", async () => {
  const accountId = await makeCustomer(db);
  const orders = [newOrder(accountId), newOrder(accountId), newOrder(accountId)];
  const requestId = newUuid();
  const group = { id: newUuid(), payload: {}, completionEvent: "parcels.completed", keys: [], requestId };
  assert.ok((await acceptor.accept({ orders, group, leased: false })).ok);
  assert.deepEqual(await requestsOf(orders), [requestId, requestId, requestId]);
});

test("a repeat leaves the order with the request that made it", async () => {
  const accountId = await makeCustomer(db);
  const keys = [keyOf("key", "once")];
  const first = newOrder(accountId, { keys, requestId: newUuid() });
  const repeat = newOrder(accountId, { keys, requestId: newUuid() });
  assert.ok((await acceptor.accept({ orders: [first], leased: false })).ok);
  const answer = await acceptor.accept({ orders: [repeat], leased: false });
  assert.equal(answer.ok && answer.value.refused.get(0)?.kind, "taken");
  assert.deepEqual(await requestsOf([first]), [first.requestId]);
});

/** What a node of the version before sends: its call had no request. */
async function callOfBefore(unit: Unit): Promise<{ readonly text: string; readonly values: unknown[] }> {
  let sent: { text: string; values: unknown[] } | undefined;
  const listening = {
    ...db,
    transact: async (statement: { text: string }, values: readonly unknown[]) => {
      const text = statement.text.replace(/\w+ => (\$\d+)/g, "$1").replace(", $41)", ")");
      sent = { text, values: values.slice(0, 40) };
      return [];
    },
  } as Database;
  await acceptOrders(listening, [unit], options);
  return sent!;
}

test("a node of the version before accepts before, while and after the migration, by the statement that it has prepared", async () => {
  const name = `t_before_${randomBytes(4).toString("hex")}`;
  const admin = new pg.Client(database.connection);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const old = new pg.Client({ ...database.connection, database: name });
  const newer = new pg.Client({ ...database.connection, database: name });
  await Promise.all([old.connect(), newer.connect()]);
  after(async () => {
    await Promise.all([old.end(), newer.end()]);
    await admin.query(`drop database ${name}`);
    await admin.end();
  });
  const schema = readSchema(MIGRATIONS_DIR);
  const all = schema.migrations;
  const own = all.findIndex((migration) => migration.name === "requests_of_orders");
  await migrate(newer, { migrations: all.slice(0, own), functions: [] });
  const accountId = await makeCustomer({
    query: (text: string, values: unknown[]) => newer.query(text, values),
  } as never);
  const accept = async () => {
    const order = newOrder(accountId, { keys: [keyOf("key", randomBytes(4).toString("hex"))] });
    const { text, values } = await callOfBefore({ orders: [order], leased: false });
    const { rows } = await old.query({ name: "accept_orders", text, values });
    return rows;
  };
  assert.deepEqual(await accept(), []);
  await newer.query("begin");
  await newer.query(all[own]!.sql);
  await newer.query("insert into migrations (number, name) values ($1, $2)", [own + 1, all[own]!.name]);
  const during = accept();
  await newer.query("commit");
  assert.deepEqual(await during, []);
  assert.deepEqual(await accept(), []);
  await migrate(newer, schema); // defines the function anew
  assert.deepEqual(await accept(), []);
  const { rows } = await old.query("select count(*)::int as orders, count(request_id)::int as named from orders");
  assert.deepEqual(rows, [{ orders: 4, named: 0 }]);
  const { rows: functions } = await old.query("select pronargs from pg_proc where proname = 'accept_orders'");
  assert.deepEqual(functions, [{ pronargs: 41 }]);
});

test("a key that is being forgotten while an order asks for it stays until that order has its answer", async () => {
  const accountId = await makeCustomer(db);
  const keys = [keyOf("key", "contested")];
  const first = newOrder(accountId, { keys });
  const second = newOrder(accountId, { keys });
  assert.ok((await acceptor.accept({ orders: [first], leased: false })).ok);

  // The acceptance stops between its insert and its look, until the lock is free.
  const gate = new pg.Client(database.connection);
  const forgetter = new pg.Client(database.connection);
  await Promise.all([gate.connect(), forgetter.connect()]);
  after(() => Promise.all([gate.end(), forgetter.end()]));
  await gate.query(`create function wait_at_gate() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(32); return null; end'`);
  await gate.query("create trigger gate after insert on order_keys for each statement execute function wait_at_gate()");
  await gate.query("select pg_advisory_lock(32)");
  const isWaiting = async (what: string) =>
    (await db.query("select 1 from pg_stat_activity where datname = current_database() and wait_event = $1", [what]))
      .rowCount === 1;
  const answer = acceptor.accept({ orders: [second], leased: false });
  await waitFor("the acceptance between insert and look", () => isWaiting("advisory"));
  let isForgotten = false;
  const forgetting = forgetter
    .query("delete from order_keys where account_id = $1", [accountId])
    .then(() => (isForgotten = true));
  await waitFor("the deletion to be done, or to wait", async () => isForgotten || (await isWaiting("transactionid")));
  await gate.query("select pg_advisory_unlock(32)");

  const answered = await answer;
  assert.equal(answered.ok && answered.value.refused.get(0)?.kind, "taken");
  await forgetting;
  await gate.query("drop trigger gate on order_keys");
  assert.deepEqual(await engineFindings(database.connection), []);
});
