import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const check = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, "..", "..", "scripts", "check.mjs"), ...args], {
    encoding: "utf8",
  });

test("npm test -- --help says what can be chosen, and runs nothing", () => {
  const { status, stdout, stderr } = check("--help");
  assert.deepEqual([status, stderr], [0, ""]);
  assert.match(stdout, /^npm test -- src\/sms /m);
  assert.doesNotMatch(stdout, /──/);
});

test("a part of a path that no test file has is refused with the way to give one", () => {
  const { status, stderr } = check("no-such-part");
  assert.equal(status, 1);
  assert.match(stderr, /No test file matches no-such-part\n +Give a part of a path/);
});
