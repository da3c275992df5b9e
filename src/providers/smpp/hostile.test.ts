import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import type { Log } from "../../kernel/log.ts";
import { ScriptedSmsc } from "./scripted-smsc.ts";
import { buildProvider, RecordingSink, SILENT_LOG, smsTask, testSettings, until } from "./test-rig.ts";
import { encodePdu } from "./wire/pdu.ts";
import { COMMAND_STATUS } from "./wire/status.ts";
import { TAG, tlvCString, tlvOctets, tlvU8 } from "./wire/tlv.ts";

/** What an SMSC that is broken, or means harm, does to us; what it says about messages is the engine's to doubt. */

async function makeRig(t: TestContext, script: ScriptedSmsc["script"] = {}, log: Log = SILENT_LOG, settings = {}) {
  const smsc = await ScriptedSmsc.listen();
  smsc.script = script;
  const provider = buildProvider(testSettings(smsc.port, { windowSize: 100, ...settings }), log);
  const sink = new RecordingSink();
  t.after(async () => {
    await smsc.close();
    await provider.stop();
  });
  await provider.start(sink);
  await until("the provider is bound", () => provider.ready());
  return { smsc, provider, sink };
}

const receipt = (sequence: number, id: string) =>
  ({
    command: "deliver_sm",
    sequence,
    esm_class: 0x04,
    source_addr: "2348031234567",
    destination_addr: "Afara",
    short_message: Buffer.from(`id:${id} stat:DELIVRD err:000`),
  }) as const;

/** message_id may have 65 octets; nothing in the wire's format stops it at that. */
function longAnswer(sequence: number, id: string): Buffer {
  const octets = Buffer.concat([Buffer.alloc(16), Buffer.from(`${id}\0`)]);
  octets.writeUInt32BE(octets.length, 0);
  octets.writeUInt32BE(0x8000_0004, 4);
  octets.writeUInt32BE(sequence, 12);
  return octets;
}

test("an id of 60,000 octets is the same in the answer and in the receipt", async (t) => {
  const id = "f".repeat(60_000);
  const { smsc, provider, sink } = await makeRig(t, {
    submit_sm: ({ socket }, { sequence }) => socket.write(longAnswer(sequence, id)),
  });
  const outcome = await provider.send(smsTask("Hello"), 0);
  smsc.connections[0]?.send({
    ...receipt(1, "1"),
    tlvs: [tlvCString(TAG.receipted_message_id, id), tlvOctets(TAG.message_payload, Buffer.alloc(1, " "))],
  });
  await until("the report is recorded", () => sink.reports.length === 1);
  assert.equal(outcome.kind === "accepted" && outcome.providerReference, sink.reports[0]?.providerReference);
});

test("an answer with a sequence that nobody uses answers nothing, and is logged without its 60,000 octets", async (t) => {
  const warnings: object[] = [];
  const log = { ...SILENT_LOG, warn: (fields: object) => warnings.push(fields) };
  const { provider } = await makeRig(
    t,
    {
      submit_sm: (connection, submit) => {
        connection.socket.write(longAnswer(submit.sequence + 99_999, "f".repeat(60_000)));
        connection.respond(submit, { message_id: "9" });
      },
    },
    log,
  );
  assert.deepEqual(await provider.send(smsTask("Hello"), 0), { kind: "accepted", providerReference: "9" });
  assert.equal(warnings.length, 1);
  assert.ok(JSON.stringify(warnings).length < 300);
});

test("of two answers to one submit the first counts, and the next submit gets its own", async (t) => {
  const { provider } = await makeRig(t, {
    submit_sm: (connection, submit) => {
      connection.respond(submit, { message_id: `first-${submit.sequence}` });
      connection.respond(submit, { status: COMMAND_STATUS.RINVDSTADR.code });
    },
  });
  for (let sent = 0; sent < 3; sent++) assert.equal((await provider.send(smsTask("Hello"), 0)).kind, "accepted");
});

