import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { endWithFile } from "../../src/testing/end-with-file.ts";
import { orderFaults, Receiver } from "../../src/testing/receiver.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { feedPage } from "./event-feed.ts";
import { phone, startRig } from "./rig.ts";

/** `./afara listen` as a developer runs it, in a process of its own. */
const rig = await startRig();
const MAIN = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");
const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD8Gl5WkTxQaY=";

function listen(args: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, "listen", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  endWithFile(child);
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk));
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  return {
    lines: () => out.split("\n").filter((line) => line !== ""),
    told: () => err,
    ended,
    connected: (times = 1) => waitFor("a connection", () => err.split("Connected").length > times),
    interrupt: async () => {
      child.kill("SIGINT");
      return ended;
    },
  };
}

/** What a developer's connection goes through: it can be cut. */
async function startProxy() {
  const target = Number(new URL(rig.gateway.base).port);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  after(() => {
    cut();
    server.close();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut };
}

const accessOf = (key: string, base = rig.gateway.base) => ["--key", key, "--url", base];

test("a message's events are posted to the developer's machine in order, signed, byte for byte as in the feed", async () => {
  const subscriber = await rig.subscriber();
  const receiver = await Receiver.start();
  const run = listen([...accessOf(subscriber.key), "--forward", receiver.url, "--secret", SECRET]);
  await run.connected();
  const { id } = await subscriber.send({ to: phone(1), message: "Hello" });
  await waitFor("two lines", () => run.lines().length === 2);
  assert.equal(await run.interrupt(), 0);

  assert.deepEqual(orderFaults(receiver.events), []);
  const verifier = new Webhook(SECRET);
  for (const { body, headers } of receiver.events) verifier.verify(body, headers as Record<string, string>);
  const { data } = await feedPage(subscriber);
  assert.deepEqual(
    receiver.events.map(({ body }) => JSON.parse(body.toString())),
    data,
  );
  const [sent = "", delivered = ""] = run.lines();
  assert.match(sent, new RegExp(`^\\S+Z  sms\\.sent +${id} #1  → 204, \\d+ ms$`));
  assert.match(delivered, new RegExp(`^\\S+Z  sms\\.delivered +${id} #2  → 204, \\d+ ms$`));
  assert.match(run.told(), /: test events are shown[\s\S]*\n2 events, 0 of them not taken\.\n/);
});

test("a broken connection is made again, and what happened meanwhile is heard once and in order", async () => {
  const subscriber = await rig.subscriber();
  const proxy = await startProxy();
  const run = listen([...accessOf(subscriber.key, proxy.base), "--json", "--type", "sms.*"]);
  await run.connected();
  const first = await subscriber.send({ to: phone(2), message: "One" });
  await waitFor("its events", () => run.lines().length === 2);
  proxy.cut();
  await waitFor("the news of it", () => run.told().includes("The connection ended. Trying again in 1 s"));
  const second = await subscriber.send({ to: phone(3), message: "Two" });
  await subscriber.ended(second.id);
  await waitFor("what it missed", () => run.lines().length === 4);
  assert.equal(await run.interrupt(), 0);
  const heard = run.lines().map((line) => JSON.parse(line) as { type: string; data: { object: { id: string } } });
  assert.deepEqual(
    heard.map(({ type, data }) => [data.object.id, type]),
    [first, second].flatMap(({ id }) => [
      [id, "sms.sent"],
      [id, "sms.delivered"],
    ]),
  );
});

test("what the developer's server did not take is named at the end, with the cursor from which it comes again", async () => {
  const subscriber = await rig.subscriber();
  const receiver = await Receiver.start();
  let isBroken = true;
  receiver.answer = () => (isBroken ? 500 : 204);
  const run = listen([...accessOf(subscriber.key), "--forward", receiver.url]);
  await run.connected();
  await subscriber.send({ to: phone(4), message: "Hello" });
  await waitFor("two lines", () => run.lines().length === 2);
  await run.interrupt();
  assert.match(run.lines()[1]!, /→ 500: answer 2xx to take it$/);
  const [, cursor] = /2 events, 2 of them not taken\.\nTo go on from before the first of those: --after (\S+)\n/.exec(
    run.told(),
  )!;
  isBroken = false;
  const next = listen([...accessOf(subscriber.key), "--forward", receiver.url, "--after", cursor!]);
  await waitFor("the missing ones", () => next.lines().length === 2);
  await next.interrupt();
  assert.deepEqual(
    receiver.events.map(({ type }) => type),
    ["sms.sent", "sms.delivered"],
  );
});

test("whoever can't listen is told why in one line, with exit code 2 and without the key", async () => {
  const stranger = createHttpServer((_, response) => response.end("<html>")).listen(0, "127.0.0.1");
  after(() => stranger.close());
  await new Promise((done) => stranger.once("listening", done));
  const other = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
  const unknown = "afara_test_0123456789ABCDEFGHIJabcdefghij29pf73";
  const { key } = rig.local;
  for (const [args, reason] of [
    [accessOf(unknown), /That key is incomplete or malformed/],
    [[...accessOf(key), "--after", "nothing"], /^invalid_cursor: /m],
    [[...accessOf(key), "--type", "sms"], /^validation_failed: `type`/m],
    [accessOf(key, other), /is no Afara gateway: it answered 200 without a stream of events/],
    [accessOf(key, "http://127.0.0.1:1"), /No gateway answers at http:\/\/127\.0\.0\.1:1\. Start it with npm start/],
    [accessOf(key, "nowhere"), /--url nowhere is not an address/],
    [[...accessOf(key), "--forward", "ftp://a"], /--forward can't be posted to\. It is not an address/],
    [[...accessOf(key), "--secret", "whsec_short"], /--secret is not a webhook's secret/],
  ] as const) {
    const run = listen(args);
    assert.equal(await run.ended, 2, run.told());
    assert.match(run.told(), reason);
    assert.ok(!run.told().includes(args[1]!), "the key is not printed");
  }
});
