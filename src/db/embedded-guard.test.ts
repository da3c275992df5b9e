import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SILENT } from "../testing/database.ts";
import { makeDataDir } from "../testing/gateway.ts";
import { waitFor } from "../testing/wait-for.ts";
import { openDatabase } from "./database.ts";
import { startEmbedded } from "./embedded.ts";
import { guardEmbedded } from "./embedded-guard.ts";

const pidFile = (directory: string): string => join(directory, "postmaster.pid");
const postmaster = (directory: string): number => Number(readFileSync(pidFile(directory), "utf8").split("\n")[0]);

test("a session that crashes is named in the server's log, and a refused statement is not", async (t) => {
  const data = await makeDataDir();
  const server = await startEmbedded(data.dir, { progress: () => undefined });
  const db = openDatabase({ connection: server.connection, connections: 1, connectTimeoutMs: 2_000, log: SILENT });
  t.after(async () => {
    await db.close();
    await server.stop();
    await data.remove();
  });
  await assert.rejects(db.query("select '08031234567'::uuid"));
  const { rows } = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
  process.kill(rows[0]!.pid, "SIGSEGV");
  const log = () => readFileSync(join(server.directory, "server.log"), "utf8");
  await waitFor("its crash in the log", () => log().includes(`(PID ${rows[0]!.pid}) was terminated by signal 11`));
  assert.equal(log().includes("08031234567"), false);
});

test("an embedded server that is killed is started again, with everything that was committed", async (t) => {
  const data = await makeDataDir();
  const server = await startEmbedded(data.dir, { progress: () => undefined });
  const guard = await guardEmbedded(server, SILENT);
  const db = openDatabase({ connection: server.connection, connections: 2, connectTimeoutMs: 2_000, log: SILENT });
  t.after(async () => {
    await db.close();
    await guard.stop();
    await server.stop();
    await data.remove();
  });
  await db.query("create table kept (n int)");
  await db.query("insert into kept values (1)");
  const killed = postmaster(server.directory);
  process.kill(killed, "SIGKILL");
  const isAnother = () => existsSync(pidFile(server.directory)) && ![killed, 0].includes(postmaster(server.directory));
  await waitFor("another server", isAnother);
  const { rows } = await waitFor("the server to answer again", () =>
    db.query<{ n: number }>("select n from kept").catch(() => undefined),
  );
  assert.deepEqual(rows, [{ n: 1 }]);
});
