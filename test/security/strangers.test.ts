import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, test } from "node:test";
import { callbackRoutes } from "../../src/http/callbacks.ts";
import type { CallbackRequest } from "../../src/ports/provider.ts";
import { makeRig } from "../../src/testing/http-rig.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

/** Callers who have proven nothing, on real sockets: what they can make the gateway hold, and what is told before their body. */

const MIB = 1024 * 1024;
const { app, key } = await makeRig();
const heard: CallbackRequest[] = [];
const say = (status: number) => ({ status, contentType: "application/json", body: "{}" });
const signed = {
  callbackGate: {
    bytesMax: 3 * MIB,
    look: ({ headers }: Pick<CallbackRequest, "headers">) => (headers["x-signature"] ? undefined : say(401)),
  },
  async callback(request: CallbackRequest) {
    heard.push(request);
    return say(200);
  },
};
const small = { ...signed, callbackGate: { bytesMax: 1_000 } };
callbackRoutes(app, new Map(Object.entries({ signed, small, silent: {} })));
await app.listen({ host: "127.0.0.1", port: 0 });
const { port } = app.server.address() as { port: number };
const sockets: Socket[] = [];
after(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** Sends the head and part of the body, and leaves it at that. `heard` is what comes back meanwhile. */
async function begin(
  path: string,
  headers: Readonly<Record<string, string>>,
  announced: number,
  sent: Buffer | string,
) {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const lines = Object.entries({ host: "a", "content-length": String(announced), ...headers });
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
  socket.write(sent);
  return { socket, heard: () => text };
}

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);

/** What is answered to a body of which not a byte has come. */
const BEFORE_THE_BODY: readonly (readonly [
  what: string,
  path: string,
  headers: Record<string, string>,
  status: number,
])[] = [
  ["a vendor that does not exist", "/callbacks/nobody", {}, 404],
  ["a vendor that does not call back", "/callbacks/silent/x", {}, 404],
  ["a call without the vendor's signature", "/callbacks/signed", {}, 401],
  ["a body larger than the vendor's own limit", "/callbacks/small", {}, 413],
  ["an endpoint that does not exist", "/nowhere", {}, 404],
  ["a send without a key", "/sms/send", {}, 401],
  ["a send with a key of the wrong form", "/sms/send", { "x-api-key": "afara_test_x" }, 401],
  [
    "a send with a key that does not exist",
    "/sms/send",
    { "x-api-key": "afara_test_0123456789ABCDEFGHIJabcdefghij29pf72" },
    401,
  ],
  ["a bulk without a key", "/sms/bulk", {}, 401],
];

/** Announced to be no longer than this, a refused body is dropped, and the connection can be used again. */
const KEPT_BYTES = 64 * 1024;

// One that is over its limit is not read on, however little it is.
for (const [what, path, headers, status] of BEFORE_THE_BODY.filter(([, , , code]) => code !== 413))
  test(`${what} is answered with ${status} before the body comes`, async () => {
    const caller = await begin(path, { "content-type": "application/json", ...headers }, KEPT_BYTES, "");
    await waitFor("the answer", () => caller.heard().includes("\r\n\r\n"));
    assert.equal(statusOf(caller.heard()), status);
    assert.equal(app.edge.strangers.held, 0);
    // Whoever goes on sending is not reset, and may ask again on the same connection.
    caller.socket.write(Buffer.alloc(KEPT_BYTES, 32));
    caller.socket.write("GET /services HTTP/1.1\r\nhost: a\r\n\r\n");
    await waitFor("the second answer", () => caller.heard().split("HTTP/1.1 ").length === 3);
    assert.match(caller.heard(), /HTTP\/1\.1 200 /);
    caller.socket.destroy();
  });

for (const [what, path, headers, status] of BEFORE_THE_BODY)
  test(`${what} is answered with ${status} before a large body comes, and its connection is ended behind that`, async () => {
    const caller = await begin(path, { "content-type": "application/json", ...headers }, 200_000, "");
    const ended = once(caller.socket, "end");
    await ended;
    assert.equal(statusOf(caller.heard()), status);
    assert.match(caller.heard(), /connection: close/i);
    assert.equal(app.edge.strangers.held, 0);
    caller.socket.destroy();
  });

test("unfinished callbacks by the dozen hold no more than one address may, and a whole one passes among them", async () => {
  const part = Buffer.alloc(2.9 * MIB, 32);
  let most = 0;
  for (let count = 0; count < 30; count += 1) {
    await begin("/callbacks/signed", { "x-signature": "forged" }, part.length + 1, part);
    most = Math.max(most, app.edge.strangers.held);
  }
  await waitFor("those that gave way", () => {
    most = Math.max(most, app.edge.strangers.held);
    return sockets.length > 0 && app.edge.strangers.held > 10 * MIB;
  });
  const before = heard.length;
  const answer = await fetch(`http://127.0.0.1:${port}/callbacks/signed`, {
    method: "POST",
    headers: { "x-signature": "good" },
    body: Buffer.alloc(2 * MIB, 32),
  });
  assert.equal(answer.status, 200);
  assert.deepEqual([heard.length - before, heard.at(-1)?.body.length], [1, 2 * MIB]);
  assert.ok(most <= 16 * MIB, `${most} bytes`);
  for (const socket of sockets.splice(0)) socket.destroy();
  await waitFor("all room to be free", () => app.edge.strangers.held === 0);
});

test("callers without a key who begin small bodies and never end them hold no more than that", async () => {
  const callers = [];
  for (let count = 0; count < 50; count += 1)
    callers.push(await begin("/sms/send", { "content-type": "application/json" }, 16_000, Buffer.alloc(15_000, 32)));
  await waitFor("the bytes", () => app.edge.strangers.held === 50 * 15_000);
  const answer = await fetch(`http://127.0.0.1:${port}/sms/send`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify({ to: "+2348031234567", message: "x" }),
  });
  assert.equal(answer.status, 202);
  for (const { socket } of callers) socket.destroy();
  await waitFor("all room to be free", () => app.edge.strangers.held === 0);
});
