import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDataDir, startGateway } from "../../src/testing/gateway.ts";
import { startOwnPostgres } from "./postgres.ts";

test("a gateway whose database is away ends in order when it is asked to", async (t) => {
  const postgres = await startOwnPostgres();
  t.after(() => postgres.stop());
  const data = await makeDataDir();
  t.after(data.remove);
  const gateway = await startGateway({ dataDir: data.dir, environment: { DATABASE_URL: postgres.url } });
  await postgres.kill();
  assert.equal(await gateway.stop(), 0);
  await postgres.restart();
});
