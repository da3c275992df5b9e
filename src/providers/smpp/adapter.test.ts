import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Log } from "../../kernel/log.ts";
import { correlationOf } from "../../ports/provider.ts";
import { ScriptedSmsc } from "./scripted-smsc.ts";
import { TEST_CERTIFICATE } from "./scripted-smsc-tls.ts";
import { buildProvider, RecordingSink, SILENT_LOG, smsTask, testSettings, until } from "./test-rig.ts";
import { COMMAND_STATUS } from "./wire/status.ts";
import { TAG, tlvCString, tlvU8 } from "./wire/tlv.ts";

interface RigOptions {
  readonly settings?: object;
  readonly tls?: boolean;
  readonly log?: Log;
  readonly script?: ScriptedSmsc["script"];
}

/** A scripted SMSC with a provider that is bound to it. */
async function makeRig(t: TestContext, { settings = {}, tls = false, log = SILENT_LOG, script = {} }: RigOptions = {}) {
  const smsc = await ScriptedSmsc.listen({ tls });
  smsc.script = script;
  const provider = buildProvider(testSettings(smsc.port, settings), log);
  const sink = new RecordingSink();
  t.after(async () => {
    await smsc.close();
    await provider.stop();
  });
  await provider.start(sink);
  return { smsc, provider, sink };
}

async function makeBoundRig(t: TestContext, options: RigOptions = {}) {
  const rig = await makeRig(t, options);
  await until("the provider is bound", () => rig.provider.ready());
  return rig;
}

test("a bind carries the credentials and version 3.4, and a submit is accepted under the SMSC's id", async (t) => {
  const { smsc, provider } = await makeBoundRig(t, { settings: { systemType: "ALERTS" } });
  const [bind] = smsc.received("bind_transceiver");
  assert.equal(bind?.system_id, "afara");
  assert.equal(bind?.password, "secret");
  assert.equal(bind?.system_type, "ALERTS");
  assert.equal(bind?.interface_version, 0x34);
  const task = smsTask("Hello");
  assert.deepEqual(await provider.send(task, 0), { kind: "accepted", providerReference: "1" });
  const [submit] = smsc.received("submit_sm");
  assert.equal(submit?.short_message.toString("latin1"), "Hello");
  assert.equal(
    submit?.tlvs.find(({ tag }) => tag === TAG.user_message_reference)?.value.readUInt16BE(0),
    correlationOf(task.orderId, 1, 0),
  );
});

test("it binds over TLS to an SMSC whose certificate is signed by the given authority", async (t) => {
  const { provider } = await makeBoundRig(t, { tls: true, settings: { tls: { ca: TEST_CERTIFICATE } } });
  assert.equal((await provider.send(smsTask("Hello"), 0)).kind, "accepted");
});

test("it does not bind over TLS to an SMSC whose certificate nobody vouches for", async (t) => {
  const warnings: object[] = [];
  const log = { ...SILENT_LOG, warn: (fields: object) => warnings.push(fields) };
  const { smsc, provider } = await makeRig(t, { tls: true, settings: { tls: true }, log });
  await until("the failure is logged", () => warnings.length > 0);
  assert.match(JSON.stringify(warnings[0]), /self-signed certificate/);
  assert.equal(smsc.received("bind_transceiver").length, 0);
  assert.equal(provider.ready(), false);
});

test("with transmitter_receiver it submits over the one and gets receipts over the other", async (t) => {
  const { smsc, provider, sink } = await makeBoundRig(t, { settings: { bindMode: "transmitter_receiver" } });
  await until("the receiver is bound", () => smsc.received("bind_receiver").length === 1);
  assert.equal(smsc.received("bind_transmitter").length, 1);
  await provider.send(smsTask("Hello"), 0);
  const receiver = smsc.connections.find(({ received }) => received[0]?.command === "bind_receiver");
  assert.equal(
    receiver?.received.some(({ command }) => command === "submit_sm"),
    false,
  );
  receiver?.send(receiptOf("1"));
  await until("the report is recorded", () => sink.reports.length === 1);
});

