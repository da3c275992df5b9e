import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../db/database.ts";
import type { LogLine } from "../testing/http-rig.ts";
import { StandingClock } from "../testing/http-rig.ts";
import { makeReports } from "./reports.ts";

test("a thousand callbacks about attempts that are none of ours take one connection, one look each reference, and few lines", async () => {
  let open = 0;
  let most = 0;
  let looks = 0;
  const db = {
    async transact() {
      open += 1;
      looks += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return [{ met: "unknown" }];
    },
  } as unknown as Database;
  const lines: LogLine[] = [];
  const write = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
  const log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  const reports = makeReports({ db, clock: new StandingClock(), log, services: new Map(), recorder: {} as never });
  const floods = Array.from({ length: 1_000 }, (_, index) => reports.hint("vendor", `made up ${index % 200}`));
  await Promise.all(floods);
  await reports.idle();
  assert.equal(most, 1);
  assert.ok(looks <= 800, `${looks} looks`); // one a batch for each of 200
  assert.ok(lines.length > 0 && lines.length <= 10, `${lines.length} lines`);
});
