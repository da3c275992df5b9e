import assert from "node:assert/strict";
import {
  chmodSync,
  cpSync,
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
import pg from "pg";
import { clearDataDir } from "../db/data-dir.ts";
import { startEmbedded } from "../db/embedded.ts";
import { readInstallation, writeInstallation } from "../db/installation-file.ts";
import { readSchema } from "../db/migrate.ts";
import { allPlaces, ownerOf, writeOwner } from "../db/places.ts";
import { makeCli } from "../testing/cli.ts";
import { MIGRATIONS_DIR, SILENT } from "../testing/database.ts";
import { dataDirFaults, openInstallation } from "./installation.ts";

const needsRoot = process.getuid?.() === 0 ? false : "only root's database goes elsewhere";
const schema = readSchema(MIGRATIONS_DIR);

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
    schema,
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
  assert.match((await afara(["adopt", orphan])).out, /already has a database: .\/afara reset removes it/);
  const shown = (await afara(["where"])).out;
  assert.ok(shown.includes(`a removed data directory at the same path, ${data}`), shown);
  const reset = await afara(["reset", "--yes"]);
  assert.equal(reset.code, 0);
  assert.match(reset.out, / MB; 0 orders, 0 accounts\)/);
  assert.ok(reset.out.includes(`the database in ${second.place} (`), reset.out);
  assert.equal(existsSync(second.place!), false);
  assert.match((await afara(["adopt", orphan])).out, /The secret of this database is missing/);
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

test("a copy neither uses nor removes the database elsewhere of its original, before the original moves and after", {
  skip: needsRoot,
}, async (t) => {
  const { top, data } = closedClone(t);
  const { id, place } = await startAndStop(data);
  const copy = join(top, "a copy");
  cpSync(data, copy, { recursive: true });
  const ofCopy = makeCli({ AFARA_DATA_DIR: copy });
  const refuse = async (text: string) => {
    for (const command of [
      ["reset", "--yes"],
      ["backup", join(top, "backup")],
      ["adopt", place!],
      ["orders", "list"],
    ]) {
      const { code, out, err } = await ofCopy(command);
      assert.notEqual(code, 0, command.join(" "));
      assert.ok((out + err).includes(text), `${command.join(" ")}: ${out}${err}`);
    }
    assert.ok(existsSync(join(place!, "postgresql", "PG_VERSION")) && existsSync(join(copy, "installation")));
    assert.match(dataDirFaults(copy, true)[0]!, new RegExp(`${copy} is a copy of `));
  };
  await refuse(`${copy} is a copy of ${data}, which is still there`);

  const moved = join(top, "moved");
  renameSync(data, moved);
  assert.deepEqual(dataDirFaults(moved, true), []);
  assert.match(dataDirFaults(copy, true)[0]!, /is a copy of .*, or was moved from there to another disk/);
  assert.equal((await startAndStop(moved)).id, id);
  await refuse(`${copy} is a copy of ${moved}, which is still there and has the database ${place}`);

  rmSync(moved, { recursive: true }); // now the copy is all there is: as after a move to another disk
  assert.match((await ofCopy(["reset", "--yes"])).out, /Nothing was removed: .*nobody can tell/);
  assert.equal((await ofCopy(["adopt", place!])).code, 0);
  assert.deepEqual(dataDirFaults(copy, true), []);
  assert.deepEqual(await startAndStop(copy), {
    id,
    place,
    output:
      "Starting PostgreSQL …\n" +
      `The database can't run where the data directory is (this is root's), so it is in ${place}`,
  });
  assert.equal((await ofCopy(["reset", "--yes"])).code, 0);
  assert.equal(existsSync(place!), false, "its own place is removed");
});

test("a data directory with its database in it is not adopted, nor is one anywhere but where Afara puts them", async (t) => {
  const top = mkdtempSync(join(tmpdir(), "afara-place-"));
  t.after(() => rmSync(top, { recursive: true, force: true }));
  chmodSync(top, 0o755);
  const [dir, other] = [join(top, "data"), join(top, "new")];
  await startAndStop(dir);
  const afara = makeCli({ AFARA_DATA_DIR: other });
  const { code, out } = await afara(["adopt", dir, "--secret-lost"]);
  assert.deepEqual(
    [code, /is a data directory with its own secret: start it with AFARA_DATA_DIR=/.test(out)],
    [1, true],
    out,
  );
  for (const name of ["installation", "secret", "nodes"]) rmSync(join(dir, name), { recursive: true });
  assert.match((await afara(["adopt", dir, "--secret-lost"])).out, /is not in \/var\/lib\/afara/);
  assert.equal(existsSync(join(other, "installation")), false);
});

test("reset removes of a place what Afara made there, and nothing that has another directory's name on it", (t) => {
  const top = mkdtempSync(join(tmpdir(), "afara-place-"));
  t.after(() => rmSync(top, { recursive: true, force: true }));
  const [dir, place] = [join(top, "data"), join(top, "place")];
  const make = (owner: string) => {
    for (const path of [dir, join(place, "postgresql"), join(place, "photos")]) mkdirSync(path, { recursive: true });
    writeInstallation(dir, { id: "ins_1", dataDir: dir, place });
    writeOwner(place, { dataDir: owner, id: "ins_1" });
  };
  make(join(top, "somebody"));
  assert.equal(clearDataDir(dir), place);
  assert.ok(existsSync(join(place, "postgresql")));
  make(dir);
  assert.equal(clearDataDir(dir), undefined);
  assert.deepEqual([existsSync(join(place, "postgresql")), existsSync(join(place, "photos"))], [false, true]);
});

test("a database that is served is nobody's orphan, whoever's name is missing on it, and is not adopted", {
  skip: needsRoot,
}, async (t) => {
  const { top, data } = closedClone(t);
  const { place } = await startAndStop(data);
  t.after(() => rmSync(place!, { recursive: true, force: true }));
  const afara = makeCli({ AFARA_DATA_DIR: join(top, "new") });
  const look = async () => {
    const { out } = await afara(["where", "--json"]);
    const { orphans, unknown } = JSON.parse(out) as Record<"orphans" | "unknown", { place: string; in_use: boolean }[]>;
    return [orphans.some((one) => one.place === place), unknown.find((one) => one.place === place)?.in_use];
  };
  const server = await startEmbedded(data, { progress: () => undefined });
  try {
    rmSync(join(data, "installation"));
    rmSync(join(place!, "owner.json")); // as an older version leaves it
    const gateway = new pg.Client(server.connection);
    gateway.on("error", () => undefined); // the server ends before it when the test fails
    await gateway.connect();
    assert.deepEqual(await look(), [false, true]);
    const { code, out } = await afara(["adopt", place!, "--secret-lost"]);
    assert.deepEqual([code, /is in use: 1 gateway/.test(out)], [1, true], out);
    await gateway.end();
  } finally {
    await server.stop();
  }
  assert.deepEqual(await look(), [false, false], "at rest it is unknown, which is not the same as not there");
  const { out } = await afara(["where"]);
  assert.match(out, /printf %s DATA_DIRECTORY \| sha256sum/);
  writeOwner(place!, { dataDir: join(top, "removed") });
  assert.deepEqual(await look(), [true, undefined]);
});
