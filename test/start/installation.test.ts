import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { readInstallation } from "../../src/db/installation-file.ts";
import { ownerOf, placesOf } from "../../src/db/places.ts";
import { startGateway } from "../../src/testing/gateway.ts";
import { askDatabase, makeData, needsRoot, postgresOf } from "./program.ts";

/** A directory that the database's own user can't enter: as below a clone under /root. */
async function closedDir(t: { after: (act: () => Promise<void>) => void }) {
  const top = await mkdtemp(join(homedir(), "afara-place-"));
  const places: string[] = [];
  t.after(async () => {
    for (const place of [top, ...places]) await rm(place, { recursive: true, force: true });
  });
  return { top, data: join(top, "a clone", "data"), removeToo: (place: string) => void places.push(place) };
}

const accounts = async (dataDir: string) =>
  (await askDatabase<{ ids: string }>(dataDir, "select string_agg(id::text, ' ') as ids from accounts")).ids;

test("a clone that was removed and cloned again to the same path begins a new database, and names the old one", {
  skip: needsRoot,
}, async (t) => {
  const { top, data, removeToo } = await closedDir(t);
  const first = await startGateway({ dataDir: data });
  const { directory } = await postgresOf(data);
  const orphan = dirname(directory);
  removeToo(orphan);
  const before = await accounts(data);
  assert.equal(await first.stop(), 0);
  assert.equal(readInstallation(data)?.place, orphan);
  await rm(top, { recursive: true });

  const second = await startGateway({ dataDir: data });
  const place = dirname((await postgresOf(data)).directory);
  removeToo(place);
  assert.notEqual(place, orphan);
  assert.notEqual(await accounts(data), before);
  assert.ok(second.output().includes(`./afara adopt '${orphan}'`), second.output());
  assert.ok(second.output().includes(`rm -r '${orphan}'`));
  assert.equal(await second.stop(), 0);
  assert.deepEqual([...placesOf(data)].sort(), [orphan, place].sort());

  const third = await startGateway({ dataDir: data });
  assert.equal(dirname((await postgresOf(data)).directory), place, "and goes on with its own");
  assert.doesNotMatch(third.output(), /adopt/, "the old one is named once");
  const own = await accounts(data);
  assert.equal(await third.stop(), 0);

  const moved = join(top, "another clone", "data");
  await mkdir(dirname(moved));
  await rename(data, moved);
  const fourth = await startGateway({ dataDir: moved });
  assert.equal(await accounts(moved), own, "a clone that is moved finds its database");
  assert.equal(ownerOf(place)?.dataDir, moved);
  assert.equal(await fourth.stop(), 0);

  await rm(place, { recursive: true });
  await assert.rejects(
    startGateway({ dataDir: moved }),
    /its database is missing: there is none in .*Nothing was started/,
  );
  assert.equal(existsSync(place), false, "a database that was removed is not begun again in silence");
});

test("a database elsewhere of an older version is gone on with when the secret is its own, and left alone when not", {
  skip: needsRoot,
}, async (t) => {
  const { data, removeToo } = await closedDir(t);
  const secret = "words that were in the environment of the older version";
  const environment = { AFARA_SECRET: secret };
  const older = await startGateway({ dataDir: data, environment });
  const place = dirname((await postgresOf(data)).directory);
  removeToo(place);
  const before = await accounts(data);
  await older.stop();
  // What an older version left: no file here, no owner there.
  await rm(join(data, "installation"));
  await rm(join(place, "owner.json"));
  const next = await startGateway({ dataDir: data, environment });
  assert.equal(await accounts(data), before);
  await next.stop();

  // The data directory is removed, and another secret in the environment.
  await rm(data, { recursive: true });
  const fresh = await startGateway({ dataDir: data, environment: { AFARA_SECRET: `other ${secret}` } });
  removeToo(dirname((await postgresOf(data)).directory));
  assert.notEqual(await accounts(data), before);
  assert.ok(fresh.output().includes(place));
  await fresh.stop();
});

test("an embedded database whose files were removed is not begun again in silence", async (t) => {
  const data = await makeData();
  t.after(data.remove);
  const dir = join(data.dir, "data");
  const gateway = await startGateway({ dataDir: dir });
  const { directory } = await postgresOf(dir);
  data.databaseIn(directory);
  await gateway.stop();
  await rm(directory, { recursive: true });
  await assert.rejects(startGateway({ dataDir: dir }), /its database is missing.*restore a backup: mv/);
  await rm(join(dir, "installation")); // as an older version left it
  await assert.rejects(startGateway({ dataDir: dir }), /its database is missing/);
});
