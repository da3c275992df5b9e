import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import smpp, { type PDU, type Session } from "smpp";
import { correlationOf } from "../../src/ports/provider.ts";
import { buildProvider, RecordingSink, smsTask, testSettings, until } from "../../src/providers/smpp/test-rig.ts";

/** An SMSC on the npm package: takes every bind and submit, and answers what the ESME asks. */
async function makeRig(t: TestContext, settings: object = {}) {
  const sessions: Session[] = [];
  const binds: PDU[] = [];
  const submits: PDU[] = [];
  const acknowledgements: PDU[] = [];
  const server = smpp.createServer((session) => {
    sessions.push(session);
    session.on("error", (error: unknown) => t.diagnostic(String(error)));
    session.on("bind_transceiver", (pdu: PDU) => {
      binds.push(pdu);
      session.send(pdu.response({ system_id: "NPM" }));
    });
    session.on("submit_sm", (pdu: PDU) => {
      submits.push(pdu);
      session.send(pdu.response({ message_id: `0${submits.length}aF` }));
    });
    session.on("enquire_link", (pdu: PDU) => session.send(pdu.response()));
    session.on("unbind", (pdu: PDU) => {
      session.send(pdu.response());
      session.close();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const provider = buildProvider(testSettings((server.address() as AddressInfo).port, settings));
  const sink = new RecordingSink();
  t.after(async () => {
    await provider.stop();
    await new Promise((resolve) => server.close(resolve));
  });
  await provider.start(sink);
  await until("the provider is bound", () => provider.ready());
  const deliver = (fields: object) =>
    sessions[0]?.deliver_sm(fields, (answer) => {
      acknowledgements.push(answer);
    });
  return { provider, sink, sessions, binds, submits, acknowledgements, deliver };
}

/** The package decodes by data_coding; with 0x40 set it takes the header off. */
const shown = (submits: readonly PDU[]): string => submits.map((pdu) => String(pdu.short_message.message)).join("");

test("an SMSC on npm smpp takes a bind and a message, and its receipt finds the message", async (t) => {
  // It names no version in its answer to the bind, and reads optional parameters all the same.
  const { provider, sink, binds, submits, acknowledgements, deliver } = await makeRig(t, {
    optionalParameters: "always",
  });
  assert.deepEqual([binds[0]?.system_id, binds[0]?.password], ["afara", "secret"]);
  const task = smsTask("Total: €5 [ok] @ _ $ £");
  assert.deepEqual(await provider.send(task, 0), { kind: "accepted", providerReference: "1af" });
  assert.equal(shown(submits), task.payload.text);
  assert.equal(submits[0]?.user_message_reference, correlationOf(task.orderId, 1, 0));

  deliver({
    esm_class: 4,
    source_addr: "2348031234567",
    destination_addr: "Afara",
    receipted_message_id: "1AF",
    message_state: 2,
    short_message: "id:1AF sub:001 dlvrd:001 stat:DELIVRD err:000 text:",
  });
  await until("it is acknowledged", () => acknowledgements.length === 1);
  assert.deepEqual([sink.reports[0]?.providerReference, sink.reports[0]?.status], ["1af", "delivered"]);
  assert.equal(acknowledgements[0]?.command_status, 0);
});

for (const [what, text] of [
  ["GSM-7", `${"a".repeat(152)}€${"b".repeat(160)}`],
  ["UCS-2", `${"ẹ".repeat(66)}😀₦${"ọ".repeat(80)}`],
] as const) {
  test(`an SMSC on npm smpp puts a long ${what} message together as it was written`, async (t) => {
    const { provider, submits } = await makeRig(t);
    const task = smsTask(text);
    const pieces = provider.pieceCount(task);
    assert.ok(pieces > 1);
    assert.equal(pieces, task.payload.segments);
    for (let piece = 0; piece < pieces; piece++) await provider.send(task, piece);
    assert.equal(shown(submits), text);
  });
}

test("with message_payload an SMSC on npm smpp reads a long message from one submit", async (t) => {
  const { provider, submits } = await makeRig(t, {
    longMessages: "message_payload",
    optionalParameters: "always",
  });
  const task = smsTask("a".repeat(500));
  assert.equal(provider.pieceCount(task), 1);
  await provider.send(task, 0);
  assert.equal(String(submits[0]?.message_payload?.message), "a".repeat(500));
});

test("an SMSC on npm smpp that names no version is sent no optional parameters, and a long message in parts", async (t) => {
  const { provider, submits } = await makeRig(t, { longMessages: "message_payload" });
  const task = smsTask("ab cd ".repeat(50));
  const pieces = provider.pieceCount(task);
  assert.equal(pieces, 2);
  for (let piece = 0; piece < pieces; piece++) assert.equal((await provider.send(task, piece)).kind, "accepted");
  assert.equal(shown(submits), task.payload.text);
  assert.ok(submits.every((pdu) => pdu.user_message_reference === undefined && pdu.message_payload === undefined));
});

test("a handset's message from an SMSC on npm smpp, UCS-2 and in two parts, is recorded as one", async (t) => {
  const { sink, acknowledgements, deliver } = await makeRig(t);
  for (const [part, message] of ["Ẹ kú àárọ̀ ", "o 😀"].entries()) {
    deliver({
      source_addr: "2348031234567",
      destination_addr: "32811",
      data_coding: 8,
      short_message: { udh: Buffer.from([5, 0, 3, 9, 2, part + 1]), message },
    });
  }
  await until("both are acknowledged", () => acknowledgements.length === 2);
  assert.deepEqual(
    sink.inbounds.map(({ from, text }) => [from, text]),
    [["2348031234567", "Ẹ kú àárọ̀ o 😀"]],
  );
});

test("a provider whose SMSC on npm smpp hangs up binds again and goes on", async (t) => {
  const { provider, sessions, binds } = await makeRig(t);
  sessions[0]?.destroy();
  await until("it is bound again", () => binds.length === 2 && provider.ready());
  assert.equal((await provider.send(smsTask("Hello"), 0)).kind, "accepted");
});
