import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import type { Connection } from "../db/database.ts";
import { copiedFrom, readInstallation, writeRestoring } from "../db/installation-file.ts";
import { readSchema } from "../db/migrate.ts";
import { makeCli } from "../testing/cli.ts";
import { MIGRATIONS_DIR, makeEmptyDatabases, SILENT } from "../testing/database.ts";
import { dataDirFaults, joinInstallation } from "./installation.ts";

const databases = await makeEmptyDatabases();
const root = mkdtempSync(join(tmpdir(), "afara installation-"));
after(() => rmSync(root, { recursive: true }));
const schema = readSchema(MIGRATIONS_DIR);
let directories = 0;

/** A data directory with a space in its path, as it is after `npm start` made it. */
function makeDir(): string {
  const dir = join(root, `data ${++directories}`);
  mkdirSync(dir);
  return dir;
}

async function join_(
  dataDir: string,
  connection: Connection,
  secret?: string,
): Promise<{ id: string; secret: string }> {
  const kept = join(dataDir, "secret");
  const joined = await joinInstallation({
    dataDir,
    embedded: undefined,
    connection,
    secret: secret ?? (existsSync(kept) ? readFileSync(kept, "utf8") : undefined),
    makeSecret: () => {
      writeFileSync(kept, `made for ${dataDir}`);
      return `made for ${dataDir}`;
    },
    schema,
    log: SILENT,
  });
  mkdirSync(join(dataDir, "nodes"), { recursive: true }); // as a gateway does next
  return joined;
}

async function ask(connection: Connection, statement: string) {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows as Record<string, string>[];
}

test("a new data directory and a new database get one id, which stands in both", async () => {
  const [dir, database] = [makeDir(), await databases.make()];
  const { id, secret } = await join_(dir, database);
  assert.match(id, /^ins_[0-9a-z]{26}$/);
  assert.equal(readInstallation(dir)?.id, id);
  assert.deepEqual(await ask(database, "select value from settings where name = 'installation_id'"), [{ value: id }]);
  assert.deepEqual(await join_(dir, database), { id, secret }, "and so at every further start");
});

test("a data directory of an older version goes on, and is given the id, when its secret is the database's", async () => {
  const [dir, database] = [makeDir(), await databases.make()];
  await join_(dir, database);
  await ask(database, "delete from settings where name = 'installation_id'");
  rmSync(join(dir, "installation"));
  const { id } = await join_(dir, database);
  assert.equal(readInstallation(dir)?.id, id);
});

test("a data directory that was used does not start on an empty database, and is told what to do", async () => {
  const [dir, database, empty] = [makeDir(), await databases.make(), await databases.make()];
  const { id } = await join_(dir, database);
  await assert.rejects(join_(dir, empty), ({ message }: Error) => {
    assert.match(message, /its database is missing: the one that was found is empty\. Nothing was started/);
    assert.ok(message.includes(`mv '${dir}' '${dir}.before' && ./afara restore FILE`), message);
    assert.ok(message.endsWith(`./afara reset --live ${id}`), message);
    return true;
  });
  rmSync(join(dir, "installation")); // as an older version left it
  await assert.rejects(join_(dir, empty), /its database is missing/);
  const tables = await ask(empty, "select tablename from pg_tables where schemaname = 'public'");
  assert.deepEqual(tables, [], "and nothing was begun in it");
});

test("a database that was only migrated is as empty as a new one", async () => {
  const [dir, database, migrated] = [makeDir(), await databases.make(), await databases.make({ migrated: true })];
  await join_(makeDir(), migrated, "the first to start on it");
  await join_(dir, database);
  await assert.rejects(join_(dir, await databases.make({ migrated: true })), /its database is missing/);
});

test("a data directory does not start on the database of another installation", async () => {
  const [dir, database, other] = [makeDir(), await databases.make(), await databases.make()];
  const secret = "one secret for two installations, which is a mistake";
  const own = await join_(dir, database, secret);
  const foreign = await join_(makeDir(), other, secret);
  await assert.rejects(join_(dir, other, secret), ({ message }: Error) => {
    assert.ok(message.includes(own.id) && message.includes(foreign.id), message);
    assert.match(message, /Nothing was started\. Put DATABASE_URL or AFARA_DATA_DIR right/);
    return true;
  });
  rmSync(join(dir, "installation"));
  assert.equal((await join_(dir, other, secret)).id, foreign.id, "unless the operator says that it is meant");
});

test("nodes with data directories of their own are one installation when they have one secret", async () => {
  const database = await databases.make();
  const secret = "the same words on every node of this database";
  const [first, second, third] = [makeDir(), makeDir(), makeDir()];
  const ids = await Promise.all([first, second, third].map(async (dir) => (await join_(dir, database, secret)).id));
  assert.equal(new Set(ids).size, 1);
  assert.equal(readInstallation(third)?.id, ids[0]!);
  await assert.rejects(join_(makeDir(), database, "other words"), /made with another secret/);
  const bare = makeDir();
  await assert.rejects(join_(bare, database), /made with another secret/);
  assert.equal(existsSync(join(bare, "secret")), false, "no secret is made that could never be the right one");
});

test("a data directory that is moved is still the same, and a copy beside its original is not started", async () => {
  const [dir, database] = [makeDir(), await databases.make()];
  await join_(dir, database);
  const copy = join(root, "a copy");
  cpSync(dir, copy, { recursive: true });
  const [fault] = dataDirFaults(copy, true);
  assert.ok(fault?.startsWith(`AFARA_DATA_DIR: ${copy} is a copy of ${dir}, which is still there`), String(fault));
  assert.deepEqual(dataDirFaults(copy, false), [], "nodes of one DATABASE_URL may be made by copying");
  assert.deepEqual(dataDirFaults(dir, true), []);

  const moved = join(root, "moved");
  renameSync(dir, moved);
  assert.equal(copiedFrom(moved), undefined);
  assert.deepEqual(dataDirFaults(moved, true), []);
  await join_(moved, database);
  assert.equal(readInstallation(moved)?.dataDir, moved);

  // Its original was moved, so that nobody can see whether the copy is one; the operator says it.
  const [unclear] = dataDirFaults(copy, true);
  assert.ok(unclear?.includes(`or was moved from there to another disk: ${dir} is gone`), String(unclear));
  assert.ok(unclear?.endsWith(`./afara adopt '${copy}'`), String(unclear));
  const afara = makeCli({ AFARA_DATA_DIR: copy });
  mkdirSync(join(copy, "postgresql"));
  writeFileSync(join(copy, "postgresql", "PG_VERSION"), "18\n");
  assert.match((await afara(["reset", "--yes"])).out, /Nothing was removed: .*nobody can tell/);
  assert.equal((await afara(["adopt", copy])).code, 0);
  assert.deepEqual(dataDirFaults(copy, true), []);
  assert.equal(readInstallation(copy)?.dataDir, copy);
});

test("a restore that did not end is told at the start", () => {
  const dir = makeDir();
  writeRestoring(dir, { id: "ins_01k9z3v1h8e4rb2m6t0c5w7xyd", dataDir: dir });
  assert.match(dataDirFaults(dir, true)[0]!, /a restore into .* did not end. Run it again: .\/afara restore FILE/);
});

test("an id's file that is damaged is named", () => {
  const dir = makeDir();
  writeFileSync(join(dir, "installation"), "");
  assert.throws(() => dataDirFaults(dir, true), /installation is damaged/);
});
