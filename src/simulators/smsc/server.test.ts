import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { encodePdu } from "../../providers/smpp/wire/pdu.ts";
import { COMMAND_STATUS } from "../../providers/smpp/wire/status.ts";
import { parseTime } from "../../providers/smpp/wire/time.ts";
import { readTlvCString, TAG, tlvOctets, tlvU8, tlvU16 } from "../../providers/smpp/wire/tlv.ts";
import { Esme, traceTlv } from "./esme.ts";
import { eventually, loggedLines, testSmsc } from "./rig.ts";

const PHONE = "2348031234567";

test("only the configured system ids with their passwords may bind", async (t) => {
  const { port } = await testSmsc(t, { accounts: { esme: "secret" } });
  for (const [system_id, password, status] of [
    ["esme", "secret", 0],
    ["esme", "wrong", COMMAND_STATUS.RINVPASWD.code],
    ["other", "secret", COMMAND_STATUS.RINVSYSID.code],
    ["__proto__", "", COMMAND_STATUS.RINVSYSID.code],
  ] as const) {
    const esme = await Esme.connect(port);
    const answer = await esme.ask({ command: "bind_transceiver", system_id, password });
    assert.equal(answer.status, status, system_id);
    if (status !== 0) await esme.closed();
  }
});

test("a system_id has at most 15 characters, as many as its field holds before the NUL", async (t) => {
  const { port } = await testSmsc(t);
  for (const [length, status] of [
    [15, 0],
    [16, COMMAND_STATUS.RINVSYSID.code],
    [40, COMMAND_STATUS.RINVSYSID.code],
  ] as const) {
    const esme = await Esme.connect(port);
    // Written by hand: the codec would not.
    esme.sendOctets(bindOctets("a".repeat(length)));
    const answer = await esme.answerTo(1);
    assert.equal(answer.status, status, `${length} characters`);
  }
});

/** bind_transceiver with sequence 1. */
function bindOctets(systemId: string): Buffer {
  const body = Buffer.from(`${systemId}\0secret\0\0\x34\0\0\0`, "latin1");
  const header = Buffer.alloc(16);
  header.writeUInt32BE(16 + body.length, 0);
  header.writeUInt32BE(0x0000_0009, 4);
  header.writeUInt32BE(1, 12);
  return Buffer.concat([header, body]);
}

test("what comes after an unbind is in no session: refused, and nothing of it is taken", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  const submit = {
    command: "submit_sm",
    sequence: 71,
    destination_addr: PHONE,
    short_message: Buffer.from("x"),
  } as const;
  // In one piece, so that the connection is not gone before the second arrives.
  esme.sendOctets(Buffer.concat([encodePdu({ command: "unbind", sequence: 70 }), encodePdu(submit)]));
  assert.equal((await esme.answerTo(70)).status, 0);
  assert.equal((await esme.answerTo(71)).status, COMMAND_STATUS.RINVBNDSTS.code);
  await esme.closed();
  assert.equal(smsc.stats.taken, 0);
});

test("binds that it forgets stay connected, are refused everything, and may bind again", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  smsc.forgetBinds();
  assert.equal((await esme.submit(PHONE, "hello")).status, COMMAND_STATUS.RINVBNDSTS.code);
  assert.equal((await esme.ask({ command: "enquire_link" })).status, COMMAND_STATUS.RINVBNDSTS.code);
  assert.equal((await esme.ask({ command: "bind_transceiver", system_id: "esme", password: "" })).status, 0);
  assert.equal((await esme.submit(PHONE, "hello")).status, 0);
  await esme.until(() => esme.deliveries[0]);
});

test("a second bind on a session is refused and the first one stays", async (t) => {
  const { port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  const again = await esme.ask({ command: "bind_receiver", system_id: "other" });
  assert.equal(again.status, COMMAND_STATUS.RALYBND.code);
  assert.equal((await esme.submit(PHONE, "hello")).status, 0);
});

test("submits are refused before a bind and on a receiver, and nothing of them is taken", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const unbound = await Esme.connect(port);
  const receiver = await Esme.bound(port, { as: "bind_receiver" });
  for (const esme of [unbound, receiver])
    assert.equal((await esme.submit(PHONE, "hello")).status, COMMAND_STATUS.RINVBNDSTS.code);
  assert.equal(smsc.stats.submits, 0);
});

