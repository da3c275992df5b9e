import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Provider, ProviderTask } from "../../ports/provider.ts";
import type { SmsPayload } from "../../ports/sms-payload.ts";
import { type ScriptedConnection, ScriptedSmsc } from "./scripted-smsc.ts";
import { buildProvider, RecordingSink, SILENT_LOG, smsTask, testSettings, until } from "./test-rig.ts";
import { parseUserData } from "./wire/concat.ts";
import type { Pdu, PduOf } from "./wire/pdu.ts";
import { COMMAND_STATUS, type StatusName } from "./wire/status.ts";
import { findTlv, TAG, tlvU8 } from "./wire/tlv.ts";

interface Options {
  /** sc_interface_version in the answer to the bind; null: it is not there. */
  readonly version: number | null;
  readonly settings?: object;
  /** What submits with optional parameters are answered with; without one they are taken. */
  readonly refusal?: StatusName;
  readonly asNack?: boolean;
}

async function makeRig(t: TestContext, { version, settings = {}, refusal, asNack = false }: Options) {
  const smsc = await ScriptedSmsc.listen();
  const warnings: string[] = [];
  const log = { ...SILENT_LOG, warn: (_: object, words: string) => warnings.push(words) };
  const provider = buildProvider(testSettings(smsc.port, settings), log);
  t.after(async () => {
    await smsc.close();
    await provider.stop();
  });
  let taken = 0;
  smsc.script = {
    bind_transceiver: (connection, bind) =>
      connection.respond(bind, version === null ? {} : { tlvs: [tlvU8(TAG.sc_interface_version, version)] }),
    submit_sm: (connection, submit) => {
      if (refusal === undefined || submit.tlvs.length === 0) {
        connection.respond(submit, { message_id: `id-${++taken}` });
        return;
      }
      refuse(connection, submit, refusal, asNack);
    },
  };
  await provider.start(new RecordingSink());
  await until("the provider is bound", () => provider.ready());
  return { smsc, provider, warnings };
}

function refuse(connection: ScriptedConnection, submit: Pdu, refusal: StatusName, asNack: boolean): void {
  const status = COMMAND_STATUS[refusal].code;
  if (asNack) connection.send({ command: "generic_nack", status, sequence: submit.sequence });
  else connection.respond(submit, { status });
}

/** As the engine does: the number of pieces is asked for, then each is sent. */
async function sendWhole(provider: Provider<SmsPayload>, task: ProviderTask<SmsPayload>) {
  const count = provider.pieceCount(task);
  const outcomes = [];
  for (let piece = 0; piece < count; piece++) outcomes.push(await provider.send(task, piece));
  return outcomes;
}

const textOf = (submits: readonly PduOf<"submit_sm">[]) =>
  submits
    .map(({ esm_class, short_message }) => (esm_class & 0x40 ? parseUserData(short_message).body : short_message))
    .join("");

const LONG = "All about a long text. ".repeat(12);

for (const version of [null, 0x33, 0x00]) {
  const name = version === null ? "without sc_interface_version" : `with version 0x${version.toString(16)}`;
  for (const longMessages of ["udh8", "udh16", "sar", "message_payload"] as const) {
    test(`a bind answered ${name}: nothing has optional parameters, with longMessages ${longMessages}`, async (t) => {
      const { smsc, provider } = await makeRig(t, {
        version,
        settings: { longMessages, traceTlv: true },
        refusal: "ROPTPARNOTALLWD",
      });
      for (const text of ["Hello", LONG]) {
        const before = smsc.received("submit_sm").length;
        const outcomes = await sendWhole(provider, smsTask(text));
        assert.deepEqual([...new Set(outcomes.map(({ kind }) => kind))], ["accepted"]);
        const submits = smsc.received("submit_sm").slice(before);
        assert.ok(submits.every(({ tlvs }) => tlvs.length === 0));
        assert.equal(textOf(submits), text);
      }
    });
  }
}

test("version 3.4 and later versions get the message's reference", async (t) => {
  for (const version of [0x34, 0x50]) {
    const { smsc, provider } = await makeRig(t, { version });
    await provider.send(smsTask("Hello"), 0);
    assert.notEqual(findTlv(smsc.received("submit_sm")[0]!.tlvs, TAG.user_message_reference), undefined);
  }
});

test("optionalParameters always sends them to an SMSC that names no version; never keeps them from one that does", async (t) => {
  const always = await makeRig(t, { version: null, settings: { optionalParameters: "always" } });
  await always.provider.send(smsTask("Hello"), 0);
  assert.equal(always.smsc.received("submit_sm")[0]?.tlvs.length, 1);
  const never = await makeRig(t, { version: 0x34, settings: { optionalParameters: "never", longMessages: "sar" } });
  await sendWhole(never.provider, smsTask(LONG));
  assert.ok(never.smsc.received("submit_sm").every(({ tlvs }) => tlvs.length === 0));
  assert.equal(textOf(never.smsc.received("submit_sm")), LONG);
});

