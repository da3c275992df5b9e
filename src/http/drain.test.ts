import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { test } from "node:test";
import { makeRig } from "../testing/http-rig.ts";
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

test("a request that was read is answered while the server stops, and tells its client to go elsewhere", async (t) => {
  const rig = await makeRig();
  t.after(() => rig.app.close());
  let finish = () => {};
  const isFinished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let begin = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  rig.app.get("/slow", { config: { auth: "public" } }, async () => {
    begin();
    await isFinished;
    return { done: true };
  });
  await rig.app.listen({ host: "127.0.0.1", port: 0 });
  const origin = rig.app.listeningOrigin;
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

  const stopped = drain(rig.app, 0.3);
  assert.equal(drain(rig.app, 0.3), stopped, "a second signal waits for the same stop");
  const during = await ask("/readyz");
  assert.equal(during.statusCode, 503);
  assert.equal(during.headers.connection, "close");

  while (rig.app.server.listening)
    await once(rig.app.server, "close", { signal: AbortSignal.timeout(50) }).catch(() => {});
  finish();
  assert.equal((await slow).statusCode, 200);
  await stopped;
  agent.destroy(); // so that the next request needs a connection of its own
  await assert.rejects(ask("/livez"), { code: "ECONNREFUSED" });
});
