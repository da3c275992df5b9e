import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { fingerprintOf } from "../accounts/secret.ts";
import { dataDirFaults } from "../app/installation.ts";
import { migrate, readMigrations } from "../db/migrate.ts";
import { makeCli } from "../testing/cli.ts";
import { MIGRATIONS_DIR, makeEmptyDatabases, urlOf } from "../testing/database.ts";
import { endWithFile } from "../testing/end-with-file.ts";
import { startGateway } from "../testing/gateway.ts";
import { tableSums } from "../testing/table-sums.ts";
import { waitFor } from "../testing/wait-for.ts";

const databases = await makeEmptyDatabases();
const source = await databases.make();
const root = mkdtempSync(join(tmpdir(), "afara backup-"));
after(() => rmSync(root, { recursive: true, force: true }));
let names = 0;
const fresh = (what: string) => join(root, `${what} ${++names}`);

const data = fresh("data");
const gateway = await startGateway({ dataDir: data, environment: { DATABASE_URL: urlOf(source) } });
after(() => gateway.stop());
const afara = makeCli({ AFARA_DATA_DIR: data, DATABASE_URL: urlOf(source) });
const passphraseFile = fresh("passphrase");
writeFileSync(passphraseFile, "correct horse battery staple\n");

async function ask<Row extends pg.QueryResultRow>(
  connection: pg.ClientConfig,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

const OWNER = `afara_owner_${process.pid}`;
await ask(source, `create role ${OWNER} login nosuperuser`);

/** Where a restore goes: a data directory and a database of its own, whose owner is no superuser. */
async function target() {
  const [dir, made] = [fresh("target"), await databases.make()];
  await ask(source, `alter database ${made.database} owner to ${OWNER}`);
  const database = { ...made, user: OWNER };
  return { dir, database, cli: makeCli({ AFARA_DATA_DIR: dir, DATABASE_URL: urlOf(database) }) };
}

const send = async (message: string): Promise<string> => {
  const { status, body } = await gateway.call<{ id: string }>("POST", "/sms/send", { to: "08031234567", message });
  assert.equal(status, 202);
  return body.id;
};

/** A backup that the tests of refusals use. */
const saved = fresh("saved");
const sealed = fresh("sealed");

test("a backup that is made while orders come in is restored whole, with a ledger that is in order", async () => {
  let isSending = true;
  const load = (async () => {
    let sent = 0;
    for (; isSending; sent++) await send(`number ${sent}`);
    return sent;
  })();
  await waitFor("orders under way", async () => {
    const [row] = await ask<{ n: string }>(source, "select count(*) as n from orders");
    return Number(row!.n) > 5;
  });
  const path = fresh("under load");
  const { code, json, err } = await afara(["backup", path, "--json"]);
  isSending = false;
  const sent = await load;
  assert.equal(code, 0, err);
  const told = json<{ orders: number; accounts: number; bytes: number; encrypted: boolean }>();
  assert.ok(told.orders > 5 && told.orders <= sent, `${told.orders} of ${sent}`);
  assert.deepEqual([told.accounts, told.encrypted, told.bytes], [1, false, statSync(path).size]);
  assert.equal(statSync(path).mode & 0o777, 0o600);

  const { dir, database, cli } = await target();
  const back = await cli(["restore", path]);
  assert.equal(back.code, 0, back.err + back.out);
  assert.match(back.out, /The ledger is in order\./);
  const [count] = await ask<{ n: string }>(database, "select count(*) as n from orders");
  assert.equal(Number(count!.n), told.orders);
  assert.equal(readFileSync(join(dir, "secret"), "utf8"), readFileSync(join(data, "secret"), "utf8"));
  assert.deepEqual(
    JSON.parse(readFileSync(join(dir, "installation"), "utf8")).id,
    (await afara(["where", "--json"])).json().installation,
  );
});

test("what is restored is what was there: odd texts, large rows, old months, what triggers made, sequences", async () => {
  const [{ id: account }] = (await ask<{ id: string }>(source, "select id from accounts")) as [{ id: string }];
  await ask(source, "update accounts set name = $1", ["tab\t newline\n \\N \\. back\\slash “quotes” 🙂 \u0001"]);
  await ask(
    source,
    "create table events_2020_01 partition of events for values from ('016f5e66-e800-0000-0000-000000000000') to ('016ffe0b-1c00-0000-0000-000000000000')",
  );
  const [columns] = await ask<{ list: string }>(
    source,
    "select string_agg(quote_ident(attname), ', ') as list from pg_attribute where attrelid = 'events'::regclass and attnum > 0 and attname <> 'order_id'",
  );
  await ask(
    source,
    `insert into events (order_id, ${columns!.list}) select '016f6e66-e800-7000-8000-000000000001', ${columns!.list} from events limit 1`,
  );
  // Of 2099: outside every partition, as a wrong clock leaves it.
  await ask(
    source,
    `insert into events (order_id, ${columns!.list}) select '03b468f6-e800-7000-8000-000000000002', ${columns!.list} from events limit 1`,
  );
  await ask(
    source,
    "insert into suppressions (account_id, mode, phone, source, id, reason, created_at) values ($1, 'test', '+2348031234599', 'recipient', gen_random_uuid(), 'stop', now())",
    [account],
  );
  await ask(source, "insert into settings (name, value) values ('large', repeat('ẹ', 6000000))");
  await send("the last one");
  const open = "select 1 from orders where due_at is not null or later_at is not null limit 1";
  await waitFor("every order is over", async () => (await ask(source, open)).length === 0, 60_000);
  for (const name of ["Ikoyi Foods", "Yaba Books"])
    assert.equal((await afara(["account", "create", "--name", name])).code, 0); // the audit log is append-only by a trigger
  assert.equal(await gateway.stop(), 0); // its jobs write at any time, and the rows are compared

  assert.equal((await afara(["backup", saved])).code, 0);
  assert.equal((await afara(["backup", sealed, "--passphrase-file", passphraseFile])).code, 0);
  const [sequence] = await ask<{ last: string }>(source, "select last_value as last from wallet_numbers");

  const { dir, database, cli } = await target();
  const back = await cli(["restore", sealed, "--passphrase-file", passphraseFile, "--json"]);
  assert.equal(back.code, 0, back.out + back.err);
  const [before, afterwards] = [await tableSums(source), await tableSums(database)];
  assert.deepEqual(afterwards, before);
  assert.ok(Object.keys(before).length > 30 && before.audit_log !== "0 " && before.suppressions !== "0 ");
  const [again] = await ask<{ last: string }>(database, "select last_value as last from wallet_numbers");
  assert.ok(Number(again!.last) >= Number(sequence!.last));
  const triggers = await ask(
    database,
    "select tgrelid::regclass, tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'",
  );
  assert.deepEqual(triggers, [], "every trigger works again");
  const keysOf = "select conname, pg_get_constraintdef(oid) as d from pg_constraint where contype = 'f' order by 1";
  assert.deepEqual(await ask(database, keysOf), await ask(source, keysOf));

  const next = await startGateway({ dataDir: dir, environment: { DATABASE_URL: urlOf(database) } });
  const { status, body } = await next.call<{ id: string }>("POST", "/sms/send", {
    to: "08031234567",
    message: "goes on",
  });
  assert.equal(status, 202, "the key of before is recognised");
  await waitFor(
    "it is delivered",
    async () => (await next.call("GET", `/sms/status/${body.id}`)).body.status === "delivered",
  );
  // Transaction ids of the other server are of no use here; each event still has one place.
  const places = `select count(*) = count(distinct (order_id, version)) and count(*) =
    (select count(*) from events where type is not null and at > now() - interval '30 days') as once from feed`;
  await waitFor("one place for each event", async () => (await ask<{ once: boolean }>(database, places))[0]!.once);
  const running = await cli(["restore", saved]);
  assert.deepEqual([running.code, /A gateway uses .*stop it/.test(running.out)], [1, true], running.out);
  assert.match((await cli(["reset", "--yes"])).out, /A gateway uses .* stop it first/);
  await next.stop();
  assert.equal((await cli(["ledger", "check"])).code, 0);

  // Test data alone needs no name; a database that is shared is emptied with its data directory.
  await waitFor("the node's row is gone", async () => (await ask(database, "select 1 from nodes")).length === 0);
  assert.match((await cli(["reset"])).err, /No terminal is available to confirm: give --yes/);
  await ask(database, "update api_keys set mode = 'live'");
  const { installation } = (await cli(["where", "--json"])).json<{ installation: string }>();
  assert.match(
    (await cli(["reset", "--yes"])).out,
    new RegExp(`live .* name it explicitly: ./afara reset --live ${installation}`),
  );
  assert.match((await cli(["reset", "--yes", "--live", "ins_0"])).out, /--live names ins_0/);
  const { code: removed, out: gone } = await cli(["reset", "--yes", "--live", installation]);
  assert.equal(removed, 0);
  assert.match(gone, new RegExp(`the database postgres.*/${database.database}.* MB; \\d+ orders, 3 accounts`));
  assert.deepEqual(await ask(database, "select 1 from pg_class where relnamespace = 'public'::regnamespace"), []);
  assert.equal(existsSync(join(dir, "installation")), false);
  assert.equal((await cli(["restore", saved])).code, 0, "what was emptied can be restored into");
});

test("a file that exists is not written over, and a disk that is full leaves no half of a backup", async (t) => {
  const path = fresh("exists");
  writeFileSync(path, "something of mine");
  const { code, out } = await afara(["backup", path]);
  assert.deepEqual([code, /already exists/.test(out)], [1, true]);
  assert.equal(readFileSync(path, "utf8"), "something of mine");
  assert.match((await afara(["backup", join(root, "none", "x")])).out, /can't be written/);

  const small = mkdtempSync(join(root, "small-"));
  const mount = await end(spawn("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", small]));
  if (mount !== 0) return t.diagnostic("no file system of a few pages can be mounted here");
  t.after(() => end(spawn("umount", [small])));
  const full = await afara(["backup", join(small, "x")]);
  assert.deepEqual([full.code, /There is no backup: the disk is full/.test(full.out)], [1, true], full.out);
  assert.equal(existsSync(join(small, "x")), false);
});

const end = (child: ReturnType<typeof spawn>) =>
  new Promise<number | null>((resolve) => child.once("close", resolve).once("error", () => resolve(-1)));

test("a backup that is cut off anywhere, damaged anywhere, or none at all is refused before anything is restored", async () => {
  const { dir, database, cli } = await target();
  const refuse = async (bytes: Buffer, expected: RegExp, ...more: string[]) => {
    const path = fresh("bad");
    writeFileSync(path, bytes);
    const { code, out, err } = await cli(["restore", path, ...more]);
    assert.deepEqual([code, expected.test(out)], [1, true], out + err);
  };
  for (const file of [saved, sealed]) {
    const more = file === sealed ? ["--passphrase-file", passphraseFile] : [];
    const whole = readFileSync(file);
    const header = whole.indexOf("\n") + 1;
    for (const length of [20, header, header + 1, Math.floor(whole.length / 2), whole.length - 1])
      await refuse(whole.subarray(0, length), /cut off/, ...more);
    for (const at of [
      header + 30,
      header + 300,
      Math.floor(whole.length / 2),
      Math.floor(whole.length / 3),
      whole.length - 20,
    ]) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1 << (at % 8);
      await refuse(damaged, /damaged|cut off/, ...more);
    }
    for (const more_ of ["\n", "junk".repeat(50_000)])
      await refuse(Buffer.concat([whole, Buffer.from(more_)]), /damaged/, ...more);
    const otherHeader = Buffer.from(whole);
    otherHeader[whole.indexOf('"afara":"') + 9]! ^= 1;
    await refuse(otherHeader, /damaged/, ...more);
  }
  await refuse(Buffer.from("PGDMP"), /is no backup of Afara/);
  await refuse(Buffer.alloc(0), /is no backup of Afara/);

  const short = fresh("short");
  writeFileSync(short, "wrong horse battery\n");
  await refuse(readFileSync(sealed), /passphrase is wrong/, "--passphrase-file", short);
  assert.match((await cli(["restore", sealed])).err, /encrypted: give its passphrase with --passphrase-file/);
  assert.match((await cli(["restore", join(root, "none")])).out, /can't be read/);

  assert.deepEqual(await ask(database, "select 1 from pg_class where relnamespace = 'public'::regnamespace"), []);
  assert.deepEqual(dataDirFaults(dir, false), [], "and the data directory is as it was");
});

test("a backup of a newer version is refused by name, and so is one of another migration", async () => {
  const { cli } = await target();
  const whole = readFileSync(saved);
  const line = whole.subarray(0, whole.indexOf("\n")).toString();
  const refuse = async (header: string, expected: RegExp) => {
    const path = fresh("newer");
    writeFileSync(path, Buffer.concat([Buffer.from(header), whole.subarray(line.length)]));
    const { code, out } = await cli(["restore", path]);
    assert.deepEqual([code, expected.test(out)], [1, true], out);
  };
  await refuse(line.replace('"afara_backup":1', '"afara_backup":2'), /format 2 .* newer one/);
  const { migrations, ...header } = JSON.parse(line);
  const newer = [...migrations, { number: 9_000, name: "x", sha256: "0" }];
  await refuse(JSON.stringify({ ...header, migrations: newer }), /with migration 9000, and this version ends at \d+/);
  const other = [{ ...migrations[0], sha256: "0" }, ...migrations.slice(1)];
  await refuse(JSON.stringify({ ...header, migrations: other }), /migration 1 \(partitions\) is another/);
});

test("a backup of an older version is restored, and what is missing is applied to it", async () => {
  const older = await databases.make();
  const all = readMigrations(MIGRATIONS_DIR);
  const client = new pg.Client(older);
  await client.connect();
  await migrate(client, { migrations: all.slice(0, 20), functions: [] });
  await client.end();
  const [dir, path] = [fresh("older"), fresh("older backup")];
  const secret = "the words that the older version had";
  const cli = makeCli({ AFARA_DATA_DIR: dir, DATABASE_URL: urlOf(older), AFARA_SECRET: secret });
  await ask(older, "insert into settings (name, value) values ('secret_fingerprint', $1)", [fingerprintOf(secret)]);
  await ask(older, "insert into accounts (id, name) values ('01934567-89ab-7def-8123-456789abcdef', 'of before')");
  const made = await cli(["backup", path]);
  assert.equal(made.code, 0, made.out + made.err);

  const there = await target();
  const wrong = await there.cli(["restore", path], { AFARA_SECRET: `not ${secret}` });
  assert.deepEqual([wrong.code, /AFARA_SECRET is not this backup's secret/.test(wrong.out)], [1, true]);
  const back = await there.cli(["restore", path], { AFARA_SECRET: secret });
  assert.equal(back.code, 0, back.out + back.err);
  assert.deepEqual(await ask(there.database, "select name from accounts"), [{ name: "of before" }]);
  assert.deepEqual(await ask(there.database, "select count(*)::int as n, max(number) as newest from migrations"), [
    { n: all.length, newest: all.length },
  ]);
  assert.equal(existsSync(join(there.dir, "secret")), false, "a secret of the environment stays there");
});

test("only an empty database and an empty data directory are restored into", async () => {
  const { dir, database, cli } = await target();
  await ask(database, "create table somebody_elses (n int)");
  assert.match((await cli(["restore", saved])).out, /The database that DATABASE_URL names is not empty/);
  assert.deepEqual(dataDirFaults(dir, false), []);
  writeFileSync(join(dir, "notes"), "mine");
  assert.match(
    (await cli(["restore", saved], { DATABASE_URL: urlOf(await databases.make()) })).out,
    /is not empty \(notes\)/,
  );
});

test("a restore that is killed leaves nothing that starts, and is done again by the same command", async () => {
  const { dir, database, cli } = await target();
  const blocker = new pg.Client(database);
  await blocker.connect();
  await blocker.query("select pg_advisory_lock(hashtext('afara.migrate'))");
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), "restore", saved], {
    env: { PATH: process.env.PATH, AFARA_DATA_DIR: dir, DATABASE_URL: urlOf(database) },
    stdio: "ignore",
  });
  endWithFile(child);
  await waitFor(
    "the restore waits within its transaction",
    async () => {
      const waiting = await blocker.query(
        "select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
      );
      return waiting.rowCount === 1;
    },
    60_000,
  );
  child.kill("SIGKILL");
  await end(child);
  await blocker.end();
  assert.match(dataDirFaults(dir, false)[0]!, /a restore into .* did not end/);
  assert.deepEqual(await ask(database, "select 1 from pg_class where relnamespace = 'public'::regnamespace"), []);
  const again = await cli(["restore", saved]);
  assert.equal(again.code, 0, again.out + again.err);
  assert.deepEqual(dataDirFaults(dir, false), []);
});

