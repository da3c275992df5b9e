import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import pg from "pg";
import { makeDataDir } from "../testing/gateway.ts";
import { startEmbedded } from "./embedded.ts";

const run = promisify(execFile);
/** As in another container on the same volume: no process of this one is seen, and the host's name is another. */
const APART = [
  "--pid",
  "--uts",
  "--ipc",
  "--mount",
  "--fork",
  "--mount-proc",
  "sh",
  "-c",
  'hostname apart && exec "$@"',
  "sh",
];
const skip = spawnSync("unshare", [...APART, "true"]).status === 0 ? false : "no right to make namespaces here";

const SECOND = `
  const { startEmbedded, stopEmbedded } = await import(process.argv[1]);
  const server = await startEmbedded(process.argv[2], { progress: () => undefined });
  await server.stop();
  const refused = await stopEmbedded(process.argv[2]).then(() => "", (error) => error.message);
  process.stdout.write(JSON.stringify({ adopted: server.adopted, refused }));
`;

test("from another container the living server is used on, never doubled and never stopped", { skip }, async (t) => {
  const data = await makeDataDir();
  t.after(data.remove);
  const server = await startEmbedded(data.dir, { progress: () => undefined });
  t.after(server.stop);
  const lock = readFileSync(join(server.directory, "postmaster.pid"), "utf8");
  const module = join(import.meta.dirname, "embedded.ts");
  const apart = [...APART, process.execPath, "--input-type=module", "-e", SECOND, module, data.dir];
  const { stdout } = await run("unshare", apart);
  const { adopted, refused } = JSON.parse(stdout) as { adopted: boolean; refused: string };
  assert.equal(adopted, true);
  assert.match(refused, /runs in another container on the same volume/);
  assert.equal(readFileSync(join(server.directory, "postmaster.pid"), "utf8"), lock);
  const client = new pg.Client(server.connection);
  await client.connect();
  await client.query("checkpoint");
  await client.end();
});

test("a server that was killed with its container is started anew in the next one", { skip }, async (t) => {
  const data = await makeDataDir();
  t.after(data.remove);
  const killed = `
    const { startEmbedded } = await import(process.argv[1]);
    await startEmbedded(process.argv[2], { progress: () => undefined });
    process.kill(process.pid, "SIGKILL"); // the first process of the namespace: all others end with it
  `;
  const module = join(import.meta.dirname, "embedded.ts");
  const args = [process.execPath, "--input-type=module", "-e", killed, module, data.dir];
  await run("unshare", [...APART, ...args]).catch(() => undefined);
  const server = await startEmbedded(data.dir, { progress: () => undefined });
  assert.equal(server.begun, false);
  assert.equal(server.adopted, false);
  await server.stop();
});
