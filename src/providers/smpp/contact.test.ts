import assert from "node:assert/strict";
import { test } from "node:test";
import { RecordingSink, TEST_DEPS } from "../../testing/purchase-task.ts";
import { waitFor } from "../../testing/wait-for.ts";
import { smpp } from "./index.ts";
import { ScriptedSmsc } from "./scripted-smsc.ts";
import { SILENT_LOG, testSettings } from "./test-rig.ts";
import { COMMAND_STATUS } from "./wire/status.ts";

for (const [status, state, words] of [
  ["RINVPASWD", "refused", /credentials refused: RINVPASWD/],
  ["RINVSYSID", "refused", /credentials refused: RINVSYSID/],
  ["RBINDFAIL", "refused", /bind refused: RBINDFAIL/],
  ["RALYBND", "refused", /bind refused: RALYBND/],
  ["RINVSYSTYP", "refused", /bind refused: RINVSYSTYP/],
  ["RSYSERR", "refused", /bind refused: RSYSERR/],
] as const)
  test(`an SMSC that answers a bind with ${status} is ${state}, and what goes on is written to the log once`, async (t) => {
    const smsc = await ScriptedSmsc.listen();
    const lines: string[] = [];
    const log = {
      ...SILENT_LOG,
      warn: (_: object, line: string) => void lines.push(line),
      error: (_: object, line: string) => void lines.push(line),
    };
    smsc.script = {
      bind_transceiver: (connection, pdu) => connection.respond(pdu, { status: COMMAND_STATUS[status].code }),
    };
    const built = smpp.build("smsc", testSettings(smsc.port), { ...TEST_DEPS, log });
    assert.ok(built.ok);
    t.after(async () => {
      await built.value.stop();
      await smsc.close();
    });
    await built.value.start(new RecordingSink());
    await waitFor(
      "several binds",
      () => smsc.received("bind_transceiver").length >= (/PASW|SYSID/.test(status) ? 1 : 4),
    );
    const contact = await waitFor("the refusal", () => {
      const said = built.value.contact?.();
      return said?.state === "asking" ? undefined : said;
    });
    assert.deepEqual([contact?.state, contact?.reachedAt], [state, null]);
    assert.match(contact?.detail ?? "", words);
    assert.equal(lines.length, 1);
  });

test("an SMSC that takes the bind is reached, when it goes away it was reached last then, and each is told since when", async (t) => {
  const smsc = await ScriptedSmsc.listen();
  const built = smpp.build("smsc", testSettings(smsc.port), TEST_DEPS);
  assert.ok(built.ok);
  const { value: provider } = built;
  t.after(() => provider.stop());
  assert.equal(provider.contact?.().state, "asking");
  await provider.start(new RecordingSink());
  const reached = await waitFor("the bind", () => {
    const said = provider.contact?.();
    return said?.state === "reached" ? said : undefined;
  });
  await smsc.close();
  const lost = await waitFor("the loss", () => {
    const said = provider.contact?.();
    return said?.state === "not_reached" ? said : undefined;
  });
  assert.deepEqual(lost.reachedAt, reached.reachedAt);
  assert.ok(lost.since >= reached.since);
});

test("a host that takes the connection and answers no bind is known within ten seconds, though the bind may take longer", async (t) => {
  const smsc = await ScriptedSmsc.listen();
  smsc.script = { bind_transceiver: () => undefined };
  let nowMs = 0;
  const clock = { now: () => new Date(), monotonicMs: () => nowMs };
  const built = smpp.build("smsc", testSettings(smsc.port, { bindTimeoutMs: 60_000 }), { ...TEST_DEPS, clock });
  assert.ok(built.ok);
  t.after(async () => {
    await built.value.stop();
    await smsc.close();
  });
  await built.value.start(new RecordingSink());
  await waitFor("the bind", () => smsc.received("bind_transceiver").length === 1);
  nowMs = 7_999;
  assert.equal(built.value.contact?.().state, "asking");
  nowMs = 8_001;
  assert.deepEqual(
    [built.value.contact?.().state, built.value.contact?.().detail],
    ["not_reached", "no answer to a bind within 8000 ms"],
  );
});