test("a backup that is given up half-way leaves no file behind", async () => {
  const path = fresh("given up");
  const blocker = new pg.Client(source);
  await blocker.connect();
  await blocker.query("begin; lock table twins in access exclusive mode");
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), "backup", path], {
    env: { PATH: process.env.PATH, AFARA_DATA_DIR: data, DATABASE_URL: urlOf(source) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  endWithFile(child);
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk));
  const isWaiting = "select 1 from pg_stat_activity where query like 'copy \"twins\"%' and wait_event_type = 'Lock'";
  await waitFor("it waits for the table", async () => (await ask(source, isWaiting)).length === 1, 60_000);
  assert.equal(existsSync(path), true);
  child.kill("SIGINT");
  assert.equal(await end(child), 1, out);
  await blocker.end();
  assert.match(out, /There is no backup: it was given up\. What had been written of .* was removed/);
  assert.equal(existsSync(path), false);
});

test("where tells the place, the versions and the sizes, and no password", async () => {
  const { code, out } = await afara(["where"], { DATABASE_URL: urlOf(source).replace("@", ":geheim@") });
  assert.equal(code, 0);
  assert.doesNotMatch(out, /geheim/);
  for (const head of [
    "INSTALLATION    ins_",
    "DATA DIRECTORY  ",
    "DATABASE        postgres://",
    "POSTGRESQL      18",
    "AFARA           0",
    "NODE            26",
  ])
    assert.ok(out.includes(head), out);
  const { json } = await afara(["where", "--json"]);
  const told = json<{ gateways: number; database: { running: boolean; migrations: number; bytes: number } }>();
  assert.deepEqual([told.gateways, told.database.running], [0, true]);
  assert.ok(told.database.bytes > 1_000_000 && told.database.migrations > 30);
});
