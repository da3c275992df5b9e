import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { standStill, startSmscThread } from "../../testing/smsc-thread.ts";
import { ScriptedSmsc } from "./scripted-smsc.ts";
import { type CloseReason, Session } from "./session.ts";
import type { SubmitAnswer } from "./submit-answer.ts";
import { checkedSettings, SILENT_LOG, until } from "./test-rig.ts";
import { encodePdu } from "./wire/pdu.ts";

async function makeSession(t: TestContext, more: object, script: ScriptedSmsc["script"] = {}) {
  const smsc = await ScriptedSmsc.listen();
  smsc.script = script;
  const closed: CloseReason[] = [];
  const settings = { ...checkedSettings(), port: smsc.port, ...more };
  const session = new Session(
    settings,
    "transceiver",
    { bound() {}, closed: (reason) => closed.push(reason), roomChanged() {}, delivered: async () => 0, odd() {} },
    SILENT_LOG,
  );
  t.after(async () => {
    await smsc.close();
    await session.close();
  });
  return { smsc, session, closed };
}

test("a half-open connection is noticed by enquire_link, and what is under way is lost before its own time limit", async (t) => {
  const { smsc, session, closed } = await makeSession(t, { enquireLinkSeconds: 0.05, responseTimeoutMs: 300 });
  await until("it is bound", () => session.isBound);
  // From here on the peer reads and says nothing, as behind a router that has forgotten the connection.
  smsc.script = { submit_sm: () => {}, enquire_link: () => {} };
  const asked = smsc.received("enquire_link").length;
  await until("enquire_link was sent", () => smsc.received("enquire_link").length > asked);
  const askedMs = performance.now();
  await until("its deadline is well before that of a submit", () => performance.now() > askedMs + 150);
  const answer = await session.submit({ command: "submit_sm" }, () => true);
  assert.equal(answer.kind, "lost");
  assert.match(answer.kind === "lost" ? answer.detail : "", /enquire_link was not answered in time/);
  assert.equal(closed.length, 1);
});

test("an enquire_link without an answer within the response timeout destroys the connection", async (t) => {
  const { closed } = await makeSession(
    t,
    { enquireLinkSeconds: 0.05, responseTimeoutMs: 100 },
    { enquire_link: () => {} },
  );
  await until("it is closed", () => closed.length === 1);
  assert.deepEqual(closed, [{ kind: "lost", detail: "enquire_link was not answered in time" }]);
});

test("an answered enquire_link keeps the connection", async (t) => {
  const { smsc, session } = await makeSession(t, { enquireLinkSeconds: 0.02, responseTimeoutMs: 200 });
  await until("ten were answered", () => smsc.received("enquire_link").length >= 15);
  assert.equal(session.isBound, true);
});

test("the SMSC's enquire_link is answered with its sequence, also while the bind has no answer", async (t) => {
  const { smsc } = await makeSession(
    t,
    {},
    { bind_transceiver: (connection) => connection.send({ command: "enquire_link", sequence: 0x7fff_ffff }) },
  );
  await until("it is answered", () => smsc.received("enquire_link_resp").length === 1);
  assert.equal(smsc.received("enquire_link_resp")[0]?.sequence, 0x7fff_ffff);
});

test("a bind without an answer is given up", async (t) => {
  const { closed } = await makeSession(t, { bindTimeoutMs: 100 }, { bind_transceiver: () => {} });
  await until("it is closed", () => closed.length === 1);
  assert.deepEqual(closed, [{ kind: "lost", detail: "the bind was not answered in time" }]);
});

test("an address where nobody listens is reported as closed, once", async (t) => {
  const { smsc, session, closed } = await makeSession(t, {});
  const { port } = smsc;
  await smsc.close();
  await until("the first is closed", () => closed.length === 1);
  const again: CloseReason[] = [];
  const other = new Session(
    { ...checkedSettings(), port },
    "transceiver",
    { bound() {}, closed: (reason) => again.push(reason), roomChanged() {}, delivered: async () => 0, odd() {} },
    SILENT_LOG,
  );
  await other.close();
  await session.close();
  assert.equal(again.length, 1);
});

test("submits of one turn arrive in order and with rising sequence numbers", async (t) => {
  const { smsc, session } = await makeSession(t, { windowSize: 50 });
  await until("it is bound", () => session.isBound);
  const answers = Array.from({ length: 50 }, (_, index) =>
    session.submit({ command: "submit_sm", short_message: Buffer.from([index]) }, () => true),
  );
  await Promise.all(answers);
  const submits = smsc.received("submit_sm");
  assert.deepEqual(
    submits.map(({ short_message }) => short_message[0]),
    [...Array(50).keys()],
  );
  assert.ok(submits.every(({ sequence }, index) => index === 0 || sequence === submits[index - 1]!.sequence + 1));
});

