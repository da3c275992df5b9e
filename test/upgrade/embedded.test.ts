import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { embeddedConnection, startEmbedded } from "../../src/db/embedded.ts";
import { readInstallation, writeInstallation } from "../../src/db/installation-file.ts";
import { type Afara, makeCli } from "../../src/testing/cli.ts";
import { type Gateway, makeDataDir, startGateway } from "../../src/testing/gateway.ts";
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
  const afara = makeCli({ AFARA_DATA_DIR: data.dir, AFARA_CONFIG: path });
  const check = await afara(["ledger", "check"]);
  assert.equal(check.code, 0, check.out + check.err);
  await provesItsPeople(gateway, afara);
  assert.equal(await gateway.stop(), 0);
});

/** An account of before had keys and no people. Its owner enters by the printed link, and others are invited. */
async function provesItsPeople(gateway: Gateway, afara: Afara): Promise<void> {
  const link = /Portal: (\S+)/.exec(gateway.output())?.[1];
  assert.ok(link, gateway.output());
  const entered = await fetch(link, { redirect: "manual", headers: { "sec-fetch-site": "none" } });
  const cookie = entered.headers.getSetCookie().map((one) => one.split(";")[0]);
  const session = await fetch(new URL("/portal/api/session", link), {
    headers: { cookie: cookie.join("; "), "sec-fetch-site": "same-origin" },
  });
  const { accounts } = (await session.json()) as { accounts: readonly { id: string; role: string }[] };
  const [own] = accounts;
  assert.deepEqual([accounts.length, own?.role], [1, "owner"]);
  const invited = await afara([
    ...["members", "invite", "--account", own?.id ?? "", "--email", "ada@example.ng", "--role", "finance"],
  ]);
  assert.equal(invited.code, 0, invited.out + invited.err);
  const { out } = await afara(["members", "list", "--account", own?.id ?? ""]);
  assert.match(out, /ada@example\.ng/);
}
