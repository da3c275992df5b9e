import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import smpp, { type PDU, type Session } from "smpp";
import { parseReceiptText } from "../../src/providers/smpp/wire/receipt.ts";
import { eventually, testSmsc } from "../../src/simulators/smsc/rig.ts";

/** A session of the npm package, bound; it acknowledges and keeps every deliver_sm. */
async function boundSession(t: TestContext, port: number): Promise<{ session: Session; deliveries: PDU[] }> {
  const session = smpp.connect({ host: "127.0.0.1", port });
  t.after(() => session.destroy());
  session.on("error", (error: unknown) => t.diagnostic(String(error)));
  await once(session, "connect");
  const deliveries: PDU[] = [];
  session.on("deliver_sm", (pdu: PDU) => {
    deliveries.push(pdu);
    session.send(pdu.response());
  });
  session.on("unbind", (pdu: PDU) => {
    session.send(pdu.response());
    session.close();
  });
  const { command_status } = await asked((done) => session.bind_transceiver({ system_id: "npm", password: "x" }, done));
  assert.equal(command_status, 0);
  return { session, deliveries };
}

const asked = (ask: (done: (answer: PDU) => void) => boolean): Promise<PDU> =>
  new Promise((resolve, reject) => {
    if (!ask(resolve)) reject(new Error("the session's socket is not writable"));
  });

const submitted = (session: Session, destination_addr: string, fields: object): Promise<PDU> =>
  asked((done) =>
    session.submit_sm(
      { source_addr: "AFARA", destination_addr, registered_delivery: 1, data_coding: 0, ...fields },
      done,
    ),
  );

test("the npm client binds as transceiver, submits, and reads the receipt by text and TLV", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const { session, deliveries } = await boundSession(t, port);
  const text = "Total: €5 [ok] @ _ $ £";
  const answer = await submitted(session, "2348031234567", { short_message: text });
  assert.equal(answer.command_status, 0);
  const receipt = await eventually(() => deliveries[0]);
  assert.equal(receipt.esm_class, 4);
  assert.equal(receipt.receipted_message_id, answer.message_id);
  assert.equal(receipt.message_state, 2);
  const receiptText = parseReceiptText(String(receipt.short_message.message));
  assert.deepEqual([receiptText?.id, receiptText?.stat], [answer.message_id, "DELIVRD"]);
  assert.equal(smsc.handsets.messages("2348031234567")[0]?.text, text);
  await eventually(() => smsc.stats.owed === 0);
});

test("the npm client's long message, in its own header and UCS-2, is one message on the handset", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const { session, deliveries } = await boundSession(t, port);
  const parts = ["ẹ".repeat(67), "😀 ₦"];
  for (const [index, message] of parts.entries())
    await submitted(session, "2348031234567", {
      data_coding: 8,
      short_message: { udh: Buffer.from([5, 0, 3, 0xca, parts.length, index + 1]), message },
    });
  await eventually(() => deliveries.length === 2);
  const [message] = smsc.handsets.messages("2348031234567");
  assert.deepEqual([message?.text, message?.parts], [parts.join(""), 2]);
});

test("the npm client is refused, throttled and unbound as it expects", async (t) => {
  const { smsc, port } = await testSmsc(t, { faults: { throttledSubmits: 1 } });
  const { session } = await boundSession(t, port);
  assert.equal((await submitted(session, "2348031234567", { short_message: "hello" })).command_status, 0x58);
  assert.equal((await submitted(session, "2348000000001", { short_message: "hello" })).command_status, 0x0b);
  assert.equal((await asked((done) => session.enquire_link(done))).command_status, 0);
  assert.equal((await asked((done) => session.unbind(done))).command_status, 0);
  await eventually(() => smsc.stats.connections === 0);
});

test("the npm client reads a handset's message", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const { deliveries } = await boundSession(t, port);
  smsc.handsetWrites({ from: "2348031234567", to: "AFARA", text: "Ẹ ṣé ₦" });
  const delivery = await eventually(() => deliveries[0]);
  assert.deepEqual([delivery.source_addr, delivery.short_message.message], ["2348031234567", "Ẹ ṣé ₦"]);
});

test("the npm client asks for a message on its way and at its end, and reads when that was", async (t) => {
  const { smsc, port } = await testSmsc(t, { faults: { receiptDelayMs: 200 } });
  const { session } = await boundSession(t, port);
  const { message_id } = await submitted(session, "2348031234567", { short_message: "hello" });
  const query = () => asked((done) => session.query_sm({ message_id, source_addr: "AFARA" }, done));
  const before = await query();
  assert.deepEqual([before.command_status, before.message_state, before.final_date || null], [0, 1, null]);
  await eventually(() => smsc.handsets.messages("2348031234567")[0]);
  const { message_state, final_date } = await query();
  assert.equal(message_state, 2);
  assert.ok(final_date && Math.abs(final_date.getTime() - Date.now()) < 60_000, String(final_date));
});

test("the npm client is told that a system_id of 16 characters is none, and what it sends after its unbind is refused", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const other = smpp.connect({ host: "127.0.0.1", port });
  t.after(() => other.destroy());
  other.on("error", (error: unknown) => t.diagnostic(String(error)));
  await once(other, "connect");
  const bind = { system_id: "sixteen-letters!", password: "x" };
  assert.equal((await asked((done) => other.bind_transceiver(bind, done))).command_status, 0x0f);

  const { session } = await boundSession(t, port);
  const closed = once(session, "close");
  const unbound = asked((done) => session.unbind(done));
  const answers: number[] = [];
  session.submit_sm({ destination_addr: "2348031234567", short_message: "hello" }, ({ command_status }) =>
    answers.push(command_status),
  );
  assert.equal((await unbound).command_status, 0);
  await closed;
  // The connection may be gone before it arrives.
  assert.ok(answers.every((status) => status === 0x04));
  assert.equal(smsc.stats.taken, 0);
});
