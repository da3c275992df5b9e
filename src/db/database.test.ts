import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { waitFor } from "../testing/wait-for.ts";
import { AnswerLost, DatabaseAway, openDatabase } from "./database.ts";

const database = await makeTestDatabase();
const db = database.open();

/** Ends every session whose present statement has this in it. */
const endSession = (marker: string) =>
  waitFor(`a session that runs ${marker}`, async () => {
    const { rowCount } = await db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where state = 'active' and query like $1 and pid <> pg_backend_pid()`,
      [`%${marker}%`],
    );
    return (rowCount ?? 0) > 0;
  });

test("whole numbers of 64 bits come back exact, as bigint", async () => {
  const { rows } = await db.query<{ big: bigint }>("select 9007199254740993::bigint as big");
  assert.equal(rows[0]?.big, 9007199254740993n);
});

test("a session that the server ends in mid-statement is a lost answer, not a refusal", async () => {
  const asked = db.transact({ name: "slow", text: "select pg_sleep(60) as slowly" }, []);
  const [outcome] = await Promise.allSettled([asked, endSession("slowly")]);
  assert.ok(outcome.status === "rejected" && outcome.reason instanceof AnswerLost);
});

test("after a lost answer the next call goes over another connection", async () => {
  const narrow = openDatabase({
    connection: database.connection,
    connections: 1,
    connectTimeoutMs: 5_000,
    log: SILENT,
  });
  after(() => narrow.close());
  const lost = narrow.transact({ name: "slow", text: "select pg_sleep(60) as narrowly" }, []);
  await Promise.allSettled([lost, endSession("narrowly")]);
  assert.deepEqual(await narrow.transact({ name: "one", text: "select 1 as one" }, []), [{ one: 1 }]);
});

test("an error that the server answers with keeps its SQLSTATE, and its connection", async () => {
  const narrow = openDatabase({
    connection: database.connection,
    connections: 1,
    connectTimeoutMs: 5_000,
    log: SILENT,
  });
  after(() => narrow.close());
  const pid = { name: "pid", text: "select pg_backend_pid() as pid" };
  const [before] = await narrow.transact<{ pid: number }>(pid, []);
  await assert.rejects(
    narrow.transact({ name: "zero", text: "select 1 / $1::int" }, [0]),
    (error) => error instanceof pg.DatabaseError && error.code === "22012",
  );
  assert.deepEqual(await narrow.transact(pid, []), [before]);
});

test("a server that is not there is away: certainly nothing was sent", async () => {
  const nobodyListens = await mkdtemp(join(tmpdir(), "afara-nowhere-"));
  after(() => rm(nobodyListens, { recursive: true }));
  const nowhere = { ...database.connection, host: nobodyListens };
  const away = openDatabase({ connection: nowhere, connections: 1, connectTimeoutMs: 1_000, log: SILENT });
  after(() => away.close());
  await assert.rejects(away.transact({ name: "one", text: "select 1" }, []), DatabaseAway);
});

test("a database that takes no connections is away", async () => {
  const missing = { ...database.connection, database: "there_is_no_such_database" };
  const away = openDatabase({ connection: missing, connections: 1, connectTimeoutMs: 1_000, log: SILENT });
  after(() => away.close());
  await assert.rejects(away.transact({ name: "one", text: "select 1" }, []), DatabaseAway);
});

test("a pool with no connection left within the time is away: nothing was sent", async () => {
  const narrow = openDatabase({ connection: database.connection, connections: 1, connectTimeoutMs: 200, log: SILENT });
  after(() => narrow.close());
  const slow = narrow.transact({ name: "slow", text: "select pg_sleep(60) as busily" }, []);
  await assert.rejects(narrow.transact({ name: "one", text: "select 1" }, []), DatabaseAway);
  await Promise.allSettled([slow, endSession("busily")]);
});

test("an idle connection that breaks disturbs nobody", async () => {
  const idle = openDatabase({ connection: database.connection, connections: 1, connectTimeoutMs: 5_000, log: SILENT });
  after(() => idle.close());
  const pid = { name: "pid", text: "select pg_backend_pid() as pid" };
  const [before] = await idle.transact<{ pid: number }>(pid, []);
  await db.query("select pg_terminate_backend($1)", [before?.pid]);
  const now = await waitFor("another session", async () => {
    const [row] = await idle.transact<{ pid: number }>(pid, []).catch(() => []);
    return row?.pid;
  });
  assert.notEqual(now, before?.pid);
});

test("a statement that takes too long is given up by the server: certainly nothing was done", async (t) => {
  const impatient = openDatabase({
    connection: database.connection,
    connections: 1,
    connectTimeoutMs: 2_000,
    log: SILENT,
    statementMs: 200,
  });
  t.after(() => impatient.close());
  await assert.rejects(impatient.query("select pg_sleep(30)"), DatabaseAway);
});

test("a server that hangs is a lost answer, and its connection is given up", async (t) => {
  const impatient = openDatabase({
    connection: database.connection,
    connections: 1,
    connectTimeoutMs: 5_000,
    log: SILENT,
    statementMs: 200,
  });
  t.after(() => impatient.close());
  const backend = async () => (await impatient.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!.pid;
  const frozen = await backend();
  process.kill(frozen, "SIGSTOP");
  t.after(() => process.kill(frozen, "SIGCONT"));
  await assert.rejects(impatient.query("select 1"), AnswerLost);
  assert.notEqual(await backend(), frozen);
});

test("a server that takes no writes is away: certainly nothing was done", async () => {
  await assert.rejects(
    db.query(
      "do $$ begin set local transaction_read_only = on; create temp table t (n int); create table never (n int); end $$",
    ),
    DatabaseAway,
  );
});

test("what a transaction does is kept whole when it resolves, and undone whole when it rejects", async () => {
  await db.query("create table acts (n int primary key)");
  const count = async () => (await db.query<{ n: bigint }>("select count(*) as n from acts")).rows[0]!.n;
  const insert = (n: number, then: () => void = () => undefined) =>
    db.transaction(async (tx) => {
      await tx.query("insert into acts values ($1)", [n]);
      await tx.query("insert into acts values ($1)", [n + 1]);
      then();
      return n;
    });
  assert.equal(await insert(1), 1);
  const ownFault = new Error("the act thinks better of it");
  await assert.rejects(
    insert(10, () => {
      throw ownFault;
    }),
    ownFault,
  );
  await assert.rejects(insert(0), ({ code }: { code: string }) => code === "23505"); // 0 is new, 1 is not
  assert.equal(await count(), 2n);
});

test("a transaction whose session ends before its commit has done nothing, and says that the database was away", async () => {
  const narrow = openDatabase({
    connection: database.connection,
    connections: 1,
    connectTimeoutMs: 5_000,
    log: SILENT,
  });
  after(() => narrow.close());
  await narrow.query("create table undone (n int)");
  const acting = narrow.transaction(async (tx) => {
    await tx.query("insert into undone values (1)");
    await tx.query("select pg_sleep(60) as in_the_act");
  });
  const [outcome] = await Promise.allSettled([acting, endSession("in_the_act")]);
  assert.ok(outcome.status === "rejected" && outcome.reason instanceof DatabaseAway);
  assert.equal((await narrow.query("select 1 from undone")).rowCount, 0);
});

test("a transaction whose session ends in its commit is a lost answer", async () => {
  await db.query("create table late (n int)");
  await db.query(`create function slow_commit() returns trigger language plpgsql as
    $$ begin perform pg_sleep(60); return null; end $$`);
  await db.query(
    "create constraint trigger late after insert on late deferrable initially deferred for each row execute function slow_commit()",
  );
  const acting = db.transaction((tx) => tx.query("insert into late values (1)"));
  const [outcome] = await Promise.allSettled([acting, endSession("commit")]);
  assert.ok(outcome.status === "rejected" && outcome.reason instanceof AnswerLost);
});

test("a statement that gives other columns since a migration is prepared anew, on each connection that had it", async () => {
  const read = { name: "read_widening", text: "select * from widening" };
  await db.query("create table widening (a int)");
  await db.query("insert into widening values (1)");
  await Promise.all(Array.from({ length: 20 }, () => db.query(read)));
  await db.query("alter table widening add column b int");
  const answers = await Promise.all(Array.from({ length: 20 }, () => db.query(read)));
  assert.deepEqual(new Set(answers.map(({ rows }) => JSON.stringify(rows))), new Set(['[{"a":1,"b":null}]']));
  await db.query("alter table widening add column c int");
  // In a transaction the caller asks again: what it did before is undone.
  await assert.rejects(
    db.transaction(async (tx) => tx.query(read)),
    DatabaseAway,
  );
});
