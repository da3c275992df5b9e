import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ScriptedSmsc } from "../../src/providers/smpp/scripted-smsc.ts";
import { makeTestAccount } from "../../src/testing/account.ts";
import { makeTestDatabase } from "../../src/testing/database.ts";
import { type Gateway, startGateway } from "../../src/testing/gateway.ts";
import { ledgerFindings } from "../../src/testing/ledger-findings.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { phone } from "../e2e/rig.ts";

/** Large bulks and strangers' bodies at once on two nodes of one database, in live mode, with an SMSC of somebody else's. */

const SECRET = "a secret that both nodes of the test share";
const BULKS = 6;
/** One part each, some 85 kB together: large work. */
const RECIPIENTS = 400;
const STRANGERS = 12;

const dir = await mkdtemp(join(tmpdir(), "afara-two-live-"));
const smsc = await ScriptedSmsc.listen();
const database = await makeTestDatabase();
const db = database.open();
const config = await writeTestConfig(dir, (file) => ({
  ...file,
  simulators: { smsc: { start: false }, vendors: { start: false } },
  services: { ...file.services, sms: { ...file.services.sms!, approvedSenders: ["Afara"] } },
  providers: {
    "whatsapp-simulator": file.providers["whatsapp-simulator"]!,
    carrier: {
      adapter: "smpp",
      settings: {
        host: "127.0.0.1",
        port: smsc.port,
        systemId: "afara",
        password: "afara",
        // Whoever shares this machine may keep it from answering for long, and what is not answered may go again.
        responseTimeoutMs: 60_000,
      },
    },
  },
  routes: [
    { provider: "carrier", service: "sms", modes: ["live"], window: 100, ratePerSecond: 5_000 },
    { provider: "whatsapp-simulator", service: "chat", modes: ["test"], window: 10, ratePerSecond: 10 },
  ],
}));
const nodes = await Promise.all(
  ["first", "second"].map((name) =>
    startGateway({
      dataDir: join(dir, name),
      environment: { DATABASE_URL: database.url, AFARA_CONFIG: config.path, AFARA_SECRET: SECRET },
    }),
  ),
);
const nodeAt = (index: number): Gateway => nodes[index % 2]!;
const sockets: Socket[] = [];

after(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(nodes.map((node) => node.stop()));
  await smsc.close();
  await rm(dir, { recursive: true, force: true });
});

const liveAccount = () => makeTestAccount(db, { secret: SECRET, plan: "scale", mode: "live", balance: "1000000.00" });
const textOf = (name: string) => `${name} `.padEnd(150, "x");

/** The status, and how many messages were accepted. */
function post(node: Gateway, key: string, body: string): Promise<{ status: number; accepted: number }> {
  const headers = { "x-api-key": key, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(`${node.base}/sms/bulk`, { method: "POST", agent: false, headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const told = JSON.parse(Buffer.concat(chunks).toString()) as { accepted?: number };
      resolve({ status: answer.statusCode ?? 0, accepted: told.accepted ?? 0 });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A callback that is never finished, under a signature that nobody has looked at yet. */
async function beginCallback(node: Gateway): Promise<void> {
  const socket = connect(Number(new URL(node.base).port), "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined).resume();
  await once(socket, "connect");
  const part = Buffer.alloc(2.9 * 1024 * 1024, 32);
  socket.write(
    `POST /callbacks/whatsapp-simulator HTTP/1.1\r\nhost: a\r\nx-hub-signature-256: sha256=00\r\ncontent-length: ${part.length + 1}\r\n\r\n`,
  );
  socket.write(part);
}

/** How often each text came over the wire. */
function submits(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { short_message: text } of smsc.received("submit_sm")) {
    const [name = ""] = text.toString("latin1").split(" ");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

test("each accepted message of bulks and bystanders is submitted once, however two nodes share the load with strangers", async () => {
  const [busy, bystander] = [await liveAccount(), await liveAccount()];
  await Promise.all(Array.from({ length: STRANGERS }, (_, index) => beginCallback(nodeAt(index))));
  let answered = 0;
  const bulks = Array.from({ length: BULKS }, async (_, bulk) => {
    const messages = Array.from({ length: RECIPIENTS }, (_, index) => ({
      to: phone(bulk * RECIPIENTS + index),
      message: textOf(`bulk-${bulk}-${index}`),
    }));
    const answer = await post(nodeAt(bulk), busy.key, JSON.stringify({ from: "Afara", messages }));
    answered += 1;
    return answer;
  });
  const expected = new Set<string>();
  for (let index = 0; answered < BULKS; index += 1) {
    const body = { to: phone(500_000 + index), from: "Afara", message: textOf(`single-${index}`) };
    const { status, body: told } = await nodeAt(index).call<object>("POST", "/sms/send", body, {
      "x-api-key": bystander.key,
    });
    assert.equal(status, 202, JSON.stringify(told));
    expected.add(`single-${index}`);
  }
  const singles = expected.size;
  for (const [bulk, { status, accepted }] of (await Promise.all(bulks)).entries()) {
    assert.ok([202, 429, 503].includes(status), `${status}`);
    assert.equal(accepted, status === 202 ? RECIPIENTS : 0);
    for (let index = 0; index < accepted; index += 1) expected.add(`bulk-${bulk}-${index}`);
  }
  assert.ok(expected.size >= RECIPIENTS + singles, "a bulk was accepted");
  assert.ok(singles > 0);
  await waitFor("every message at the SMSC", () => submits().size >= expected.size);
  await waitFor("every answer to be recorded", async () => {
    const { rows } = await db.query("select 1 from orders where state in ('queued', 'sending', 'scheduled') limit 1");
    return rows.length === 0;
  });
  const seen = submits();
  assert.deepEqual(
    [...seen].filter(([name, count]) => count !== 1 || !expected.has(name)),
    [],
  );
  assert.equal(seen.size, expected.size);
  const submitting = smsc.open.filter(({ received }) => received.some(({ command }) => command === "submit_sm"));
  assert.ok(submitting.length >= 2, "both nodes submit");
});

test("after this the ledger's proof finds nothing", async () => {
  assert.deepEqual(await ledgerFindings(database.connection), []);
});
