import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { makeRig } from "../testing/http-rig.ts";
import { waitFor } from "../testing/wait-for.ts";
import { callbackRoutes } from "./callbacks.ts";

const MIB = 1024 * 1024;

async function rig(context: TestContext, options: { requestTimeoutSeconds?: number } = {}) {
  const { app, key } = await makeRig({ options });
  const acme = { callback: async () => ({ status: 200, contentType: "text/plain", body: "OK" }) };
  callbackRoutes(app, new Map([["acme", acme]]));
  const accepted: Socket[] = [];
  app.server.on("connection", (socket) => accepted.push(socket));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as { port: number };
  const open: Socket[] = [];
  context.after(async () => {
    for (const socket of open) socket.destroy();
    await app.close();
  });
  const talk = (text: string) => {
    const socket = connect(port, "127.0.0.1");
    open.push(socket);
    const one = { socket, heard: "", failed: "", ended: false };
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      one.heard += chunk;
    });
    socket.on("error", (error) => {
      one.failed = error.message;
    });
    socket.on("end", () => {
      one.ended = true;
    });
    socket.write(text);
    return one;
  };
  const bytesRead = () => accepted.reduce((sum, socket) => sum + socket.bytesRead, 0);
  return { app, key, talk, bytesRead };
}

const head = (path: string, headers: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`;
const statusesOf = (heard: string) => [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

for (const [path, status] of [
  ["/callbacks/nosuch", 404],
  ["/sms/bulk", 401],
  ["/nowhere", 404],
] as const)
  test(`of a hundred large bodies refused with ${status} at ${path} little is read, and each sender sees why`, async (context) => {
    const { talk, bytesRead } = await rig(context);
    const size = 2_900_000;
    const senders = Array.from({ length: 100 }, () => {
      const one = talk(head(path, `Content-Length: ${size}`));
      one.socket.write(Buffer.alloc(size - 10, 32));
      return one;
    });
    await waitFor("all answers", () => senders.every(({ heard, ended }) => heard.includes('"code"') && ended));
    for (const { heard } of senders) {
      assert.deepEqual(statusesOf(heard), [status]);
      assert.match(heard, /^connection: close/im);
    }
    await Promise.all(senders.map(({ socket }) => socket.closed || once(socket, "close")));
    assert.ok(bytesRead() < 60 * MIB, `${bytesRead()} of ${100 * size} bytes were read`);
  });

test("strangers' bodies that find no room are refused, and a small call passes meanwhile", async (context) => {
  const { talk } = await rig(context);
  const size = 2_900_000;
  const senders = Array.from({ length: 30 }, () => {
    const one = talk(head("/callbacks/acme", `Content-Length: ${size}`));
    one.socket.write(Buffer.alloc(size - 10, 32));
    return one;
  });
  const refused = () => senders.filter(({ heard }) => heard.includes('"overloaded"')).length;
  await waitFor("those without room to be refused", () => refused() >= 20);
  const vendor = talk(`${head("/callbacks/acme", "Content-Length: 2")}{}`);
  await waitFor("a small call", () => vendor.heard.includes("OK"));
});

test("a small refused body leaves its connection usable", async (context) => {
  const { talk } = await rig(context);
  const one = talk(head("/sms/bulk", `Content-Length: ${60 * 1024}`));
  await waitFor("the answer", () => statusesOf(one.heard).length === 1);
  assert.doesNotMatch(one.heard, /^connection: close/im);
  one.socket.write(Buffer.alloc(60 * 1024, 32));
  one.socket.write("GET /services HTTP/1.1\r\nHost: a\r\n\r\n");
  await waitFor("the next answer", () => statusesOf(one.heard).length === 2);
  assert.deepEqual(statusesOf(one.heard), [401, 200]);
});

for (const [name, request] of [
  ["a small body", `${head("/sms/bulk", "Content-Length: 50000")}{`],
  ["a large body", `${head("/sms/bulk", "Content-Length: 500000")}{`],
  ["a chunked body", `${head("/sms/bulk", "Transfer-Encoding: chunked")}5\r\n{`],
  ["a body of nobody's callback", `${head("/callbacks/nosuch", "Content-Length: 50000")}{`],
] as const)
  test(`a request with ${name} that does not come to its end is answered once`, async (context) => {
    const { talk } = await rig(context, { requestTimeoutSeconds: 1 });
    const one = talk(request);
    await waitFor("the end of the connection", () => one.ended || one.failed !== "", 15_000);
    assert.equal(statusesOf(one.heard).length, 1, one.heard);
  });

test("a request that expects 100-continue is refused before its body is asked for, and else asked", async (context) => {
  const { talk, key } = await rig(context);
  const expect = "Expect: 100-continue\r\nContent-Length: ";
  const stranger = talk(head("/sms/send", `${expect}20`));
  const long = talk(head("/sms/send", `X-API-Key: ${key}\r\n${expect}9000000`));
  await waitFor("the refusals", () => stranger.ended && long.ended);
  assert.deepEqual([statusesOf(stranger.heard), statusesOf(long.heard)], [[401], [413]]);
  const body = '{"to":"1","message":"x"}';
  const known = talk(head("/sms/send", `X-API-Key: ${key}\r\n${expect}${body.length}`));
  await waitFor("the word", () => known.heard.includes("100 Continue"));
  known.socket.write(body);
  await waitFor("the answer", () => statusesOf(known.heard).length === 2);
  assert.deepEqual(statusesOf(known.heard), [100, 202]);
});
