import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Log } from "../../kernel/log.ts";
import { ScriptedSmsc } from "./scripted-smsc.ts";
import { buildProvider, RecordingSink, SILENT_LOG, smsTask, testSettings, until } from "./test-rig.ts";
import { COMMAND_STATUS } from "./wire/status.ts";
import { TAG, tlvCString, tlvOctets } from "./wire/tlv.ts";

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
