import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { decodeGsm7Unpacked } from "../../src/kernel/gsm7.ts";
import { correlationOf } from "../../src/ports/provider.ts";
import { buildProvider, RecordingSink, smsTask, testSettings, until } from "../../src/providers/smpp/test-rig.ts";
import { parseUserData } from "../../src/providers/smpp/wire/concat.ts";
import { needs } from "../../src/testing/needs.ts";

interface SmscLine {
  readonly port?: number;
  readonly command?: string;
  readonly [field: string]: unknown;
}

const SCRIPT = fileURLToPath(new URL("net-smpp-smsc.pl", import.meta.url));
const skip = needs("net-smpp");

/** The Perl SMSC in a process of its own and a provider bound to it; `lines` is what the SMSC read. */
async function makeRig(t: TestContext, settings: object = {}) {
  const smsc = spawn("perl", [SCRIPT], { stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(smsc, "exit");
  const complaints: string[] = [];
  smsc.stderr.on("data", (chunk: Buffer) => complaints.push(chunk.toString()));
  t.after(async () => {
    smsc.kill();
    await exited;
    if (complaints.length > 0) t.diagnostic(complaints.join(""));
  });
  const lines: SmscLine[] = [];
  createInterface(smsc.stdout).on("line", (line) => lines.push(JSON.parse(line) as SmscLine));
  await until("the SMSC names its port", () => lines[0]?.port !== undefined);

  const provider = buildProvider(
    testSettings(Number(lines[0]?.port), { messageIds: { submit: "hex", receipt: "decimal" }, ...settings }),
  );
  const sink = new RecordingSink();
  t.after(() => provider.stop());
  await provider.start(sink);
  await until("the provider is bound", () => provider.ready());
  return { provider, sink, lines, exited, of: (command: string) => lines.filter((line) => line.command === command) };
}

test("an SMSC on Net::SMPP takes a bind and a message, and its receipt finds the message", { skip }, async (t) => {
  // It names no version in its answer to the bind, and reads optional parameters all the same.
  const { provider, sink, of, exited } = await makeRig(t, { optionalParameters: "always" });
  assert.deepEqual([of("bind_transceiver")[0]?.system_id, of("bind_transceiver")[0]?.password], ["afara", "secret"]);
  const text = "Total: €5 [ok] @ _ $ £";
  const task = smsTask(text);
  const outcome = await provider.send(task, 0);
  await until("the receipt is acknowledged", () => of("deliver_sm_resp").length === 1);

  assert.deepEqual(outcome, { kind: "accepted", providerReference: "256" });
  const [submit] = of("submit_sm");
  assert.equal(decodeGsm7Unpacked(Buffer.from(String(submit?.octets), "hex")), text);
  assert.deepEqual([submit?.source, submit?.destination], ["Afara", "2348031234567"]);
  assert.equal(submit?.reference, correlationOf(task.orderId, 1, 0).toString(16).padStart(4, "0"));
  assert.deepEqual([sink.reports[0]?.providerReference, sink.reports[0]?.status], ["256", "delivered"]);
  assert.equal(of("deliver_sm_resp")[0]?.status, 0);

  await provider.stop();
  await exited;
  await until("the SMSC tells of the unbind", () => of("unbind").length === 1);
});

test("an SMSC on Net::SMPP reads the parts of a long UCS-2 message", { skip }, async (t) => {
  const { provider, sink, of } = await makeRig(t);
  const text = `${"ẹ".repeat(66)}😀₦${"ọ".repeat(20)}`;
  const task = smsTask(text);
  const pieces = provider.pieceCount(task);
  assert.equal(pieces, task.payload.segments);
  for (let piece = 0; piece < pieces; piece++) {
    assert.equal((await provider.send(task, piece)).kind, "accepted");
  }
  // The SMSC's words come through a pipe, its receipts through a socket: either may be first.
  await until("the SMSC tells of every acknowledgement", () => of("deliver_sm_resp").length === pieces);
  assert.equal(sink.reports.length, pieces);
  const shown = of("submit_sm").map(({ octets, data_coding, esm_class }) => {
    assert.deepEqual([data_coding, esm_class], [8, 0x40]);
    return Buffer.from(parseUserData(Buffer.from(String(octets), "hex")).body)
      .swap16()
      .toString("utf16le");
  });
  assert.equal(shown.join(""), text);
});

test("a handset's message from an SMSC on Net::SMPP is recorded, and its links are kept alive", { skip }, async (t) => {
  const { provider, sink, of } = await makeRig(t, { enquireLinkSeconds: 1 });
  await provider.send(smsTask("REPLY STOP"), 0);
  await until("it is recorded", () => sink.inbounds.length === 1);
  assert.deepEqual(
    [sink.inbounds[0]?.from, sink.inbounds[0]?.to, sink.inbounds[0]?.text],
    ["2348031234567", "32811", "STOP"],
  );
  await until("enquire_link was asked twice", () => of("enquire_link").length >= 2);
  assert.equal(provider.ready(), true);
});
