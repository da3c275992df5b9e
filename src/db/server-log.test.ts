import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { lengthOf, spaceText, startFailure } from "./server-log.ts";

const directory = mkdtempSync(join(tmpdir(), "afara-server-log-"));
after(() => rmSync(directory, { recursive: true }));
const log = join(directory, "server.log");

test("why the server did not start is what the log says of this start, else what pg_ctl says", () => {
  assert.match(
    startFailure(log, lengthOf(log), "pg_ctl: could not start server\n"),
    /:\npg_ctl: could not start server/,
  );
  writeFileSync(log, "FATAL:  of an earlier start\n");
  const earlier = lengthOf(log);
  assert.match(startFailure(log, earlier, "pg_ctl: could not start server"), /:\npg_ctl: could not start server/);
  writeFileSync(log, "FATAL:  of this one\n", { flag: "a" });
  const text = startFailure(log, earlier, "pg_ctl: could not start server");
  assert.match(text, /:\nFATAL: {2}of this one/);
  assert.doesNotMatch(text, /earlier/);
});

test("a full volume is named, with what is left on it", () => {
  assert.equal(spaceText("/data", 33 * 1024 * 1024), "");
  assert.match(spaceText("/data", 4_096), /^\nThe volume of \/data is full: 4 kB are free \(ENOSPC\)/);
});