test("a submit is in the log with all that names it", async (t) => {
  const { port, dataDir } = await testSmsc(t);
  const esme = await Esme.bound(port);
  const answer = await esme.submit(PHONE, "hello", {
    tlvs: [traceTlv("0190a4f0-0000-7000-8000-000000000001", 2, 1), tlvU16(TAG.user_message_reference, 4711)],
  });
  const [line] = await loggedLines(dataDir);
  assert.deepEqual(line, {
    kind: "submit",
    at: line?.at,
    systemId: "esme",
    status: 0,
    messageId: answer.command === "submit_sm_resp" && answer.message_id,
    source: "AFARA",
    destination: PHONE,
    esmClass: 0,
    dataCoding: 0,
    registeredDelivery: 1,
    shortMessage: Buffer.from("hello").toString("hex"),
    trace: { orderId: "0190a4f0-0000-7000-8000-000000000001", attempt: 2, piece: 1 },
    userMessageReference: 4711,
    outcome: "DELIVRD",
    receipts: ["DELIVRD"],
  });
});

for (const [name, fields, status] of [
  ["a number that is none", { destination_addr: "12ab" }, COMMAND_STATUS.RINVDSTADR.code],
  ["a sender of 12 letters", { source_addr: "TWELVELETTER" }, COMMAND_STATUS.RINVSRCADR.code],
  ["161 septets", { short_message: Buffer.alloc(161, "a") }, COMMAND_STATUS.RINVMSGLEN.code],
  ["160 septets", { short_message: Buffer.alloc(160, "a") }, 0],
  ["142 octets of UCS-2", { data_coding: 8, short_message: Buffer.alloc(142) }, COMMAND_STATUS.RINVMSGLEN.code],
  ["140 octets of UCS-2", { data_coding: 8, short_message: Buffer.alloc(140) }, 0],
  [
    "154 septets after a header",
    { esm_class: 0x40, short_message: Buffer.from(`\x05\0\x03\x07\x02\x01${"a".repeat(154)}`) },
    COMMAND_STATUS.RINVMSGLEN.code,
  ],
  [
    "153 septets after a header",
    { esm_class: 0x40, short_message: Buffer.from(`\x05\0\x03\x07\x02\x01${"a".repeat(153)}`) },
    0,
  ],
  [
    "both a short message and a payload",
    { short_message: Buffer.from("a"), tlvs: [tlvOctets(TAG.message_payload, Buffer.from("b"))] },
    COMMAND_STATUS.RINVMSGLEN.code,
  ],
] as const)
  test(`${name}: the answer is ${status === 0 ? "yes" : `0x${status.toString(16)}`}`, async (t) => {
    const { port } = await testSmsc(t);
    const esme = await Esme.bound(port);
    assert.equal((await esme.submit(PHONE, "hello", fields)).status, status);
  });

test("a payload, SAR parts and data_sm reach the handset like short messages do", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  const long = "a".repeat(1_000);
  await esme.submit(PHONE, "", { tlvs: [tlvOctets(TAG.message_payload, Buffer.from(long))] });
  await eventually(() => smsc.handsets.messages(PHONE)[0]?.text === long);
  for (const part of [2, 1])
    await esme.submit(PHONE, `part${part}`, {
      tlvs: [tlvU16(TAG.sar_msg_ref_num, 300), tlvU8(TAG.sar_total_segments, 2), tlvU8(TAG.sar_segment_seqnum, part)],
    });
  await eventually(() => smsc.handsets.messages(PHONE)[0]?.text === "part1part2");
  const answer = await esme.ask({
    command: "data_sm",
    source_addr: "AFARA",
    destination_addr: PHONE,
    tlvs: [tlvOctets(TAG.message_payload, Buffer.from("data"))],
  });
  assert.deepEqual([answer.command, answer.status], ["data_sm_resp", 0]);
  await eventually(() => smsc.handsets.messages(PHONE)[0]?.text === "data");
});

for (const [registeredDelivery, ordinary, undelivered] of [
  [0, 0, 0],
  [1, 1, 1],
  [2, 0, 1],
  [3, 1, 0],
] as const)
  test(`registered_delivery ${registeredDelivery}: ${ordinary} receipts of a delivery, ${undelivered} of a failure`, async (t) => {
    const { port, dataDir } = await testSmsc(t);
    const esme = await Esme.bound(port);
    for (const number of [PHONE, "2348000000002"])
      await esme.submit(number, "hello", { registered_delivery: registeredDelivery });
    await esme.until(() => esme.deliveries.length === ordinary + undelivered);
    const lines = await loggedLines(dataDir);
    assert.deepEqual(
      lines.flatMap((line) => (line.kind === "submit" ? [line.receipts.length] : [])),
      [ordinary, undelivered],
    );
  });

