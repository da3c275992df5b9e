import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { findLeftovers, makeRunDirectory, removeRun } from "../../scripts/leftovers.mjs";
import { databaseHomes, startEmbedded } from "../../src/db/embedded.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { startProgram } from "./program.ts";

const NODE = process.execPath;
const CHECK = join(import.meta.dirname, "..", "..", "scripts", "check.mjs");
const skip = process.platform === "linux" ? false : "looks for processes as only Linux shows them";

function runDirectory(t: TestContext): string {
  const run = makeRunDirectory();
  t.after(() => removeRun(run));
  return run;
}

/** One that does nothing until it is ended. */
const startIdle = (run: string) =>
  startProgram({
    command: [NODE, "-e", "process.stdin.resume(); setInterval(() => 0, 1e6)"],
    environment: { TMPDIR: run },
  });

test("what a run leaves behind is named and removed, and what another run has is left alone", { skip }, async (t) => {
  const [run, other] = [runDirectory(t), runDirectory(t)];
  const [left, others] = [startIdle(run), startIdle(other)];
  mkdirSync(join(run, "afara-gateway-1"));
  mkdirSync(join(run, "compiled"));
  const found = await findLeftovers(run, { except: ["compiled"], endMsMax: 0 });
  assert.equal(found.length, 2, found.join("\n"));
  assert.match(found[0]!, new RegExp(`^process ${left.child.pid}: .*node`));
  assert.equal(found[1], `directory ${join(run, "afara-gateway-1")}`);

  removeRun(run);
  await left.ended;
  assert.equal(existsSync(run), false);
  assert.deepEqual([others.child.exitCode, others.child.signalCode, existsSync(other)], [null, null, true]);
});

test("a database server that a run leaves behind is found and ended, wherever its files had to go", {
  skip,
}, async (t) => {
  const run = runDirectory(t);
  const dataDir = join(run, "data");
  const { directory } = await startEmbedded(dataDir, { progress: () => undefined });
  const found = await findLeftovers(run, { endMsMax: 0 });
  assert.ok(
    found.some((line) => /^process \d+: .*postgres/.test(line)),
    found.join("\n"),
  );
  const homes = databaseHomes(dataDir);
  removeRun(run);
  assert.deepEqual(
    [run, directory, ...homes].filter((path) => existsSync(path)),
    [],
  );
  assert.equal(existsSync(join(directory, "postmaster.pid")), false);
});

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  test(`a check that is ended by ${signal} leaves neither a process nor a directory`, { skip }, async (t) => {
    const place = runDirectory(t);
    // A file that starts gateways and a database of its own, so that there is something to leave behind.
    const check = startProgram({ command: [NODE, CHECK, "src/db/embedded-guard"], environment: { TMPDIR: place } });
    const hasServer = async () => {
      if (check.child.exitCode !== null) throw new Error(`it ended:\n${check.output()}`);
      const [run] = readdirSync(place);
      return (
        run !== undefined &&
        (await findLeftovers(join(place, run), { endMsMax: 0 })).some((line) => /postgres/.test(line))
      );
    };
    await waitFor("a database server of the check", hasServer);
    check.child.kill(signal);
    assert.equal(await check.ended, code, check.output());
    assert.deepEqual(await findLeftovers(place), []);
  });
