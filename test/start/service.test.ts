import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeTestDatabase } from "../../src/testing/database.ts";
import { freePort, makeDataDir } from "../../src/testing/gateway.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { lineOf, startProgram } from "./program.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const database = await makeTestDatabase();

/** The unit that running.md shows, by key. */
const unit = new Map(
  readFileSync(join(ROOT, "docs", "operations", "running.md"), "utf8")
    .match(/```ini\n(.*?)```/s)![1]!
    .split("\n")
    .flatMap((line) => {
      const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value] as const];
    }),
);

test("the unit of running.md starts what is in the clone, and waits for longer than an orderly stop may take", () => {
  const [program, script] = unit.get("ExecStart")!.split(" ");
  const inClone = program!.slice(unit.get("WorkingDirectory")!.length);
  assert.ok(existsSync(join(ROOT, inClone)) && existsSync(join(ROOT, script!)));
  const [, hardStopMs] = /HARD_STOP_MS = ([\d_]+)/.exec(readFileSync(join(ROOT, script!), "utf8"))!;
  assert.ok(Number(unit.get("TimeoutStopSec")) * 1_000 > Number(hardStopMs!.replaceAll("_", "")));
  assert.equal(unit.get("KillMode"), "mixed");
});

test("a SIGTERM to the whole group of processes leaves the vendor connected until the gateway has drained", async () => {
  const data = await makeDataDir("start");
  const port = String(await freePort());
  const running = startProgram({
    command: [process.execPath, join(ROOT, "src", "main.ts")],
    environment: {
      DATABASE_URL: database.url,
      AFARA_DATA_DIR: data.dir,
      AFARA_PORT: port,
      AFARA_ENV: "production",
      AFARA_SECRET: "long enough for a production's secret",
    },
    detached: true,
  });
  await lineOf(running, /^Afara listens on /);
  await waitFor("the binds", () => /bound to the SMSC/.test(running.output()));
  process.kill(-running.child.pid!, "SIGTERM");
  assert.equal(await running.ended, 0, running.output());
  assert.doesNotMatch(running.output(), /no bind to the SMSC|simulator ended/);
  await data.remove();
});
