import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { makeRig } from "../testing/http-rig.ts";
import { waitFor } from "../testing/wait-for.ts";
import { drain } from "./drain.ts";

test("a node is alive without asking anything, and ready when every check passes", async () => {
  let isUp = true;
  const { app } = await makeRig({
    options: { readiness: { checks: { database: async () => isUp, migrations: async () => true } } },
  });
  assert.deepEqual((await app.inject("/readyz")).json(), { status: "ready" });
  isUp = false;
  const answer = await app.inject("/readyz");
  assert.equal(answer.statusCode, 503);
  assert.deepEqual(answer.json(), { status: "not_ready", failing: ["database"] });
  assert.equal((await app.inject("/livez")).statusCode, 200);
});

test("a check that throws or does not answer within a second counts as failed", async () => {
  const checks = { broken: () => Promise.reject(new Error("away")), silent: () => new Promise<boolean>(() => {}) };
  const { app } = await makeRig({ options: { readiness: { checks } } });
  assert.deepEqual((await app.inject("/readyz")).json().failing, ["broken", "silent"]);
});

/** A server with a route that answers when it is told to. */
async function listen(t: TestContext) {
  const { app } = await makeRig();
  const begun = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  t.after(() => {
    finished.resolve();
    app.server.closeAllConnections();
    return app.close();
  });
  app.get("/slow", { config: { auth: "public" } }, async () => {
    begun.resolve();
    await finished.promise;
    return { done: true };
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const isClosing = () => waitFor("the server to take no new connection", () => !app.server.listening);
  return { app, origin: app.listeningOrigin, hasBegun: begun.promise, finish: finished.resolve, isClosing };
}

test("a request that was read is answered while the server stops, and tells its client to go elsewhere", async (t) => {
  const { app, origin, hasBegun, finish, isClosing } = await listen(t);
  const agent = new Agent({ keepAlive: true });
  const ask = async (path: string): Promise<IncomingMessage> => {
    const sent = request(origin + path, { agent });
    sent.end();
    const [answer]: IncomingMessage[] = await once(sent, "response");
    assert.ok(answer);
    answer.resume();
    return answer;
  };

  const before = await ask("/livez");
  assert.equal(before.headers.connection, "keep-alive");
  const slow = ask("/slow");
  await hasBegun;

  const stopped = drain(app, 0.3);
  assert.equal(drain(app, 0.3), stopped, "a second signal waits for the same stop");
  const during = await ask("/readyz");
  assert.equal(during.statusCode, 503);
  assert.deepEqual([during.headers.connection], ["close"]);

  await isClosing();
  finish();
  assert.equal((await slow).statusCode, 200);
  await stopped;
  agent.destroy(); // so that the next request needs a connection of its own
  await assert.rejects(ask("/livez"), { code: "ECONNREFUSED" });
});

test("an answer that was under way at the signal ends its connection", async (t) => {
  const { app, origin, hasBegun, finish } = await listen(t);
  const agent = new Agent({ keepAlive: true });
  const slow = once(request(`${origin}/slow`, { agent }).end(), "response");
  await hasBegun;
  const stopped = drain(app, 0);
  finish();
  const [answer]: IncomingMessage[] = await slow;
  answer?.resume();
  assert.deepEqual([answer?.statusCode, answer?.headers.connection], [200, "close"]);
  await stopped;
});

test("a request that was read behind another on the same connection is answered too", async (t) => {
  const { app, origin, hasBegun, finish } = await listen(t);
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  const heard = text(socket);
  socket.write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /services HTTP/1.1\r\nHost: a\r\n\r\n");
  await hasBegun;
  const stopped = drain(app, 0);
  finish();
  const statuses = [...(await heard).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  assert.deepEqual(statuses, ["200", "200"]);
  await stopped;
});

test("no connection is reset while callers at work go on until they are told to end it", async (t) => {
  const { app, origin } = await listen(t);
  const failures: unknown[] = [];
  let answered = 0;
  async function caller(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      const sent = request(`${origin}/services`, { agent }).end();
      try {
        const [answer]: IncomingMessage[] = await once(sent, "response");
        if (answer) await text(answer);
        answered += 1;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ECONNREFUSED") failures.push(error);
        agent.destroy();
        return;
      }
    }
  }
  const callers = Array.from({ length: 30 }, caller);
  await waitFor("callers at work", () => answered > 300);
  await drain(app, 0);
  await Promise.all(callers);
  assert.deepEqual(failures, []);
});
