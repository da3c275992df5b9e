import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { makeRig } from "../testing/http-rig.ts";
import { waitFor } from "../testing/wait-for.ts";

const STALLED_MS = 150;
const CHUNK = Buffer.alloc(256 * 1024, 120);
const CHUNKS = 400;

async function rig(context: TestContext, stalledMs = STALLED_MS) {
  const { app } = await makeRig({ options: { stalledMs } });
  let made = 0;
  app.get("/long", { config: { auth: "public" }, schema: { hide: true } }, (_request, reply) =>
    reply.send(
      Readable.from(
        (function* () {
          for (; made < CHUNKS; made += 1) yield CHUNK;
        })(),
      ),
    ),
  );
  let answer: (() => void) | undefined;
  app.get("/late", { config: { auth: "public" }, schema: { hide: true } }, async () => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return { late: true };
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  context.after(async () => {
    socket.destroy();
    await app.close();
  });
  await once(socket, "connect");
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
  const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
  return { socket, ask, connections, made: () => made, answer: () => answer };
}

test("a caller who reads nothing of a long answer loses its connection, and the answer is not made to its end", async (context) => {
  const { ask, connections, made } = await rig(context);
  ask("/long");
  await waitFor("the beginning", () => made() > 0);
  await waitFor("the end of the connection", async () => (await connections()) === 0);
  assert.ok(made() < CHUNKS);
});

test("a caller who reads, however long it takes, gets all of it", async (context) => {
  const { socket, ask, made } = await rig(context, 1_000); // a busy machine may pause the reader as well
  let read = 0;
  socket.on("data", (chunk) => {
    read += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 1);
  });
  ask("/long");
  await waitFor("all of it", () => read >= CHUNKS * CHUNK.length);
  assert.equal(made(), CHUNKS);
});

test("an answer that takes longer to be made than that is waited for", async (context) => {
  const { socket, ask, answer } = await rig(context);
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk.toString();
  });
  ask("/late");
  await waitFor("the request", () => answer() !== undefined);
  await new Promise((resolve) => setTimeout(resolve, 4 * STALLED_MS)); // the time itself is what is tested
  answer()!();
  await waitFor("the answer", () => heard.includes('{"late":true}'));
});
