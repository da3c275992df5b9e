import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { readInstallation } from "./db/installation-file.ts";
import { readMigrations } from "./db/migrate.ts";
import { allPlaces, ownerOf } from "./db/places.ts";
import { openInstallation } from "./installation.ts";
import { makeCli } from "./testing/cli.ts";
import { MIGRATIONS_DIR, SILENT } from "./testing/database.ts";

const needsRoot = process.getuid?.() === 0 ? false : "only root's database goes elsewhere";
const migrations = readMigrations(MIGRATIONS_DIR);

/** What the start of a gateway does with its data directory and database, and its stop. */
async function startAndStop(dataDir: string, environmentSecret?: string) {
  mkdirSync(dataDir, { recursive: true });
  const kept = join(dataDir, "secret");
  const lines: string[] = [];
  const { embedded, id } = await openInstallation({
    dataDir,
    databaseUrl: undefined,
    secret: environmentSecret ?? (existsSync(kept) ? readFileSync(kept, "utf8") : undefined),
    makeSecret: () => {
      const secret = `made by ${process.pid} at ${performance.now()}`;
      writeFileSync(kept, secret);
      return secret;
    },
    migrations,
    log: SILENT,
    say: (line) => lines.push(line),
  });
  mkdirSync(join(dataDir, "nodes"), { recursive: true }); // as the gateway does next
  await embedded!.stop();
  return { id, place: embedded!.movedTo, output: lines.join("\n") };
}

/** A clone that the database's own user can't enter, as below /root; with what its databases leave elsewhere it is removed. */
function closedClone(t: TestContext) {
  const before = allPlaces();
  const top = mkdtempSync(join(homedir(), "afara-place-"));
  t.after(() => {
    rmSync(top, { recursive: true, force: true });
    for (const base of allPlaces())
      if (!before.includes(base) && ownerOf(base)?.dataDir.startsWith(top)) rmSync(base, { recursive: true });
  });
  return { top, data: join(top, "a clone", "data") };
}

test("a clone that was removed and cloned again to the same path begins a new database, and names the old one", {
  skip: needsRoot,
}, async (t) => {
  const { top, data } = closedClone(t);
  const first = await startAndStop(data);
  const orphan = first.place!;
  assert.equal(readInstallation(data)?.place, orphan);
  assert.deepEqual(await startAndStop(data).then(({ id, place }) => [id, place]), [first.id, orphan]);

  rmSync(dirname(data), { recursive: true });
  const second = await startAndStop(data);
  assert.notEqual(second.place, orphan);
  assert.notEqual(second.id, first.id);
  assert.ok(second.output.includes(`./afara adopt '${orphan}'`), second.output);
  assert.ok(second.output.includes(`rm -r '${orphan}'`));
  const again = await startAndStop(data);
  assert.deepEqual([again.id, again.place], [second.id, second.place], "and goes on with its own");
  assert.doesNotMatch(again.output, /adopt/, "the old one is named once");

  const afara = makeCli({ AFARA_DATA_DIR: data });
  const { orphans } = (await afara(["where", "--json"])).json<{
    orphans: { place: string; adopt: string; remove: string }[];
  }>();
  const told = orphans.find(({ place }) => place === orphan);
  assert.deepEqual([told?.adopt, told?.remove], [`./afara adopt '${orphan}'`, `rm -r '${orphan}'`]);
  assert.match((await afara(["adopt", orphan])).out, /has a database of its own: .\/afara reset removes it/);
  const shown = (await afara(["where"])).out;
  assert.ok(shown.includes(`a removed data directory at the same path, ${data}`), shown);
  const reset = await afara(["reset", "--yes"]);
  assert.equal(reset.code, 0);
  assert.match(reset.out, / MB; 0 orders, 0 accounts\)/);
  assert.ok(reset.out.includes(`the database in ${second.place} (`), reset.out);
  assert.equal(existsSync(second.place!), false);
  assert.match((await afara(["adopt", orphan])).out, /The secret of this database is not here/);
  const adopted = await afara(["adopt", orphan, "--secret-lost"]);
  assert.equal(adopted.code, 0, adopted.err);
  assert.equal((await startAndStop(data)).id, first.id);

  const moved = join(top, "another clone", "data");
  mkdirSync(dirname(moved));
  renameSync(data, moved);
  assert.equal((await startAndStop(moved)).id, first.id, "a clone that is moved finds its database");
  assert.equal(ownerOf(orphan)?.dataDir, moved);

  rmSync(orphan, { recursive: true });
  await assert.rejects(startAndStop(moved), /its database is missing: there is none in .*Nothing was started/);
  const words = await startAndStop(moved).catch((error: Error) => error.message);
  const looking = makeCli({ AFARA_DATA_DIR: moved });
  assert.ok((await looking(["doctor"])).out.includes(String(words)));
  assert.ok((await looking(["where"])).out.includes(String(words)));
  assert.equal(existsSync(orphan), false, "a database that was removed is not begun again in silence");
});

test("a database elsewhere of an older version is gone on with when the secret is its own, and left alone when not", {
  skip: needsRoot,
}, async (t) => {
  const { data } = closedClone(t);
  const secret = "words that were in the environment of the older version";
  const older = await startAndStop(data, secret);
  const place = older.place!;
  t.after(() => rmSync(place, { recursive: true, force: true }));
  const forget = () => {
    rmSync(join(data, "installation"));
    rmSync(join(place, "owner.json"));
  };
  forget(); // what an older version left: no file here, no owner there
  assert.deepEqual((await startAndStop(data, secret)).place, place);
  forget();
  await assert.rejects(startAndStop(data, `other ${secret}`), /its database is missing: .* with another secret/);

  rmSync(data, { recursive: true });
  assert.equal((await startAndStop(data, secret)).place, place, "a new directory with the secret of before");
  rmSync(data, { recursive: true });
  const fresh = await startAndStop(data, `other ${secret}`);
  assert.notEqual(fresh.place, place);
  assert.ok(fresh.output.includes(place));
});

test("an embedded database goes with its data directory, and is not begun again in silence once it was removed", async (t) => {
  const top = mkdtempSync(join(tmpdir(), "afara-place-"));
  t.after(() => rmSync(top, { recursive: true, force: true }));
  chmodSync(top, 0o755); // the server's own user must get in
  const [dir, moved] = [join(top, "data of mine"), join(top, "moved")];
  const { id } = await startAndStop(dir);
  renameSync(dir, moved);
  assert.equal((await startAndStop(moved)).id, id);
  assert.equal(readInstallation(moved)?.place, undefined);
  rmSync(join(moved, "postgresql"), { recursive: true });
  await assert.rejects(startAndStop(moved), /its database is missing.*restore a backup: mv/);
  rmSync(join(moved, "installation")); // as an older version left it
  await assert.rejects(startAndStop(moved), /its database is missing/);
});