test("no answer within the time limit is unknown, never refused", async (t) => {
  const { provider } = await makeBoundRig(t, { settings: { responseTimeoutMs: 100 }, script: { submit_sm: () => {} } });
  assert.deepEqual(await provider.send(smsTask("Hello"), 0), {
    kind: "unknown",
    detail: "the SMSC did not answer in time",
  });
});

test("a connection closed in mid-window makes every submit under way unknown at once, and the provider binds again", async (t) => {
  const { smsc, provider } = await makeBoundRig(t, {
    settings: { responseTimeoutMs: 60_000 },
    script: { submit_sm: () => {} },
  });
  const outcomes = [1, 2, 3].map((number) => provider.send(smsTask(`Hello ${number}`), 0));
  await until("all are on the wire", () => smsc.received("submit_sm").length === 3);
  smsc.connections[0]?.socket.destroy();
  for (const outcome of await Promise.all(outcomes)) assert.equal(outcome.kind, "unknown");
  await until("it is bound again", () => smsc.received("bind_transceiver").length === 2 && provider.ready());
});

test("a PDU length out of bounds closes the connection: what was under way is unknown, and a new bind works", async (t) => {
  const { smsc, provider } = await makeBoundRig(t, {
    script: { submit_sm: ({ socket }) => socket.write(Buffer.from("7fffffff80000004", "hex")) },
  });
  assert.equal((await provider.send(smsTask("Hello"), 0)).kind, "unknown");
  smsc.script = {};
  await until("it is bound again", () => smsc.received("bind_transceiver").length === 2 && provider.ready());
  assert.equal((await provider.send(smsTask("Hello"), 0)).kind, "accepted");
});

test("a refusal without a body is read as the refusal it is", async (t) => {
  const { provider } = await makeBoundRig(t, {
    script: { submit_sm: ({ socket }, { sequence }) => socket.write(bare(0x8000_0004, 0x58, sequence)) },
  });
  const outcome = await provider.send(smsTask("Hello"), 0);
  assert.equal(outcome.kind === "throttled" && outcome.retryAfterMs, 1_000);
});

test("an acceptance without a message id is an acceptance, so that the message is not sent twice", async (t) => {
  const { provider } = await makeBoundRig(t, {
    script: { submit_sm: ({ socket }, { sequence }) => socket.write(bare(0x8000_0004, 0, sequence)) },
  });
  assert.deepEqual(await provider.send(smsTask("Hello"), 0), { kind: "accepted" });
});

for (const [what, body, reference] of [
  ["an id without its NUL", Buffer.from("8f3c"), "8f3c"],
  ["an id and an optional parameter that is cut short", Buffer.from("8f3c\0\x02\x04\0\x02z"), "8f3c"],
] as const) {
  test(`an acceptance with ${what} is an acceptance under that id, so that the message is not sent twice`, async (t) => {
    const { provider } = await makeBoundRig(t, {
      script: {
        submit_sm: ({ socket }, { sequence }) => {
          const octets = Buffer.concat([bare(0x8000_0004, 0, sequence), body]);
          octets.writeUInt32BE(octets.length, 0);
          socket.write(octets);
        },
      },
    });
    assert.deepEqual(await provider.send(smsTask("Hello"), 0), { kind: "accepted", providerReference: reference });
  });
}

test("a generic_nack with the submit's sequence is its answer", async (t) => {
  const { provider } = await makeBoundRig(t, {
    script: {
      submit_sm: (connection, { sequence }) =>
        connection.send({ command: "generic_nack", status: COMMAND_STATUS.RINVCMDID.code, sequence }),
    },
  });
  const outcome = await provider.send(smsTask("Hello"), 0);
  assert.equal(outcome.kind === "rejected" && outcome.code, "route_misconfigured");
});

test("with one of two binds dead, everything goes over the other", async (t) => {
  const { smsc, provider } = await makeBoundRig(t, { settings: { binds: 2 } });
  await until("both are bound", () => smsc.received("bind_transceiver").length === 2);
  smsc.script = { bind_transceiver: () => {} };
  smsc.connections[0]?.socket.destroy();
  await until("a third bind is tried", () => smsc.received("bind_transceiver").length === 3);
  assert.equal(provider.ready(), true);
  for (let sent = 0; sent < 4; sent++) assert.equal((await provider.send(smsTask("Hello"), 0)).kind, "accepted");
  assert.equal(smsc.connections[1]?.received.filter(({ command }) => command === "submit_sm").length, 4);
});

