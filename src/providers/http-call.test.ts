import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { after, test } from "node:test";
import { Worker } from "node:worker_threads";
import { freePort } from "../testing/gateway.ts";
import { standStill } from "../testing/smsc-thread.ts";
import { waitFor } from "../testing/wait-for.ts";
import { httpCall, retryAfterOf } from "./http-call.ts";

/** A server that does with each connection what the test says; it counts the bytes that came. */
async function listen(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address);
  return `http://127.0.0.1:${address.port}/`;
}

const call = (url: string, more: { timeoutMs?: number; answerBytesMax?: number } = {}) =>
  httpCall(fetch, { method: "POST", url, body: "{}", timeoutMs: 2_000, ...more });

test("an answer of any status comes back whole", async () => {
  const url = await listen((socket) => socket.end("HTTP/1.1 503 No\r\ncontent-length: 4\r\nx-a: b\r\n\r\nbusy"));
  const outcome = await call(url);
  assert.ok(outcome.kind === "answered");
  assert.deepEqual([outcome.status, outcome.text, outcome.headers.get("x-a")], [503, "busy", "b"]);
});

test("the mark of the byte order before an answer is not part of it; a second one is", async () => {
  const url = await listen((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n\ufeff\ufeff{}"));
  const outcome = await call(url);
  assert.ok(outcome.kind === "answered");
  assert.equal(outcome.text, "\ufeff{}");
});

test("a redirect is not followed", async () => {
  let asked = 0;
  const elsewhere = await listen((socket) => {
    asked += 1;
    socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
  });
  const url = await listen((socket) =>
    socket.end(`HTTP/1.1 307 There\r\nlocation: ${elsewhere}\r\ncontent-length: 0\r\n\r\n`),
  );
  const outcome = await call(url);
  assert.ok(outcome.kind === "answered");
  assert.equal(outcome.status, 307);
  assert.equal(asked, 0);
});

test("a port where nobody listens is certain: nothing was sent", async () => {
  const outcome = await call(`http://127.0.0.1:${await freePort()}/`);
  assert.deepEqual(outcome, { kind: "not_sent", detail: "ECONNREFUSED" });
});

test("a host that has no address is certain: nothing was sent", async () => {
  assert.equal((await call("http://nowhere.invalid/")).kind, "not_sent");
});

const UNCLEAR: readonly [name: string, answer: (socket: Socket) => void][] = [
  ["silence", () => undefined],
  ["a hang-up without an answer", (socket) => socket.destroy()],
  ["an answer that ends in its middle", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{")],
  ["an answer that never ends", (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{")],
  ["something that is not HTTP", (socket) => socket.end("220 smtp\r\n")],
];
for (const [name, answer] of UNCLEAR)
  test(`after ${name} nobody knows`, async () => {
    assert.equal((await call(await listen(answer), { timeoutMs: 300 })).kind, "unknown");
  });

test("an answer without end is given up at the bound, long before the time is over", async () => {
  const url = await listen((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n");
    const pour = () => {
      while (!socket.destroyed && socket.write("x".repeat(10_000)));
    };
    socket.on("drain", pour);
    pour();
  });
  const outcome = await call(url, { timeoutMs: 10_000, answerBytesMax: 50_000 });
  assert.ok(outcome.kind === "unknown");
  assert.equal(outcome.detail, "the answer is longer than 50000 bytes");
  assert.ok(outcome.part && outcome.part.text.length > 0 && outcome.part.text.length <= 64 * 1024);
});

for (const [name, end] of [
  ["that breaks off", (socket: Socket) => socket.end()],
  ["that stalls", () => undefined],
] as const)
  test(`of an answer ${name} is kept what came of it`, async () => {
    const url = await listen((socket) => {
      socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 99\r\n\r\n{"transactionId":55');
      end(socket);
    });
    const outcome = await call(url, { timeoutMs: 1_000 });
    assert.ok(outcome.kind === "unknown");
    assert.deepEqual(outcome.part, { status: 202, text: '{"transactionId":55' });
  });

for (const [when, hasLeft] of [
  ["while its answer was on its way", true],
  ["before it could leave", false],
] as const)
  test(`a stall of our own is not the vendor's silence: ${when}`, async (t) => {
    const came = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(
      `const { createServer } = require("node:http"); const { parentPort, workerData } = require("node:worker_threads");
       const came = workerData;
       const server = createServer((request, response) => {
         Atomics.add(came, 0, 1);
         setTimeout(() => response.end(JSON.stringify({ code: "000", padding: "x".repeat(200_000) })), 150);
       });
       server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
      { eval: true, workerData: came },
    );
    t.after(() => worker.terminate());
    const [port] = (await once(worker, "message")) as [number];
    const outcome = call(`http://127.0.0.1:${port}/`, { timeoutMs: 600 });
    if (hasLeft) await waitFor("the request's arrival", () => Atomics.load(came, 0) === 1);
    await standStill(1_500);
    const said = await outcome;
    assert.ok(said.kind === "answered", JSON.stringify(said));
    assert.equal(JSON.parse(said.text).code, "000");
  });

for (const [told, ms] of [
  ["120", 120_000],
  ["0", 0],
  ["Fri, 27 Nov 2026 09:00:30 GMT", 30_000],
  ["Fri, 27 Nov 2026 08:00:00 GMT", 0],
  ["-5", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["", undefined],
] as const)
  test(`Retry-After: ${told} asks for ${ms} ms`, () => {
    assert.equal(retryAfterOf(new Headers({ "retry-after": told }), new Date("2026-11-27T09:00:00Z")), ms);
  });

test("without Retry-After nothing is asked for", () => {
  assert.equal(retryAfterOf(new Headers(), new Date(0)), undefined);
});