test("receipts go to the receiving sessions of the same system id in turn, and to no other", async (t) => {
  const { port } = await testSmsc(t);
  const sender = await Esme.bound(port, { as: "bind_transmitter" });
  const receivers = [await Esme.bound(port, { as: "bind_receiver" }), await Esme.bound(port)];
  const stranger = await Esme.bound(port, { systemId: "stranger" });
  for (let submit = 0; submit < 10; submit++) await sender.submit(PHONE, "hello");
  for (const receiver of receivers) await receiver.until(() => receiver.deliveries.length === 5);
  assert.deepEqual(
    [sender, stranger].map((esme) => esme.deliveries.length),
    [0, 0],
  );
});

test("a receipt waits while nobody receives", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const sender = await Esme.bound(port, { as: "bind_transmitter" });
  await sender.submit(PHONE, "hello");
  await eventually(() => smsc.stats.owed === 1);
  const receiver = await Esme.bound(port, { as: "bind_receiver" });
  await receiver.until(() => receiver.deliveries.length === 1);
  await eventually(() => smsc.stats.owed === 0);
});

test("a receipt that is refused or left unanswered comes again until it is acknowledged, and is logged once then", async (t) => {
  const timing = { deliverTimeoutMs: 50, redeliverMs: 20, sweepMs: 10 };
  const { smsc, port, dataDir } = await testSmsc(t, { timing });
  const esme = await Esme.bound(port);
  esme.acknowledges = COMMAND_STATUS.RX_T_APPN.code;
  await esme.submit(PHONE, "hello");
  await esme.until(() => esme.deliveries.length === 2);
  esme.acknowledges = null;
  await esme.until(() => esme.deliveries.length === 4);
  esme.acknowledges = 0;
  await esme.until(() => esme.deliveries.length >= 5);
  await eventually(() => smsc.stats.owed === 0);
  const ids = esme.deliveries.map(({ tlvs }) => readTlvCString(tlvs, TAG.receipted_message_id));
  assert.equal(new Set(ids).size, 1);
  assert.equal((await loggedLines(dataDir)).filter(({ kind }) => kind === "receipt").length, 1);
});

test("a receipt whose session dies before its answer comes at once on another", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const first = await Esme.bound(port);
  first.acknowledges = null;
  await first.submit(PHONE, "hello");
  await first.until(() => first.deliveries[0]);
  first.close();
  const second = await Esme.bound(port);
  await second.until(() => second.deliveries[0]);
  await eventually(() => smsc.stats.owed === 0);
});

test("query_sm says where a message is, and nothing of an id that is none", async (t) => {
  const { smsc, port } = await testSmsc(t, { faults: { receiptDelayMs: 100 } });
  const esme = await Esme.bound(port);
  const submitted = await esme.submit(PHONE, "hello");
  const message_id = submitted.command === "submit_sm_resp" ? submitted.message_id : "";
  const asked = async () => {
    const answer = await esme.ask({ command: "query_sm", message_id });
    assert.ok(answer.command === "query_sm_resp");
    return { state: answer.message_state, finalDate: answer.final_date };
  };
  assert.deepEqual(await asked(), { state: 1, finalDate: "" });
  await eventually(() => smsc.handsets.messages(PHONE).length === 1);
  const { state, finalDate } = await asked();
  assert.equal(state, 2);
  const ageMs = Date.now() - parseTime(finalDate, new Date())!.getTime();
  assert.ok(ageMs >= 0 && ageMs < 60_000, finalDate);
  const unknown = await esme.ask({ command: "query_sm", message_id: "no-such-id" });
  assert.equal(unknown.status, COMMAND_STATUS.RINVMSGID.code);
});

test("what can't be done is refused under its own response, what is unknown by generic_nack, and the session lives on", async (t) => {
  const { port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  const cancel = await esme.ask({ command: "cancel_sm", message_id: "1" });
  assert.deepEqual([cancel.command, cancel.status], ["cancel_sm_resp", COMMAND_STATUS.RCANCELFAIL.code]);
  const replace = await esme.ask({ command: "replace_sm", message_id: "1" });
  assert.deepEqual([replace.command, replace.status], ["replace_sm_resp", COMMAND_STATUS.RREPLACEFAIL.code]);

  const submitMulti = encodePdu({ command: "enquire_link", sequence: 901 });
  submitMulti.writeUInt32BE(0x21, 4);
  esme.sendOctets(submitMulti);
  const nack = await esme.answerTo(901);
  assert.deepEqual([nack.command, nack.status], ["generic_nack", COMMAND_STATUS.RINVCMDID.code]);

  const noBody = encodePdu({ command: "enquire_link", sequence: 902 });
  noBody.writeUInt32BE(0x04, 4);
  esme.sendOctets(noBody);
  const refusal = await esme.answerTo(902);
  assert.deepEqual([refusal.command, refusal.status], ["submit_sm_resp", COMMAND_STATUS.RINVCMDLEN.code]);

  assert.equal((await esme.submit(PHONE, "hello")).status, 0);
});

test("a length that can't be ends the connection", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  esme.sendOctets(Buffer.from("ffffffff0000001500000000", "hex"));
  await esme.closed();
  await eventually(() => smsc.stats.connections === 0);
});