test("submits are shared between two binds", async (t) => {
  const { smsc, provider } = await makeBoundRig(t, { settings: { binds: 2 } });
  await until("both are bound", () => smsc.received("bind_transceiver").length === 2);
  await until("both answers are read", () => smsc.open.length === 2);
  for (let sent = 0; sent < 6; sent++) await provider.send(smsTask("Hello"), 0);
  for (const { received } of smsc.connections) {
    assert.ok(
      received.some(({ command }) => command === "submit_sm"),
      "each bind carries some",
    );
  }
});

test("with all binds dead it is not ready and answers throttled, certain that nothing was sent, until it is bound again", async (t) => {
  const { smsc, provider, sink } = await makeBoundRig(t, { settings: { binds: 2 } });
  await until("both are bound", () => smsc.received("bind_transceiver").length === 2);
  const { port } = smsc;
  await smsc.close();
  await until("it is not ready", () => !provider.ready());
  const outcome = await provider.send(smsTask("Hello"), 0);
  assert.equal(outcome.kind === "throttled" && outcome.retryAfterMs, 1_000);
  assert.equal(smsc.received("submit_sm").length, 0);

  const back = await ScriptedSmsc.listen({ port });
  t.after(() => back.close());
  await until("it is ready again", () => provider.ready());
  assert.equal((await provider.send(smsTask("Hello"), 0)).kind, "accepted");
  assert.equal(sink.readinessChanges, 3, "up, down, up");
});

test("an SMSC that unbinds is answered, and the provider binds again", async (t) => {
  const { smsc, provider } = await makeBoundRig(t);
  smsc.connections[0]?.send({ command: "unbind", sequence: 1 });
  await until("it is bound again", () => smsc.received("bind_transceiver").length === 2 && provider.ready());
  assert.equal(smsc.received("unbind_resp").length, 1);
});

test("refused credentials are logged as an error and are not tried again soon", async (t) => {
  const errors: { readonly retryInMs?: number }[] = [];
  const log = { ...SILENT_LOG, error: (fields: object) => errors.push(fields) };
  const { smsc } = await makeRig(t, {
    log,
    script: {
      bind_transceiver: (connection, bind) => connection.respond(bind, { status: COMMAND_STATUS.RINVPASWD.code }),
    },
  });
  await until("the error is logged", () => errors.length === 1);
  assert.ok((errors[0]?.retryInMs ?? 0) >= 5 * 60_000);
  assert.equal(smsc.received("bind_transceiver").length, 1);
});

test("another refusal of the bind is tried again", async (t) => {
  const { smsc } = await makeRig(t, {
    script: {
      bind_transceiver: (connection, bind) => connection.respond(bind, { status: COMMAND_STATUS.RALYBND.code }),
    },
  });
  await until("it is tried a third time", () => smsc.received("bind_transceiver").length >= 3);
});

test("never more submits are without an answer than the window allows, and none is forgotten", async (t) => {
  let waiting = 0;
  let waitingMost = 0;
  const { provider } = await makeBoundRig(t, {
    settings: { windowSize: 3, responseTimeoutMs: 60_000 },
    script: {
      submit_sm: (connection, submit) => {
        waitingMost = Math.max(waitingMost, ++waiting);
        setImmediate(() => {
          waiting -= 1;
          connection.respond(submit, { message_id: String(submit.sequence) });
        });
      },
    },
  });
  const outcomes = [];
  for (let batch = 0; batch < 10; batch++) {
    // As many again may wait as the window holds.
    outcomes.push(...(await Promise.all(Array.from({ length: 6 }, () => provider.send(smsTask("Hello"), 0)))));
  }
  assert.equal(outcomes.filter(({ kind }) => kind === "accepted").length, 60);
  assert.equal(waitingMost, 3);
});

test("beyond window and waiting room it answers throttled instead of piling up", async (t) => {
  const { provider } = await makeBoundRig(t, {
    settings: { windowSize: 1, responseTimeoutMs: 200 },
    script: { submit_sm: () => {} },
  });
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => provider.send(smsTask("Hello"), 0)));
  assert.deepEqual([first?.kind, second?.kind, third?.kind], ["unknown", "throttled", "throttled"]);
});

