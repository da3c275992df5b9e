import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { removesDataDir } from "../testing/data-dir.ts";
import { makeDataDir } from "../testing/gateway.ts";
import { waitFor } from "../testing/wait-for.ts";
import { databaseHomes, startEmbedded } from "./embedded.ts";
import { holdsDatabase, placesOf } from "./places.ts";

const quiet = { progress: () => undefined };
const START = "await (await import(process.argv[1])).startEmbedded(process.argv[2], { progress: () => undefined })";
const spawnStart = (dir: string) =>
  spawn(process.execPath, ["--input-type=module", "-e", START, join(import.meta.dirname, "embedded.ts"), dir]);

test("a first start that is killed while it makes the database leaves none, and the next one makes it", async (t) => {
  const data = await makeDataDir();
  t.after(data.remove);
  const killed = spawnStart(data.dir);
  const isBegun = (base: string) => {
    const beginning = join(base, "postgresql.new");
    return (
      existsSync(beginning) && readdirSync(beginning).some((name) => existsSync(join(beginning, name, "PG_VERSION")))
    );
  };
  // From a clone that the server's user can't enter the database is made elsewhere.
  const elsewhere = "/var/lib/afara";
  const bases = () => [
    data.dir,
    ...(existsSync(elsewhere) ? readdirSync(elsewhere).map((name) => join(elsewhere, name)) : []),
  ];
  await waitFor("half a database", () => bases().some(isBegun), 60_000);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  assert.deepEqual([data.dir, ...placesOf(data.dir)].filter(holdsDatabase), []);
  const server = await startEmbedded(data.dir, quiet);
  await server.stop();
  assert.equal(server.begun, true);
  for (const home of databaseHomes(data.dir)) assert.equal(existsSync(join(home, "postgresql.new")), false);
});

test("of two first starts at the same time one makes the database, and both use it", async (t) => {
  const data = await makeDataDir();
  t.after(data.remove);
  const servers = await Promise.all([startEmbedded(data.dir, quiet), startEmbedded(data.dir, quiet)]);
  assert.deepEqual(servers.map(({ begun }) => begun).sort(), [false, true]);
  await servers[0].stop();
});

test("the remains of an interrupted reset are named, and what removes them", async (t) => {
  const data = await makeDataDir();
  t.after(data.remove);
  const server = await startEmbedded(data.dir, quiet);
  await server.stop();
  rmSync(join(server.directory, "PG_VERSION"));
  if (server.movedTo === undefined)
    await assert.rejects(startEmbedded(data.dir, quiet), /holds the remains of a database .*\.\/afara reset/);
});

test("settings that are what they are to be are not written again", async (t) => {
  const data = await makeDataDir();
  t.after(data.remove);
  const first = await startEmbedded(data.dir, quiet);
  await first.stop();
  const path = join(first.directory, "afara.conf");
  const before = statSync(path);
  await (await startEmbedded(data.dir, quiet)).stop();
  assert.deepEqual([statSync(path).ino, statSync(path).mtimeMs], [before.ino, before.mtimeMs]);
  writeFileSync(path, "");
  await (await startEmbedded(data.dir, quiet)).stop();
  assert.notEqual(statSync(path).size, 0);
});

test("a data directory that is a link into a closed directory has its database where the server gets in", {
  skip: process.getuid?.() === 0 ? false : "only root's gateway runs the server as another user",
}, async (t) => {
  const [closed, open] = [await makeDataDir(), await makeDataDir()];
  t.after(closed.remove);
  t.after(open.remove);
  chmodSync(closed.dir, 0o700);
  mkdirSync(join(closed.dir, "data"), { mode: 0o755 });
  const link = join(open.dir, "link");
  symlinkSync(join(closed.dir, "data"), link);
  const server = await startEmbedded(link, quiet);
  await server.stop();
  t.after(() => removesDataDir(link)());
  assert.notEqual(server.movedTo, undefined);
  assert.deepEqual(readdirSync(join(closed.dir, "data")), []);
});
