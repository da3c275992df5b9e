import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { dataDirFaults } from "../app/installation.ts";
import { lockForRestore } from "../backup/restore-lock.ts";
import { readInstallation, writeRestoring } from "../db/installation-file.ts";
import { makeCli } from "../testing/cli.ts";
import { makeEmptyDatabases, urlOf } from "../testing/database.ts";
import { startGateway } from "../testing/gateway.ts";

const databases = await makeEmptyDatabases();
const source = await databases.make();
const root = mkdtempSync(join(tmpdir(), "afara restore-"));
after(() => rmSync(root, { recursive: true, force: true }));
let names = 0;
const fresh = (what: string) => join(root, `${what} ${++names}`);

const data = fresh("data");
const gateway = await startGateway({ dataDir: data, environment: { DATABASE_URL: urlOf(source) } });
await gateway.stop();
const afara = makeCli({ AFARA_DATA_DIR: data, DATABASE_URL: urlOf(source) });
const [saved, sealed, passphraseFile] = [fresh("saved"), fresh("sealed"), fresh("passphrase")];
writeFileSync(passphraseFile, "correct horse battery staple\n");
assert.equal((await afara(["backup", saved])).code, 0);
assert.equal((await afara(["backup", sealed, "--passphrase-file", passphraseFile])).code, 0);

/** Where a restore goes. */
async function target() {
  const [dir, database] = [fresh("target"), await databases.make()];
  return { dir, database, cli: makeCli({ AFARA_DATA_DIR: dir, DATABASE_URL: urlOf(database) }) };
}

async function ask(connection: pg.ClientConfig, statement: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

test("a restore that was killed after its commit goes on with the same backup and the same database alone", async () => {
  const { dir, database, cli } = await target();
  const restoring = join(dir, "restoring");
  assert.equal((await cli(["restore", saved])).code, 0);
  const { id } = readInstallation(dir)!;
  const header = readFileSync(saved).subarray(0, readFileSync(saved).indexOf("\n") + 1);
  const backup = createHash("sha256").update(header).digest("hex");
  const backupAt = JSON.parse(header.toString()).created_at;
  const asKilled = (mark: string) => {
    rmSync(dir, { recursive: true });
    writeRestoring(dir, { id, dataDir: dir, backup, backupAt, mark });
  };
  asKilled("of this restore");
  const living = await cli(["restore", saved]);
  assert.match(
    living.out,
    /is not empty: name an empty one/,
    "an installation of this id that another restore has filled",
  );
  assert.ok(existsSync(restoring));

  await ask(database, "insert into settings (name, value) values ('restore_mark', 'of this restore')");
  const other = await cli(["restore", sealed, "--passphrase-file", passphraseFile]);
  assert.ok(other.out.startsWith(`A restore of the backup of ${backupAt} (installation ${id})`), other.out + other.err);
  assert.match(other.out, /did not finish: run it again with that file, or discard it with .\/afara reset/);
  const again = await cli(["restore", saved]);
  assert.equal(again.code, 0, again.out + again.err);
  assert.deepEqual(dataDirFaults(dir, false), []);
  assert.deepEqual(await ask(database, "select 1 from settings where name = 'restore_mark'"), []);
});

test("the mark of a restore is committed with its rows", async () => {
  const { dir, database, cli } = await target();
  const header = readFileSync(saved).subarray(0, readFileSync(saved).indexOf("\n") + 1);
  const backup = createHash("sha256").update(header).digest("hex");
  mkdirSync(join(dir, "secret.new"), { recursive: true }); // the step after the commit fails
  writeRestoring(dir, { id: "ins_1", dataDir: dir, backup });
  const first = await cli(["restore", saved]).catch(() => ({ code: 2 }));
  assert.notEqual(first.code, 0);
  const { mark } = JSON.parse(readFileSync(join(dir, "restoring"), "utf8"));
  assert.deepEqual(await ask(database, "select value from settings where name = 'restore_mark'"), [{ value: mark }]);
  rmSync(join(dir, "secret.new"), { recursive: true });
  assert.equal((await cli(["restore", saved])).code, 0);
});

test("two restores into one directory: the second says who is at it, and a dead one's lock is taken over", async () => {
  const { dir, cli } = await target();
  mkdirSync(dir);
  const lock = lockForRestore(dir);
  const second = await cli(["restore", saved]);
  assert.deepEqual([second.code, second.out.includes(`is under way (process ${process.pid})`)], [1, true], second.out);
  assert.match((await cli(["reset", "--yes"])).out, /A restore into .* is under way/);
  assert.deepEqual(lockForRestore(dir), { holder: process.pid });
  const mine = JSON.parse(readFileSync(join(dir, "restore.lock"), "utf8"));
  assert.ok("release" in lock);
  lock.release();
  const dead = [
    { ...mine, pid: 2 ** 31 - 1 },
    { ...mine, boot: "before" },
    { ...mine, started: "1" },
  ];
  for (const left of process.platform === "linux" ? dead : dead.slice(0, 1)) {
    writeFileSync(join(dir, "restore.lock"), JSON.stringify(left));
    const taken = lockForRestore(dir);
    assert.ok("release" in taken, JSON.stringify(left));
    taken.release();
    assert.deepEqual(readdirSync(dir), []);
  }
  writeFileSync(join(dir, "restore.lock"), JSON.stringify({ ...mine, host: "another", pid: 17 }));
  assert.deepEqual(lockForRestore(dir), { holder: 17 }, "another machine's can't be asked");
});

test("a full disk of the database is told apart from one of the backup's file", async (t) => {
  // As PostgreSQL says it when it can't write the exported snapshot down.
  await ask(
    source,
    `create function public.pg_export_snapshot() returns text language plpgsql as $$ begin raise exception using
       errcode = 'disk_full', message = 'could not write to file "pg_snapshots/00000007-1.tmp": No space left on device'; end $$`,
  );
  await ask(source, `alter database ${source.database} set search_path = public, pg_catalog`);
  t.after(async () => {
    await ask(source, `alter database ${source.database} reset search_path`);
    await ask(source, "drop function public.pg_export_snapshot()");
  });
  const { code, out } = await afara(["backup", fresh("no room")]);
  assert.deepEqual([code, /There is no backup: the database's disk is full/.test(out)], [1, true], out);
});
