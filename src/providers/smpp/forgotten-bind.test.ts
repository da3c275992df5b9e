import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Outcome } from "../../ports/provider.ts";
import { type ScriptedConnection, ScriptedSmsc } from "./scripted-smsc.ts";
import { buildProvider, RecordingSink, SILENT_LOG, smsTask, testSettings, until } from "./test-rig.ts";
import type { Pdu } from "./wire/pdu.ts";
import { COMMAND_STATUS, type StatusName } from "./wire/status.ts";

interface Warning {
  readonly fields: { readonly detail?: string };
  readonly words: string;
}

/** A provider that is bound to an SMSC which from now on does what `script` says, on the first connection only. */
async function makeRig(t: TestContext, settings: object, script: ScriptedSmsc["script"]) {
  const smsc = await ScriptedSmsc.listen();
  const warnings: Warning[] = [];
  const log = { ...SILENT_LOG, warn: (fields: object, words: string) => warnings.push({ fields, words }) };
  const provider = buildProvider(testSettings(smsc.port, settings), log);
  const sink = new RecordingSink();
  t.after(async () => {
    await smsc.close();
    await provider.stop();
  });
  smsc.script = script;
  await provider.start(sink);
  await until("the provider is bound", () => provider.ready());
  return { smsc, provider, sink, warnings };
}

const respond = (status: StatusName) => (connection: ScriptedConnection, pdu: Pdu) =>
  connection.respond(pdu, { status: COMMAND_STATUS[status].code });

const nack = (status: StatusName) => (connection: ScriptedConnection, pdu: Pdu) =>
  connection.send({ command: "generic_nack", status: COMMAND_STATUS[status].code, sequence: pdu.sequence });

/** The SMSC answers so on its first connection, and normally on the next. */
const atFirst =
  (smsc: () => ScriptedSmsc, answer: (connection: ScriptedConnection, pdu: Pdu) => void) =>
  (connection: ScriptedConnection, pdu: Pdu) => {
    if (connection === smsc().connections[0]) answer(connection, pdu);
    else connection.respond(pdu, { message_id: "7" });
  };

const isCertainlyNotTaken = (outcome: Outcome) => outcome.kind === "throttled";

for (const [what, answer] of [
  ["RINVBNDSTS", respond("RINVBNDSTS")],
  ["a generic_nack with RINVBNDSTS", nack("RINVBNDSTS")],
  ["RBINDFAIL", respond("RBINDFAIL")],
  ["RINVSYSID", respond("RINVSYSID")],
  ["RINVPASWD", respond("RINVPASWD")],
] as const) {
  test(`a submit answered with ${what} was not taken, and the provider binds anew and sends it then`, async (t) => {
    const { smsc, provider, sink, warnings } = await makeRig(t, {}, { submit_sm: atFirst(() => smsc, answer) });
    const task = smsTask("Hello");
    assert.ok(isCertainlyNotTaken(await provider.send(task, 0)));
    assert.equal(provider.ready(), false, "nothing more is sent over it");
    assert.match(provider.whyNotReady?.() ?? "", /no longer takes this bind for one/);
    await until("it is bound anew", () => smsc.received("bind_transceiver").length === 2 && provider.ready());
    assert.deepEqual(await provider.send(task, 0), { kind: "accepted", providerReference: "7" });
    assert.equal(smsc.open.length, 1, "the old connection is closed");
    assert.equal(sink.readinessChanges, 3, "up, down, up");
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]?.fields.detail ?? "", /no longer takes this bind for one: R/);
  });
}

for (const [what, answer] of [
  ["answered with RINVBNDSTS", respond("RINVBNDSTS")],
  ["answered with RSYSERR", respond("RSYSERR")],
  ["answered with RX_T_APPN", respond("RX_T_APPN")],
  ["answered with a generic_nack of RINVBNDSTS", nack("RINVBNDSTS")],
  ["answered with a generic_nack of RINVCMDID", nack("RINVCMDID")],
  ["answered with a generic_nack of no error", nack("ROK")],
] as const) {
  test(`an enquire_link ${what} makes the provider bind anew, without any traffic`, async (t) => {
    const { smsc, provider, warnings } = await makeRig(
      t,
      { enquireLinkSeconds: 1 },
      { enquire_link: atFirst(() => smsc, answer) },
    );
    await until("it is bound anew", () => smsc.received("bind_transceiver").length === 2 && provider.ready());
    assert.equal(smsc.open.length, 1, "the old connection is closed");
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]?.fields.detail ?? "", /enquire_link was answered with/);
  });
}

