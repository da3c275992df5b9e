import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { embeddedConnection, startEmbedded } from "../../src/db/embedded.ts";
import { readInstallation, writeInstallation } from "../../src/db/installation-file.ts";
import { makeCli } from "../../src/testing/cli.ts";
import { makeDataDir, startGateway } from "../../src/testing/gateway.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";
import { loadFixture, withAllVendors } from "./fixture.ts";

/** The same data directory, with its database in it: see fixtures/README.md. */
const data = await makeDataDir("upgrade");
after(() => data.remove());

test("a data directory with the embedded database is upgraded by the program and goes on", async () => {
  const server = await startEmbedded(data.dir, { progress: () => undefined });
  await loadFixture(server.connection, data.dir);
  const file = readInstallation(data.dir);
  assert.ok(file);
  writeInstallation(data.dir, { ...file, ...(server.movedTo !== undefined && { place: server.movedTo }) });
  await server.stop();

  const { path } = await writeTestConfig(data.dir, withAllVendors);
  const gateway = await startGateway({ dataDir: data.dir, environment: { AFARA_CONFIG: path } });
  const client = new pg.Client(await embeddedConnection(data.dir));
  await client.connect();
  const { rows } = await client.query<{ orders: number }>("select count(*)::int as orders from orders");
  const { rows: functions } = await client.query("select 1 from sql_functions");
  await client.end();
  assert.ok((rows[0]?.orders ?? 0) > 0);
  assert.ok(functions.length > 0);
  const { status } = await gateway.call("GET", "/wallet");
  assert.equal(status, 200, "the key of before opens it");
  const check = await makeCli({ AFARA_DATA_DIR: data.dir, AFARA_CONFIG: path })(["ledger", "check"]);
  assert.equal(check.code, 0, check.out + check.err);
  assert.equal(await gateway.stop(), 0);
});