test("when the lease may have passed on, nothing is written and the same order may be tried at once", async (t) => {
  const { smsc, provider } = await makeBoundRig(t);
  const outcome = await provider.send(smsTask("Hello", { mayStillSend: () => false }), 0);
  assert.equal(outcome.kind === "throttled" && outcome.retryAfterMs, 0);
  assert.equal((await provider.send(smsTask("Hello"), 0)).kind, "accepted");
  assert.equal(smsc.received("submit_sm").length, 1);
});

test("the lease is asked about when a waiting submit's turn comes, not when it began to wait", async (t) => {
  let holdsLease = true;
  const { smsc, provider } = await makeBoundRig(t, { settings: { windowSize: 1 }, script: { submit_sm: () => {} } });
  const first = provider.send(smsTask("Hello"), 0);
  const second = provider.send(smsTask("Hello", { mayStillSend: () => holdsLease }), 0);
  await until("the first is on the wire", () => smsc.received("submit_sm").length === 1);
  holdsLease = false;
  const [connection] = smsc.connections;
  connection?.respond(smsc.received("submit_sm")[0]!, { message_id: "7" });
  assert.equal((await first).kind, "accepted");
  assert.equal((await second).kind, "throttled");
  assert.equal(smsc.received("submit_sm").length, 1);
});

const receiptOf = (id: string, stat = "DELIVRD") =>
  ({
    command: "deliver_sm",
    sequence: 77,
    esm_class: 0x04,
    source_addr: "2348031234567",
    destination_addr: "Afara",
    short_message: Buffer.from(`id:${id} sub:001 dlvrd:001 stat:${stat} err:000`),
  }) as const;

test("a receipt that overtakes the submit's answer names the same message", async (t) => {
  const { provider, sink } = await makeBoundRig(t, {
    settings: { messageIds: { submit: "hex", receipt: "decimal" } },
    script: {
      submit_sm: (connection, submit) => {
        connection.send(receiptOf("0000000255"));
        connection.respond(submit, { message_id: "FF" });
      },
    },
  });
  const outcome = await provider.send(smsTask("Hello"), 0);
  await until("the report is recorded", () => sink.reports.length === 1);
  assert.equal(outcome.kind === "accepted" && outcome.providerReference, "255");
  assert.equal(sink.reports[0]?.providerReference, "255");
});

test("a receipt is acknowledged only after its commit", async (t) => {
  const { smsc, sink } = await makeBoundRig(t);
  const commit = Promise.withResolvers<void>();
  sink.commit = () => commit.promise;
  const [connection] = smsc.connections;
  connection?.send(receiptOf("1"));
  connection?.send({ command: "enquire_link", sequence: 78 });
  await until("what came after it is answered", () => smsc.received("enquire_link_resp").length === 1);
  assert.equal(smsc.received("deliver_sm_resp").length, 0);
  commit.resolve();
  await until("it is acknowledged", () => smsc.received("deliver_sm_resp").length === 1);
  assert.deepEqual(
    [smsc.received("deliver_sm_resp")[0]?.status, smsc.received("deliver_sm_resp")[0]?.sequence],
    [0, 77],
  );
});

test("a receipt whose commit fails is answered with a temporary error, so that the SMSC delivers it again", async (t) => {
  const { smsc, sink } = await makeBoundRig(t);
  sink.commit = () => Promise.reject(new Error("the database is away"));
  smsc.connections[0]?.send(receiptOf("1"));
  await until("it is answered", () => smsc.received("deliver_sm_resp").length === 1);
  assert.equal(smsc.received("deliver_sm_resp")[0]?.status, COMMAND_STATUS.RX_T_APPN.code);
});

test("a receipt that names no message is acknowledged and recorded nowhere", async (t) => {
  const { smsc, sink } = await makeBoundRig(t);
  smsc.connections[0]?.send({ ...receiptOf("1"), short_message: Buffer.from("stat:DELIVRD") });
  await until("it is answered", () => smsc.received("deliver_sm_resp").length === 1);
  assert.equal(smsc.received("deliver_sm_resp")[0]?.status, 0);
  assert.equal(sink.reports.length, 0);
});