test("a whole window answered with RINVBNDSTS is certainly not taken, and costs one new bind and one warning", async (t) => {
  const { smsc, provider, warnings } = await makeRig(
    t,
    { windowSize: 10 },
    { submit_sm: atFirst(() => smsc, respond("RINVBNDSTS")) },
  );
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => provider.send(smsTask("Hello"), 0)));
  assert.ok(outcomes.every(isCertainlyNotTaken));
  await until("it is bound anew", () => provider.ready());
  assert.equal(smsc.received("bind_transceiver").length, 2);
  assert.equal(warnings.length, 1);
});

test("a submit that the SMSC took before it forgot the bind is still accepted", async (t) => {
  const { smsc, provider } = await makeRig(t, {}, { submit_sm: () => {} });
  const outcomes = [provider.send(smsTask("Hello"), 0), provider.send(smsTask("Hello"), 0)];
  await until("both are on the wire", () => smsc.received("submit_sm").length === 2);
  const [first, second] = smsc.received("submit_sm");
  const [connection] = smsc.connections;
  connection!.respond(second!, { status: COMMAND_STATUS.RINVBNDSTS.code });
  connection!.respond(first!, { message_id: "42" });
  assert.deepEqual(await outcomes[0], { kind: "accepted", providerReference: "42" });
  assert.ok(isCertainlyNotTaken(await outcomes[1]!));
});

test("with two binds the other carries on while the forgotten one is made anew", async (t) => {
  const { smsc, provider, sink } = await makeRig(
    t,
    { binds: 2 },
    { submit_sm: atFirst(() => smsc, respond("RINVBNDSTS")) },
  );
  await until("both are bound", () => smsc.received("bind_transceiver").length === 2);
  let refused = 0;
  for (let sent = 0; sent < 4; sent++) if (isCertainlyNotTaken(await provider.send(smsTask("Hello"), 0))) refused += 1;
  assert.equal(refused, 1);
  await until("the third bind is there", () => smsc.received("bind_transceiver").length === 3);
  assert.equal(sink.readinessChanges, 1, "it was ready all the time");
});

test("a receiver that the SMSC has forgotten is bound anew as well", async (t) => {
  const { smsc } = await makeRig(
    t,
    { bindMode: "transmitter_receiver", enquireLinkSeconds: 1 },
    {
      enquire_link: (connection, pdu) => {
        const isFirstReceiver =
          connection === smsc.connections.find(({ received }) => received[0]?.command === "bind_receiver");
        if (isFirstReceiver) respond("RINVBNDSTS")(connection, pdu);
        else connection.respond(pdu);
      },
    },
  );
  await until("the receiver is bound anew", () => smsc.received("bind_receiver").length === 2);
  assert.equal(smsc.received("bind_transmitter").length, 1);
});

test("an SMSC that takes every bind and forgets it at once is bound to ever more rarely", async (t) => {
  const delays: number[] = [];
  const smsc = await ScriptedSmsc.listen();
  const log = { ...SILENT_LOG, warn: (fields: object) => delays.push((fields as { failures: number }).failures) };
  const provider = buildProvider(testSettings(smsc.port), log);
  t.after(async () => {
    await smsc.close();
    await provider.stop();
  });
  smsc.script = { submit_sm: respond("RINVBNDSTS") };
  await provider.start(new RecordingSink());
  for (let round = 1; round <= 5; round++) {
    await until("it is bound", () => provider.ready());
    await provider.send(smsTask("Hello"), 0);
    await until("the loss is counted", () => delays.length === round);
  }
  // What the back-off grows by; it does not start anew with a bind that served nothing.
  assert.deepEqual(delays, [1, 2, 3, 4, 5]);
});

test("a vendor that means something else by RINVBNDSTS keeps its bind", async (t) => {
  const { smsc, provider } = await makeRig(
    t,
    { statusMap: { "0x04": { kind: "rejected", scope: "order", code: "dnd" } } },
    { submit_sm: respond("RINVBNDSTS") },
  );
  const outcome = await provider.send(smsTask("Hello"), 0);
  assert.equal(outcome.kind === "rejected" && outcome.code, "dnd");
  assert.equal(provider.ready(), true);
  assert.equal(smsc.received("bind_transceiver").length, 1);
});

test("with enquireLinkSeconds 0 an SMSC that does not know enquire_link is never asked", async (t) => {
  const { smsc, provider } = await makeRig(t, { enquireLinkSeconds: 0 }, {});
  assert.equal((await provider.send(smsTask("Hello"), 0)).kind, "accepted");
  assert.equal(smsc.received("enquire_link").length, 0);
});