test("a peer that reads nothing fills the socket, and then nothing more is written", async (t) => {
  const { smsc, session } = await makeSession(t, { windowSize: 1_000_000, responseTimeoutMs: 60_000 });
  await until("it is bound", () => session.isBound);
  smsc.connections[0]?.socket.pause();
  const payload = { tag: 0x0424, value: Buffer.alloc(60_000) };
  let written = 0;
  while (session.hasRoom()) {
    void session.submit({ command: "submit_sm", tlvs: [payload] }, () => true);
    written += 1;
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(written < 10_000, "the socket never pushed back");
  }
  assert.equal((await session.submit({ command: "submit_sm" }, () => true)).kind, "not_sent");
});

test("a peer that asks without reading is hung up on, and what has no answer is lost as with any broken link", async (t) => {
  const { smsc, session, closed } = await makeSession(
    t,
    { enquireLinkSeconds: 600, responseTimeoutMs: 60_000 },
    { submit_sm: () => {} },
  );
  await until("it is bound", () => session.isBound);
  const answer = session.submit({ command: "submit_sm" }, () => true);
  await until("the submit has arrived", () => smsc.received("submit_sm").length === 1);
  const { socket } = smsc.connections[0]!;
  socket.pause();
  const questions = Buffer.concat(
    Array.from({ length: 4_096 }, () => encodePdu({ command: "enquire_link", sequence: 1 })),
  );
  // The kernel's buffers may hold tens of megabytes, of questions and of answers, before any stay in our memory.
  for (let octets = 0; closed.length === 0; octets += questions.length) {
    assert.ok(octets < 256 * 1024 * 1024, "it went on for 256 MB of questions");
    await new Promise((resolve) => socket.write(questions, () => setImmediate(resolve)));
  }
  assert.deepEqual(closed, [{ kind: "lost", detail: "the SMSC asks and does not read the answers" }]);
  assert.equal((await answer).kind, "lost");
  assert.equal((await session.submit({ command: "submit_sm" }, () => true)).kind, "not_sent");
});

test("after a hang-up nothing is taken for written, from the same moment on", async (t) => {
  const { session } = await makeSession(t, {});
  await until("it is bound", () => session.isBound);
  session.destroy("a test");
  assert.equal((await session.submit({ command: "submit_sm" }, () => true)).kind, "not_sent");
});

test("a stall of our own is not the SMSC's silence: what it answered meanwhile counts, submits and enquire_link alike", async (t) => {
  const smsc = await startSmscThread({ answerAfterMs: 50 });
  const closed: CloseReason[] = [];
  const session = new Session(
    { ...checkedSettings(), port: smsc.port, responseTimeoutMs: 500, enquireLinkSeconds: 0.05, windowSize: 100 },
    "transceiver",
    { bound() {}, odd() {}, closed: (reason) => closed.push(reason), roomChanged() {}, delivered: async () => 0 },
    SILENT_LOG,
  );
  t.after(async () => {
    await session.close();
    await smsc.close();
  });
  await until("it is bound", () => session.isBound);
  for (let round = 0; round < 3; round++) {
    const answers = Array.from({ length: 100 }, () => session.submit({ command: "submit_sm" }, () => true));
    await standStill(1_000);
    assert.ok((await Promise.all(answers)).every(({ kind }) => kind === "answered"));
  }
  assert.deepEqual(closed, []);
});

test("an answer after the time limit is heard, once, and its sequence names no other submit meanwhile", async (t) => {
  const { smsc, session } = await makeSession(t, { responseTimeoutMs: 100 }, { submit_sm: () => {} });
  await until("it is bound", () => session.isBound);
  const late: SubmitAnswer[] = [];
  const lost = await session.submit(
    { command: "submit_sm" },
    () => true,
    (answer) => late.push(answer),
  );
  assert.equal(lost.kind, "lost");
  const [connection] = smsc.connections;
  const [first] = smsc.received("submit_sm");
  connection?.respond(first!, { message_id: "a" });
  connection?.respond(first!, { message_id: "b" });
  await until("it was heard", () => late.length > 0);
  const nacked = session.submit(
    { command: "submit_sm" },
    () => true,
    (answer) => late.push(answer),
  );
  assert.equal((await nacked).kind, "lost");
  connection?.send({ command: "generic_nack", status: 0x58, sequence: smsc.received("submit_sm")[1]!.sequence });
  await until("the nack was heard", () => late.length > 1);
  assert.deepEqual(late, [
    { kind: "answered", status: 0, messageId: "a" },
    { kind: "answered", status: 0x58, messageId: "" },
  ]);
});
