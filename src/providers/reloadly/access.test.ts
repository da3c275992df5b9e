import assert from "node:assert/strict";
import { test } from "node:test";
import { inAWord, RecordingSink } from "../../testing/purchase-task.ts";
import { reloadlyRig } from "../../testing/reloadly-rig.ts";
import { startStopwatch } from "../../testing/stopwatch.ts";
import { waitFor } from "../../testing/wait-for.ts";

const { client, time, build, taskFor, calls } = await reloadlyRig();
const provider = build();
await provider.start(new RecordingSink());

test("one access token serves many calls at once, and is renewed before it ends", async (t) => {
  t.after(() => client.settings("reloadly", { tokenSeconds: 86_400 }));
  await client.settings("reloadly", { tokenSeconds: 100 });
  let nowMs = 0;
  const clock = { now: () => new Date(), monotonicMs: () => nowMs };
  const fresh = build({ operators: { mtn: 341 } }, { clock });
  const before = (await calls("/oauth/token")).length;
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => fresh.send(taskFor(fresh, "airtime"), 0)));
  assert.deepEqual(new Set(outcomes.map(inAWord)), new Set(["accepted"]));
  assert.equal((await calls("/oauth/token")).length, before + 1);
  nowMs = 79_000;
  await fresh.balance?.();
  assert.equal((await calls("/oauth/token")).length, before + 1);
  nowMs = 81_000;
  await fresh.balance?.();
  await waitFor("a new token", async () => (await calls("/oauth/token")).length === before + 2);
});

test("a top-up is not repeated when the answer that refuses its token speaks of a transaction", async () => {
  let topUps = 0;
  const doubtful: typeof fetch = async (input, init) => {
    if (!String(input).endsWith("/topups-async")) return fetch(input, init);
    topUps += 1;
    return Response.json({ errorCode: "TOKEN_EXPIRED", status: "SUCCESSFUL" }, { status: 401 });
  };
  const fresh = build({ operators: { mtn: 341 } }, { fetch: doubtful });
  assert.equal((await fresh.send(taskFor(fresh, "airtime"), 0)).kind, "unknown");
  assert.equal(topUps, 1);
});

test("a token that the vendor no longer takes is renewed once for all calls, and each call repeated once", async (t) => {
  t.after(() => {
    time.aheadMs = 0;
  });
  const fresh = build({ operators: { mtn: 341 } });
  await fresh.balance?.();
  const before = (await calls("/oauth/token")).length;
  // A day later by the vendor's clock.
  time.aheadMs = 86_401_000;
  const tasks = Array.from({ length: 10 }, () => taskFor(fresh, "airtime"));
  const outcomes = await Promise.all(tasks.map((task) => fresh.send(task, 0)));
  assert.deepEqual(new Set(outcomes.map(inAWord)), new Set(["accepted"]));
  assert.equal((await calls("/oauth/token")).length, before + 1);
  for (const { recipient } of tasks)
    assert.equal((await client.vends("reloadly", { recipient })).length, 1, "vended once");
});

test("a vendor that refuses every token is our trouble: the next route has a go, and the operator hears of it", async () => {
  const task = taskFor(provider, "airtime");
  await client.scenario("reloadly", "credentials_refused", { recipient: task.recipient, times: 2 });
  const outcome = await provider.send(task, 0);
  assert.equal(inAWord(outcome), "rejected route no_route alarm");
  assert.equal(inAWord(await provider.requery!(task)), "not_found");
});

test("wrong credentials are told as such, and the account is left alone for a while", async () => {
  const wrong = build({ clientSecret: "wrong" });
  await wrong.start(new RecordingSink());
  await waitFor("the refusal", () => !wrong.ready());
  assert.equal(wrong.whyNotReady?.(), "Reloadly refuses our client id or secret");
  const before = (await calls("/oauth/token")).length;
  assert.equal(inAWord(await wrong.send(taskFor(provider, "airtime"), 0)), "rejected route no_route alarm");
  const told = build({ clientSecret: "wrong", operators: { mtn: 341 } });
  assert.equal(inAWord(await told.send(taskFor(provider, "airtime"), 0)), "rejected route no_route alarm");
  assert.equal(inAWord(await told.send(taskFor(provider, "airtime"), 0)), "rejected route no_route alarm");
  assert.equal((await calls("/oauth/token")).length, before + 1);
  await wrong.stop();
});

test("a task whose lease ran out while the token was fetched does not leave", async () => {
  const fresh = build({ operators: { mtn: 341 } });
  const task = { ...taskFor(fresh, "airtime"), mayStillSend: () => false };
  assert.equal(inAWord(await fresh.send(task, 0)), "throttled");
  assert.deepEqual(await client.vends("reloadly", { recipient: task.recipient }), []);
});

test("an answer comes within the time that the lease is made for, however slow the vendor is", async () => {
  const fresh = build();
  const task = taskFor(fresh, "airtime");
  await client.scenario("reloadly", "never_received_silent", { recipient: task.recipient });
  const elapsedMs = startStopwatch();
  assert.equal(inAWord(await fresh.send(task, 0)), "unknown");
  assert.ok(elapsedMs() <= fresh.answerWithinMs + 5_000);
});

test("no secret, token or body is logged", async () => {
  const lines: string[] = [];
  const write = (fields: object, message: string) => void lines.push(JSON.stringify(fields) + message);
  const log = { debug: write, info: write, warn: write, error: write };
  const talkative = build({}, { log });
  await talkative.start(new RecordingSink());
  for (const scenario of ["http_500_then_delivered", "unlisted_code_then_delivered", "html_then_delivered"] as const) {
    const task = taskFor(talkative, "airtime");
    await client.scenario("reloadly", scenario, { recipient: task.recipient });
    await talkative.send(task, 0);
    assert.ok(!lines.join().includes(task.recipient));
  }
  await talkative.stop();
  assert.ok(lines.length >= 3);
  for (const secret of ["simulated-client-secret", "simulated.", "Bearer"]) assert.ok(!lines.join().includes(secret));
});