test("answers in another order than the submits belong to the submits of their sequence", async (t) => {
  const held: (() => void)[] = [];
  const { provider } = await makeRig(t, {
    submit_sm: (connection, submit) => {
      held.push(() => connection.respond(submit, { message_id: submit.short_message.toString("latin1") }));
      if (held.length === 5) for (const answer of held.reverse()) answer();
    },
  });
  const outcomes = await Promise.all(["a", "b", "c", "d", "e"].map((text) => provider.send(smsTask(text), 0)));
  assert.deepEqual(
    outcomes.map((outcome) => outcome.kind === "accepted" && outcome.providerReference),
    ["a", "b", "c", "d", "e"],
  );
});

const STOP_WITH_STRAY_NUL = Buffer.from(
  "000000370000000500000000000186f80000003233343830333132333435363700000032343432000000000000000000000453544f5000",
  "hex",
);

const keepWarnings = (warnings: object[]): Log => ({ ...SILENT_LOG, warn: (fields) => void warnings.push(fields) });

test("a message with a stray NUL at its end is recorded, acknowledged after its commit, and told once a minute", async (t) => {
  const warnings: object[] = [];
  const { smsc, sink } = await makeRig(t, {}, keepWarnings(warnings));
  const commit = Promise.withResolvers<void>();
  sink.commit = () => commit.promise;
  for (let time = 0; time < 20; time++) smsc.connections[0]?.socket.write(STOP_WITH_STRAY_NUL);
  await until("it was read", () => warnings.length > 0);
  assert.equal(smsc.received("deliver_sm_resp").length, 0);
  commit.resolve();
  await until("all are acknowledged", () => smsc.received("deliver_sm_resp").length === 20);
  assert.ok(smsc.received("deliver_sm_resp").every(({ status }) => status === 0));
  assert.equal(sink.inbounds[0]?.text, "STOP");
  assert.deepEqual(warnings, [
    {
      provider: "test-smsc",
      command: "deliver_sm",
      detail: "octets at the end are no whole parameter: 1",
    },
  ]);
});

test("a receipt whose last parameter is cut short is recorded by what is whole", async (t) => {
  const { smsc, sink } = await makeRig(t);
  const whole = encodePdu({
    ...receipt(1, "8f3c"),
    tlvs: [tlvU8(TAG.message_state, 2), tlvCString(TAG.receipted_message_id, "8f3c")],
  });
  const cut = Buffer.from(whole.subarray(0, -1));
  cut.writeUInt32BE(cut.length, 0);
  smsc.connections[0]?.socket.write(cut);
  await until("it is acknowledged", () => smsc.received("deliver_sm_resp").length === 1);
  assert.equal(smsc.received("deliver_sm_resp")[0]?.status, 0);
  assert.deepEqual([sink.reports[0]?.providerReference, sink.reports[0]?.status], ["8f3c", "delivered"]);
});

test("a receipt that its SMSC does not mark stays a handset's message, and the operator is told", async (t) => {
  const warnings: object[] = [];
  const { smsc, sink } = await makeRig(t, {}, keepWarnings(warnings));
  // jasmin, issue 1050
  const short_message = Buffer.from("id:1602718841 submit date:2204152009 done date:2204152009 stat:DELIVRD err:000");
  smsc.connections[0]?.send({ ...receipt(1, "1602718841"), esm_class: 0, short_message });
  smsc.connections[0]?.send({ ...receipt(2, "1"), esm_class: 0, short_message: Buffer.from("id: what is my status?") });
  await until("both are recorded", () => sink.inbounds.length === 2);
  assert.deepEqual([sink.reports.length, warnings.length], [0, 1]);
});

test("requests without a body are answered whatever octets stand where none should, and the bind stays", async (t) => {
  const { smsc, provider } = await makeRig(t);
  const [connection] = smsc.connections;
  for (const tail of ["00", "0000", "ffffffffff", "001e000441"]) {
    const octets = Buffer.concat([encodePdu({ command: "enquire_link", sequence: 5 }), Buffer.from(tail, "hex")]);
    octets.writeUInt32BE(octets.length, 0);
    connection?.socket.write(octets);
  }
  await until("all are answered", () => smsc.received("enquire_link_resp").length === 4);
  assert.ok(smsc.received("enquire_link_resp").every(({ status }) => status === 0));
  assert.equal((await provider.send(smsTask("Hello"), 0)).kind, "accepted");
});

