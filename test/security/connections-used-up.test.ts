import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { startEmbedded } from "../../src/db/embedded.ts";
import { decodeId } from "../../src/kernel/ids.ts";
import { readSmscLog } from "../../src/simulators/smsc/log.ts";
import { makeDataDir, startGateway } from "../../src/testing/gateway.ts";
import { ledgerFindings } from "../../src/testing/ledger-findings.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { type Problem, phone } from "../e2e/rig.ts";

/** Others use up the connections that the database server gives, while the gateway runs on a server of its own. */

const CONNECTIONS = 30;
const data = await makeDataDir();
const serverDir = join(data.dir, "server");
await mkdir(serverDir, { mode: 0o755 });
const quiet = { progress: () => undefined };
const before = await startEmbedded(serverDir, quiet);
await ask(before.connection, `alter system set max_connections = ${CONNECTIONS}`);
await before.stop();
const server = await startEmbedded(serverDir, quiet);
const { host, port, user, database } = server.connection;
const config = await writeTestConfig(data.dir);
const gateway = await startGateway({
  dataDir: data.dir,
  environment: {
    DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`,
    AFARA_CONFIG: config.path,
  },
});
const others: pg.Client[] = [];
const leave = () => Promise.all(others.splice(0).map((client) => client.end()));

after(async () => {
  await leave();
  await gateway.stop();
  await server.stop();
  await data.remove();
});

async function ask(connection: pg.ClientConfig, text: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(text);
  await client.end();
}

/** Every connection that can be had. */
async function takeAll(): Promise<void> {
  for (;;) {
    const client = new pg.Client(server.connection);
    client.on("error", () => undefined);
    try {
      await client.connect();
    } catch (error) {
      assert.equal((error as { code?: string }).code, "53300");
      return;
    }
    others.push(client);
  }
}

const readyz = async () => {
  const answer = await fetch(`${gateway.base}/readyz`);
  return { status: answer.status, body: (await answer.json()) as { failing?: readonly string[] } };
};
const accepted: string[] = [];
let sends = 0;

/** Sends at once; each is accepted or refused as documented. Gives how many were refused. */
async function send(count: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      gateway.call<Problem & { id: string }>("POST", "/sms/send", {
        to: phone(sends++),
        message: "Your code is 4471",
        on_ambiguous: "fail",
      }),
    ),
  );
  let refused = 0;
  for (const { status, headers, body } of answers) {
    if (status === 202) accepted.push(body.id);
    else {
      refused += 1;
      assert.deepEqual([status, body.code, body.retryable], [503, "database_unavailable", true], JSON.stringify(body));
      assert.match(headers.get("retry-after") ?? "", /^\d+$/);
      assert.equal(body.order_id, undefined, "nothing was accepted");
    }
  }
  return refused;
}

test("with what it has the gateway goes on while others take every other connection", async () => {
  await send(40);
  await takeAll();
  assert.ok(others.length > 0);
  for (let round = 0; round < 5; round += 1) await send(20);
  await waitFor("a node that is ready", async () => (await readyz()).status === 200);
  assert.ok(accepted.length > 40);
});

test("without any connection left it says so, and is back by itself once there is one", async () => {
  const [client] = others;
  // What it had is taken from it, and by others before it can connect again.
  await waitFor("a gateway without connections", async () => {
    await client!.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where backend_type = 'client backend' and pid <> all($1::int[])`,
      [others.map((other) => (other as unknown as { processID: number }).processID)],
    );
    await takeAll();
    return others.length >= CONNECTIONS;
  });
  assert.equal(await send(10), 10);
  const { status, body } = await readyz();
  assert.equal(status, 503);
  assert.ok(body.failing?.includes("database"), JSON.stringify(body));
  await leave();
  await waitFor("a node that is ready", async () => (await readyz()).status === 200);
  await waitFor("an acceptance", async () => (await send(1)) === 0);
});

test("each accepted message was submitted once, no other was, and the ledger's proof finds nothing", async () => {
  await waitFor("their ends", async () => {
    const states = await Promise.all(accepted.map((id) => gateway.call("GET", `/sms/status/${id}`)));
    return states.every(({ status, body }) => status === 200 && body.status === "delivered");
  });
  const submitted: (string | undefined)[] = [];
  for await (const line of readSmscLog(join(data.dir, "smsc")))
    if (line.kind === "submit") submitted.push(line.trace?.orderId);
  assert.deepEqual(submitted.toSorted(), accepted.map((id) => decodeId("msg", id)).toSorted());
  assert.deepEqual(await ledgerFindings(server.connection), []);
});
