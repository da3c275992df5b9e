import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const MAIN = join(import.meta.dirname, "main.ts");

test("a reader that stops after the first line gets it, and no stack", () => {
  const line = `"${process.execPath}" "${MAIN}" --help | head -n 1`;
  const { stdout, stderr, status } = spawnSync("sh", ["-c", line], { encoding: "utf8" });
  assert.deepEqual([stdout, stderr, status], ["Usage: ./afara [options] [command]\n", "", 0]);
});

test("a report is whole in a pipe", () => {
  const line = `"${process.execPath}" "${MAIN}" key create --help | cat`;
  const { stdout } = spawnSync("sh", ["-c", line], { encoding: "utf8" });
  assert.match(stdout, /^Usage: .*\n[\s\S]*2 the command could not run\.\n$/);
});