for (const refusal of [
  "RINVCMDLEN",
  "RINVCMDID",
  "RINVOPTPARSTREAM",
  "ROPTPARNOTALLWD",
  "RINVPARLEN",
  "RMISSINGOPTPARAM",
  "RINVOPTPARAMVAL",
] as const) {
  for (const asNack of [false, true]) {
    test(`${asNack ? "a nack with " : ""}${refusal} to optional parameters: sent again without, learned for the bind`, async (t) => {
      const { smsc, provider, warnings } = await makeRig(t, { version: 0x34, refusal, asNack });
      assert.deepEqual(await provider.send(smsTask("Hello"), 0), { kind: "accepted", providerReference: "id-1" });
      assert.deepEqual(await provider.send(smsTask("Hello"), 0), { kind: "accepted", providerReference: "id-2" });
      assert.deepEqual(
        smsc.received("submit_sm").map(({ tlvs }) => tlvs.length),
        [1, 0, 0],
      );
      assert.equal(warnings.length, 1);
    });
  }
}

test("sar_* that are refused go as parts with a header, every one of them once", async (t) => {
  const { smsc, provider } = await makeRig(t, {
    version: 0x34,
    settings: { longMessages: "sar" },
    refusal: "ROPTPARNOTALLWD",
  });
  const outcomes = await sendWhole(provider, smsTask(LONG));
  assert.deepEqual([...new Set(outcomes.map(({ kind }) => kind))], ["accepted"]);
  const taken = smsc.received("submit_sm").filter(({ tlvs }) => tlvs.length === 0);
  assert.equal(textOf(taken), LONG);
  assert.equal(new Set(taken.map(({ short_message }) => parseUserData(short_message).concat?.reference)).size, 1);
});

for (const refusal of ["ROPTPARNOTALLWD", "RINVMSGLEN"] as const) {
  test(`message_payload refused with ${refusal}: nothing was taken, and the engine's next try goes in parts`, async (t) => {
    const { smsc, provider } = await makeRig(t, {
      version: 0x34,
      settings: { longMessages: "message_payload" },
      refusal,
    });
    const task = smsTask(LONG);
    assert.equal(provider.pieceCount(task), 1);
    const first = await provider.send(task, 0);
    assert.equal(first.kind === "throttled" && first.retryAfterMs, 0);
    const next = { ...task, attempt: 2 };
    assert.equal(provider.pieceCount(next), 2);
    const outcomes = await sendWhole(provider, next);
    assert.deepEqual([...new Set(outcomes.map(({ kind }) => kind))], ["accepted"]);
    assert.equal(textOf(smsc.received("submit_sm").slice(1)), LONG);
  });
}

test("a refusal that the submit meets without parameters too is the message's, and the bind keeps its parameters", async (t) => {
  const { smsc, provider } = await makeRig(t, { version: 0x34 });
  const script = smsc.script;
  smsc.script = { submit_sm: (connection, submit) => refuse(connection, submit, "RINVCMDLEN", false) };
  const outcome = await provider.send(smsTask("Hello"), 0);
  assert.equal(outcome.kind === "rejected" && outcome.code, "route_misconfigured");
  smsc.script = script;
  await provider.send(smsTask("Hello"), 0);
  assert.deepEqual(
    smsc.received("submit_sm").map(({ tlvs }) => tlvs.length),
    [1, 0, 1],
  );
});

test("the second try has no time of its own: without an answer to it the submit is unknown", async (t) => {
  const { smsc, provider } = await makeRig(t, { version: 0x34, settings: { responseTimeoutMs: 200 } });
  smsc.script = {
    submit_sm: (connection, submit) => {
      if (submit.tlvs.length > 0) refuse(connection, submit, "ROPTPARNOTALLWD", false);
    },
  };
  assert.deepEqual(await provider.send(smsTask("Hello"), 0), {
    kind: "unknown",
    detail: "the SMSC did not answer in time",
  });
});

test("when the lease has passed on after the refusal, nothing is sent again", async (t) => {
  let asked = 0;
  const { smsc, provider } = await makeRig(t, { version: 0x34, refusal: "ROPTPARNOTALLWD" });
  const outcome = await provider.send(smsTask("Hello", { mayStillSend: () => ++asked === 1 }), 0);
  assert.equal(outcome.kind === "throttled" && outcome.retryAfterMs, 0);
  assert.equal(smsc.received("submit_sm").length, 1);
});

test("a vendor that uses 0xC1 in a way of its own is answered by its map, and sent nothing again", async (t) => {
  const { smsc, provider } = await makeRig(t, {
    version: 0x34,
    settings: { statusMap: { "0xc1": { kind: "rejected", scope: "order", code: "dnd" } } },
    refusal: "ROPTPARNOTALLWD",
  });
  const outcome = await provider.send(smsTask("Hello"), 0);
  assert.equal(outcome.kind === "rejected" && outcome.code, "dnd");
  assert.equal(smsc.received("submit_sm").length, 1);
});