test("unbind is answered and ends the connection", async (t) => {
  const { port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  assert.equal((await esme.ask({ command: "unbind" })).command, "unbind_resp");
  await esme.closed();
});

test("an ESME that says nothing is asked, and cut when it does not answer", async (t) => {
  const { port } = await testSmsc(t, { timing: { idleMs: 30, enquireTimeoutMs: 30, sweepMs: 10 } });
  const esme = await Esme.bound(port);
  await esme.until(() => esme.received.some(({ command }) => command === "enquire_link"));
  await esme.closed();
});

test("stopping unbinds every session", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  await smsc.stop();
  assert.ok(esme.received.some(({ command }) => command === "unbind"));
});

test("a handset's message reaches the ESME in as many parts as it takes, and is owed until all are acknowledged", async (t) => {
  const { smsc, port } = await testSmsc(t);
  assert.equal(smsc.handsetWrites({ from: PHONE, to: "AFARA", text: "STOP" }), null);
  const esme = await Esme.bound(port);
  assert.ok(smsc.handsetWrites({ from: PHONE, to: "AFARA", text: "STOP" }));
  const short = await esme.until(() => esme.deliveries[0]);
  assert.deepEqual(
    [short.source_addr, short.destination_addr, short.esm_class, short.data_coding, short.short_message.toString()],
    [PHONE, "AFARA", 0, 0, "STOP"],
  );
  smsc.handsetWrites({ from: PHONE, to: "AFARA", text: "₦".repeat(100) });
  await esme.until(() => esme.deliveries.length === 3);
  const parts = esme.deliveries.slice(1);
  assert.deepEqual(
    parts.map(({ esm_class, data_coding, short_message }) => [esm_class, data_coding, short_message.length]),
    [
      [0x40, 8, 6 + 67 * 2],
      [0x40, 8, 6 + 33 * 2],
    ],
  );
  await eventually(() => smsc.stats.owed === 0);
});

test("a second SMSC on the same log has the handsets, goes on with the ids, and owes what was not acknowledged", async (t) => {
  const { smsc, port, dataDir } = await testSmsc(t);
  const esme = await Esme.bound(port);
  const before = await esme.submit(PHONE, "acknowledged");
  await eventually(() => smsc.stats.receiptsAcknowledged === 1);
  esme.acknowledges = null;
  await esme.submit(PHONE, "owed");
  smsc.handsetWrites({ from: PHONE, to: "AFARA", text: "STOP" });
  esme.sendSubmit("2348000000004", "first try", { tlvs: [traceTlv("order", 1, 0)] });
  await esme.until(() => esme.deliveries.length === 3);
  await eventually(() => smsc.stats.submits === 3);
  await smsc.stop();

  // Also where the clock has gone back.
  const clock = { now: () => new Date("2020-01-01T00:00:00Z"), monotonicMs: () => performance.now() };
  const second = await testSmsc(t, { dataDir, clock });
  assert.deepEqual(
    second.smsc.handsets.messages(PHONE).map(({ text }) => text),
    ["owed", "acknowledged"],
  );
  const again = await Esme.bound(second.port);
  await again.until(() => again.deliveries.length === 2);
  const after = await again.submit("2348000000004", "first try", { tlvs: [traceTlv("order", 2, 0)] });
  assert.equal(after.status, 0);
  assert.ok(after.command === "submit_sm_resp" && before.command === "submit_sm_resp");
  assert.ok(BigInt(after.message_id) > BigInt(before.message_id));
  await eventually(() => second.smsc.stats.owed === 0);
});

test("an ESME that asks without reading the answers is cut, and the others go on", async (t) => {
  const { port } = await testSmsc(t);
  const other = await Esme.bound(port);
  const deaf = connect({ port, host: "127.0.0.1" });
  t.after(() => deaf.destroy());
  deaf.on("error", () => undefined);
  await once(deaf, "connect");
  deaf.pause();
  const questions = Buffer.concat(
    Array.from({ length: 4_096 }, () => encodePdu({ command: "enquire_link", sequence: 1 })),
  );
  // The kernel's buffers may hold tens of megabytes, of questions and of answers, before any stay in the SMSC's memory.
  for (let octets = 0; !deaf.destroyed; octets += questions.length) {
    assert.ok(octets < 256 * 1024 * 1024, "it went on for 256 MB of questions");
    await new Promise((resolve) => deaf.write(questions, () => setImmediate(resolve)));
  }
  assert.equal((await other.submit(PHONE, "hello")).status, 0);
});
