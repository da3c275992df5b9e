import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { buildProvider, RecordingSink, SILENT_LOG, smsTask, testSettings } from "../../src/providers/smpp/test-rig.ts";
import type { SmscFaults } from "../../src/simulators/smsc/faults.ts";
import { eventually, testSmsc } from "../../src/simulators/smsc/rig.ts";

/** The adapter, bound to the simulator. */
async function makeRig(t: TestContext, settings: object = {}, faults: Partial<SmscFaults> = {}) {
  const { smsc, port } = await testSmsc(t, { faults });
  const warnings: object[] = [];
  const log = { ...SILENT_LOG, warn: (fields: object) => warnings.push(fields) };
  const provider = buildProvider(testSettings(port, settings), log);
  const sink = new RecordingSink();
  t.after(() => provider.stop());
  await provider.start(sink);
  await eventually(() => provider.ready());
  let orders = 0;
  /** Sends all pieces, and gives what the handset shows then. */
  const shownOf = async (text: string) => {
    const recipient = `23480312${String(++orders).padStart(5, "0")}`;
    const task = smsTask(text, { recipient });
    for (let piece = 0; piece < provider.pieceCount(task); piece++)
      assert.equal((await provider.send(task, piece)).kind, "accepted", `${text.length} characters, piece ${piece}`);
    const [message] = await eventually(() => {
      const messages = smsc.handsets.messages(recipient);
      return messages.length > 0 && messages;
    });
    return message!.text;
  };
  return { smsc, provider, sink, warnings, shownOf };
}

const LENGTHS = [1, 134, 139, 140, 141, 150, 153, 160, 161, 200, 268, 269, 306, 307, 400];

for (const longMessages of ["udh8", "udh16", "sar", "message_payload"] as const) {
  for (const [defaultAlphabet, dataCodingGsm] of [
    ["latin1", 3],
    ["ascii", 1],
    ["gsm7", 0],
    ["gsm7", 0xf1],
  ] as const) {
    test(`texts of any length arrive in ${defaultAlphabet} under data_coding ${dataCodingGsm} with ${longMessages}`, async (t) => {
      const { shownOf } = await makeRig(t, { defaultAlphabet, dataCodingGsm, longMessages });
      for (const length of LENGTHS) {
        const text = "Cost: N5, at 7 [pm] ".repeat(20).slice(0, length);
        assert.equal(await shownOf(text), text);
      }
    });
  }
}

for (const optionalParameters of ["unsaid", "refused"] as const) {
  for (const longMessages of ["udh8", "sar", "message_payload"] as const) {
    test(`an SMSC whose optional parameters are ${optionalParameters} gets long texts with ${longMessages} whole`, async (t) => {
      const { smsc, shownOf } = await makeRig(t, { longMessages }, { optionalParameters });
      const text = "All about a long text. ".repeat(20);
      assert.equal(await shownOf(text), text);
      assert.ok(
        smsc.submissions(0, 100).submissions.every(({ userMessageReference }) => userMessageReference === undefined),
      );
    });
  }
}

test("binds that the SMSC has forgotten are made anew, and what was refused meanwhile is sent then", async (t) => {
  const { smsc, provider, warnings, shownOf } = await makeRig(t);
  smsc.forgetBinds();
  const outcome = await provider.send(smsTask("Hello"), 0);
  assert.equal(outcome.kind, "throttled");
  assert.equal(provider.ready(), false);
  await eventually(() => provider.ready());
  assert.equal(await shownOf("Hello"), "Hello");
  assert.equal(warnings.length, 1);
});
