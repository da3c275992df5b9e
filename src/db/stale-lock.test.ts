import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { freeLock, whereServerRuns } from "./stale-lock.ts";

const directory = mkdtempSync(join(tmpdir(), "afara-lock-"));
const files = { databaseDir: directory, socketDir: join(directory, "run") };
mkdirSync(files.socketDir);
const file = join(directory, "postmaster.pid");
after(() => rmSync(directory, { recursive: true }));
const skip = process.platform === "linux" ? false : "only Linux shows where a process stands";

const lock = (pid: number | undefined) => writeFileSync(file, `${pid}\n${directory}\n1700000000\n5432\n`);

/** A living process that stands in `cwd`. */
async function standingIn(cwd: string, act: (pid: number) => unknown): Promise<void> {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { cwd, stdio: ["pipe", "ignore", "ignore"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve) => child.once("spawn", resolve));
  try {
    await act(child.pid as number);
  } finally {
    child.stdin.end();
    await ended;
  }
}

test("a living server that stands in its directory runs here", { skip }, () =>
  standingIn(directory, async (pid) => {
    lock(pid);
    assert.equal(await whereServerRuns(files), "here");
  }),
);

test(
  "a lock file whose number another process has by now is nobody's; looking changes nothing, freeing takes the number",
  {
    skip,
  },
  () =>
    standingIn("/", async (pid) => {
      lock(pid);
      assert.equal(await whereServerRuns(files), "nowhere");
      assert.match(readFileSync(file, "utf8"), new RegExp(`^${pid}\n`));
      writeFileSync(join(files.socketDir, ".s.PGSQL.5432.lock"), `${pid}\n`);
      freeLock(files);
      assert.equal(readFileSync(file, "utf8"), `2147483647\n${directory}\n1700000000\n5432\n`);
      assert.equal(existsSync(join(files.socketDir, ".s.PGSQL.5432.lock")), false);
      assert.throws(() => process.kill(2_147_483_647, 0), { code: "ESRCH" });
    }),
);

test("a lock file whose process is gone is nobody's", { skip }, async () => {
  let gone: number | undefined;
  await standingIn(directory, (pid) => (gone = pid));
  lock(gone);
  assert.equal(await whereServerRuns(files), "nowhere");
});

for (const place of ["socketDir", "databaseDir"] as const)
  test(`a server that can't be seen and listens in its ${place} runs elsewhere`, { skip }, async () => {
    lock(2_147_483_646);
    const server = createServer().listen(join(files[place], ".s.PGSQL.5432"));
    await once(server, "listening");
    assert.equal(await whereServerRuns(files), "elsewhere");
    assert.match(readFileSync(file, "utf8"), /^2147483646\n/);
    server.close();
    await once(server, "close");
    assert.equal(await whereServerRuns(files), "nowhere");
  });

test("a directory that nobody made has no server", async () => {
  const none = join(directory, "none");
  assert.equal(await whereServerRuns({ databaseDir: none, socketDir: join(none, "run") }), "nowhere");
});