test("a delivery that ends within its mandatory part is refused for good, and told with its address and octets", async (t) => {
  const warnings: object[] = [];
  const { smsc, sink } = await makeRig(t, {}, keepWarnings(warnings));
  const cut = Buffer.from(STOP_WITH_STRAY_NUL.subarray(0, -5));
  cut.writeUInt32BE(cut.length, 0);
  smsc.connections[0]?.socket.write(cut);
  await until("it is answered", () => smsc.received("deliver_sm_resp").length === 1);
  assert.equal(smsc.received("deliver_sm_resp")[0]?.status, COMMAND_STATUS.RX_P_APPN.code);
  assert.deepEqual(sink.inbounds, []);
  assert.deepEqual(warnings, [
    {
      provider: "test-smsc",
      command: "deliver_sm",
      detail: "refused: short_message runs past the end of the PDU",
    },
  ]);
});

test("a message whose sm_length is larger than what came is recorded by what came, acknowledged, and told", async (t) => {
  const warnings: object[] = [];
  const { smsc, sink } = await makeRig(t, {}, keepWarnings(warnings));
  const short = Buffer.from(STOP_WITH_STRAY_NUL.subarray(0, -1));
  short.writeUInt32BE(short.length, 0);
  short[short.length - 5] = 8;
  smsc.connections[0]?.socket.write(short);
  await until("it is answered", () => smsc.received("deliver_sm_resp").length === 1);
  assert.equal(smsc.received("deliver_sm_resp")[0]?.status, 0);
  assert.equal(sink.inbounds[0]?.text, "STOP");
  assert.deepEqual(warnings, [
    {
      provider: "test-smsc",
      command: "deliver_sm",
      detail: "short_message is shorter than sm_length says, by octets: 4",
    },
  ]);
});

test("deliveries with any octets at their end are acknowledged one and all, and none breaks the connection", async (t) => {
  const { smsc, sink } = await makeRig(t);
  const [connection] = smsc.connections;
  const tails = fc.sample(fc.uint8Array({ maxLength: 80 }), 300);
  for (const [index, tail] of tails.entries()) {
    const octets = Buffer.concat([encodePdu(receipt(index + 1, `r${index}`)), tail]);
    octets.writeUInt32BE(octets.length, 0);
    connection?.socket.write(octets);
  }
  await until("all are answered", () => smsc.received("deliver_sm_resp").length === tails.length);
  assert.ok(smsc.received("deliver_sm_resp").every(({ status }) => status === 0));
  assert.equal(sink.reports.length, tails.length);
  assert.equal(smsc.connections.length, 1);
});

test("of a flood of receipts a thousand wait for their commit at most, the others are asked to come again, and submits go on", async (t) => {
  const FLOOD = 5_000;
  const { smsc, provider, sink } = await makeRig(t);
  const commit = Promise.withResolvers<void>();
  let waiting = 0;
  sink.commit = () => {
    waiting += 1;
    return commit.promise;
  };
  const [connection] = smsc.connections;
  for (let sequence = 1; sequence <= FLOOD; sequence++) connection?.send(receipt(sequence, `never-${sequence}`));
  const answers = () => smsc.received("deliver_sm_resp");
  await until("the rest is refused", () => answers().length === FLOOD - 1_000);
  assert.ok(answers().every(({ status }) => status === COMMAND_STATUS.RX_T_APPN.code));
  assert.equal(waiting, 1_000);
  assert.equal((await provider.send(smsTask("Hello"), 0)).kind, "accepted");
  commit.resolve();
  await until("all are answered", () => answers().length === FLOOD);
  assert.equal(sink.reports.length, 1_000);
});
