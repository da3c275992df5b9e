import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isStale } from "./stale-lock.ts";

const directory = mkdtempSync(join(tmpdir(), "afara-lock-"));
const file = join(directory, "postmaster.pid");
after(() => rmSync(directory, { recursive: true }));
const skip = process.platform === "linux" ? false : "only Linux shows where a process stands";

const lock = (pid: number | undefined) => writeFileSync(file, `${pid}\n${directory}\n1700000000\n5432\n`);

/** A living process that stands in `cwd`. */
async function standingIn(cwd: string, act: (pid: number) => void): Promise<void> {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { cwd, stdio: ["pipe", "ignore", "ignore"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve) => child.once("spawn", resolve));
  try {
    act(child.pid as number);
  } finally {
    child.stdin.end();
    await ended;
  }
}

test("the lock file of a living server is left as it is", { skip }, () =>
  standingIn(directory, (pid) => {
    lock(pid);
    assert.equal(isStale(directory), false);
    assert.match(readFileSync(file, "utf8"), new RegExp(`^${pid}\n`));
  }),
);

test("a lock file whose number another process has by now is stale, and names no process from then on", { skip }, () =>
  standingIn("/", (pid) => {
    lock(pid);
    assert.equal(isStale(directory), true);
    assert.equal(readFileSync(file, "utf8"), `2147483647\n${directory}\n1700000000\n5432\n`);
    assert.throws(() => process.kill(2_147_483_647, 0), { code: "ESRCH" });
  }),
);

test("a lock file whose process is gone is stale", { skip }, async () => {
  let gone: number | undefined;
  await standingIn(directory, (pid) => (gone = pid));
  lock(gone);
  assert.equal(isStale(directory), true);
});