test("a receipt in a data_sm is recorded and answered with data_sm_resp", async (t) => {
  const { smsc, sink } = await makeBoundRig(t);
  smsc.connections[0]?.send({
    command: "data_sm",
    sequence: 5,
    esm_class: 0x04,
    source_addr: "2348031234567",
    tlvs: [tlvCString(TAG.receipted_message_id, "9"), tlvU8(TAG.message_state, 2)],
  });
  await until("it is answered", () => smsc.received("data_sm_resp").length === 1);
  assert.equal(sink.reports[0]?.status, "delivered");
});

test("a handset's message is recorded before it is acknowledged", async (t) => {
  const { smsc, sink } = await makeBoundRig(t);
  smsc.connections[0]?.send({
    command: "deliver_sm",
    sequence: 3,
    source_addr: "2348031234567",
    destination_addr: "32811",
    short_message: Buffer.from("STOP"),
  });
  await until("it is acknowledged", () => smsc.received("deliver_sm_resp").length === 1);
  const [message] = sink.inbounds;
  assert.deepEqual([message?.from, message?.to, message?.text], ["2348031234567", "32811", "STOP"]);
});

test("a request that is none of an ESME's business is answered, and the connection goes on", async (t) => {
  const { smsc, provider } = await makeBoundRig(t);
  const [connection] = smsc.connections;
  connection?.socket.write(bare(0x0000_0021, 0, 40));
  connection?.send({ command: "query_sm", sequence: 41 });
  const cut = Buffer.concat([bare(0x0000_0005, 0, 42), Buffer.from("x")]);
  cut.writeUInt32BE(cut.length, 0);
  connection?.socket.write(cut);
  await until("all are answered", () => smsc.received("deliver_sm_resp").length === 1);
  assert.deepEqual(
    [smsc.received("generic_nack"), smsc.received("query_sm_resp"), smsc.received("deliver_sm_resp")].map(
      ([answer]) => [answer?.status, answer?.sequence],
    ),
    [
      [COMMAND_STATUS.RINVCMDID.code, 40],
      [COMMAND_STATUS.RINVCMDID.code, 41],
      [COMMAND_STATUS.RX_P_APPN.code, 42],
    ],
  );
  assert.equal((await provider.send(smsTask("Hello"), 0)).kind, "accepted");
});

test("stopping waits for the answers under way, unbinds, and may be done twice", async (t) => {
  const { smsc, provider } = await makeBoundRig(t, { script: { submit_sm: () => {} } });
  const outcome = provider.send(smsTask("Hello"), 0);
  await until("it is on the wire", () => smsc.received("submit_sm").length === 1);
  const stopped = Promise.all([provider.stop(), provider.stop()]);
  assert.equal((await provider.send(smsTask("Hello"), 0)).kind, "throttled");
  assert.equal(smsc.received("unbind").length, 0);
  smsc.connections[0]?.respond(smsc.received("submit_sm")[0]!, { message_id: "1" });
  assert.equal((await outcome).kind, "accepted");
  await stopped;
  assert.equal(smsc.received("unbind").length, 1);
  assert.equal(provider.ready(), false);
});

test("the rate is kept over any second, whatever the window allows", async (t) => {
  const at: number[] = [];
  const { provider } = await makeBoundRig(t, {
    settings: { windowSize: 100, ratePerSecond: 100 },
    script: {
      submit_sm: (connection, submit) => {
        at.push(performance.now());
        connection.respond(submit, { message_id: String(submit.sequence) });
      },
    },
  });
  const begunMs = performance.now();
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => provider.send(smsTask("Hello"), 0)));
  assert.ok(outcomes.every(({ kind }) => kind === "accepted"));
  // 10 at once, the other 30 one every 10 ms; a slow machine only makes it longer.
  assert.ok(at.at(-1)! - begunMs >= 280, `40 submits took ${at.at(-1)! - begunMs} ms`);
});

/** A PDU of a header alone. */
function bare(commandId: number, status: number, sequence: number): Buffer {
  const octets = Buffer.alloc(16);
  octets.writeUInt32BE(16, 0);
  octets.writeUInt32BE(commandId, 4);
  octets.writeUInt32BE(status, 8);
  octets.writeUInt32BE(sequence, 12);
  return octets;
}
