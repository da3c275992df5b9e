import assert from "node:assert/strict";
import { test } from "node:test";
import { parseReceiptText } from "../../providers/smpp/wire/receipt.ts";
import { COMMAND_STATUS } from "../../providers/smpp/wire/status.ts";
import { readTlvCString, TAG } from "../../providers/smpp/wire/tlv.ts";
import { Esme } from "./esme.ts";
import { changeFaults, NO_FAULTS } from "./faults.ts";
import { eventually, loggedLines, testSmsc } from "./rig.ts";

const PHONE = "2348031234567";

test("the next submits stay unanswered and untaken, and then all is as before", async (t) => {
  const { smsc, port } = await testSmsc(t, { faults: { unansweredSubmits: 2 } });
  const esme = await Esme.bound(port);
  const lost = [esme.sendSubmit(PHONE, "one"), esme.sendSubmit(PHONE, "two")];
  assert.equal((await esme.submit(PHONE, "three")).status, 0);
  await esme.until(() => esme.deliveries[0]);
  assert.equal(
    esme.received.filter(({ command, sequence }) => command === "submit_sm_resp" && lost.includes(sequence)).length,
    0,
  );
  assert.deepEqual(
    smsc.handsets.messages(PHONE).map(({ text }) => text),
    ["three"],
  );
});

test("a submit whose answer is lost is delivered and receipted all the same", async (t) => {
  const { smsc, port } = await testSmsc(t, { faults: { unansweredSubmits: 1, unansweredAreTaken: true } });
  const esme = await Esme.bound(port);
  esme.sendSubmit(PHONE, "hello");
  await esme.until(() => esme.deliveries[0]);
  assert.equal(esme.received.filter(({ command }) => command === "submit_sm_resp").length, 0);
  assert.equal(smsc.handsets.messages(PHONE).length, 1);
});

test("the next submits are throttled or fail, and none of them is taken", async (t) => {
  const { smsc, port } = await testSmsc(t, { faults: { throttledSubmits: 2, failedSubmits: 1 } });
  const esme = await Esme.bound(port);
  const statuses: number[] = [];
  for (let submit = 0; submit < 4; submit++) statuses.push((await esme.submit(PHONE, "hello")).status);
  const { RTHROTTLED, RSYSERR } = COMMAND_STATUS;
  assert.deepEqual(statuses, [RTHROTTLED.code, RTHROTTLED.code, RSYSERR.code, 0]);
  assert.equal(smsc.stats.taken, 1);
});

test("a cut in mid-window: all of the window is taken and logged, none of it answered", async (t) => {
  const { smsc, port, dataDir } = await testSmsc(t, { faults: { disconnectAfterSubmits: 5, receiptDelayMs: 5_000 } });
  const esme = await Esme.bound(port);
  for (let submit = 0; submit < 8; submit++) esme.sendSubmit(PHONE, `message ${submit}`);
  await esme.closed();
  assert.equal(esme.received.filter(({ command }) => command === "submit_sm_resp").length, 0);
  const lines = await loggedLines(dataDir);
  assert.deepEqual(
    lines.map((line) => line.kind === "submit" && [line.status, line.messageId !== null]),
    new Array(5).fill([null, true]),
  );
  const again = await Esme.bound(port);
  assert.equal((await again.submit(PHONE, "after")).status, 0);
  assert.equal(smsc.faults.disconnectAfterSubmits, 0);
});

test("handset and receipt come after the delay that was set when the message was taken", async (t) => {
  const { smsc, port } = await testSmsc(t, { faults: { receiptDelayMs: 400 } });
  const esme = await Esme.bound(port);
  const startedMs = performance.now();
  await esme.submit("2348031234001", "late");
  smsc.setFaults({ receiptDelayMs: 0 });
  await esme.submit("2348031234002", "early");
  await esme.until(() => esme.deliveries.length === 1);
  assert.deepEqual(smsc.handsets.messages("2348031234001"), []);
  await esme.until(() => esme.deliveries.length === 2);
  assert.ok(performance.now() - startedMs >= 400);
  assert.deepEqual(
    esme.deliveries.map(({ source_addr }) => source_addr),
    ["2348031234002", "2348031234001"],
  );
});

test("duplicate receipts come twice each, unordered ones with ENROUTE after the end", async (t) => {
  const { smsc, port } = await testSmsc(t, { faults: { duplicateReceipts: true } });
  const esme = await Esme.bound(port);
  const stats = () =>
    esme.deliveries.map(({ short_message }) => parseReceiptText(short_message.toString("latin1"))?.stat);
  await esme.submit(PHONE, "hello");
  await esme.until(() => esme.deliveries.length === 2);
  assert.deepEqual(stats(), ["DELIVRD", "DELIVRD"]);
  smsc.setFaults({ duplicateReceipts: false, unorderedReceipts: true });
  await esme.submit(PHONE, "hello");
  await esme.until(() => esme.deliveries.length === 4);
  assert.deepEqual(stats().slice(2), ["DELIVRD", "ENROUTE"]);
});

test("a receipt before the response: the ESME reads of the delivery before it knows the message's id", async (t) => {
  const { port } = await testSmsc(t, { faults: { receiptBeforeResponse: true } });
  const esme = await Esme.bound(port);
  const answer = await esme.submit(PHONE, "hello");
  const receipt = esme.deliveries[0];
  assert.ok(receipt && esme.received.indexOf(receipt) < esme.received.indexOf(answer));
  assert.equal(
    readTlvCString(receipt.tlvs, TAG.receipted_message_id),
    answer.command === "submit_sm_resp" && answer.message_id,
  );
});

for (const [responseIds, receiptIds] of [
  ["hex", "decimal"],
  ["decimal", "hex"],
] as const)
  test(`ids are ${responseIds} in answers and ${receiptIds} in receipts when that is asked for`, async (t) => {
    const { port } = await testSmsc(t, { faults: { responseIds, receiptIds } });
    const esme = await Esme.bound(port);
    const answer = await esme.submit(PHONE, "hello");
    const receipt = await esme.until(() => esme.deliveries[0]);
    const inAnswer = answer.command === "submit_sm_resp" ? answer.message_id : "";
    const inReceipt = readTlvCString(receipt.tlvs, TAG.receipted_message_id) ?? "";
    assert.notEqual(inAnswer, inReceipt);
    const base = { hex: 16, decimal: 10 };
    assert.equal(Number.parseInt(inAnswer, base[responseIds]), Number.parseInt(inReceipt, base[receiptIds]));
    assert.equal(parseReceiptText(receipt.short_message.toString("latin1"))?.id, inReceipt);
  });

test("receipts can come without TLVs or without text", async (t) => {
  const { smsc, port } = await testSmsc(t, { faults: { receiptForm: "text_only" } });
  const esme = await Esme.bound(port);
  await esme.submit(PHONE, "hello");
  const withText = await esme.until(() => esme.deliveries[0]);
  assert.equal(withText.tlvs.length, 0);
  assert.equal(parseReceiptText(withText.short_message.toString("latin1"))?.stat, "DELIVRD");
  smsc.setFaults({ receiptForm: "tlvs_only" });
  await esme.submit(PHONE, "hello");
  const withTlvs = await esme.until(() => esme.deliveries[1]);
  assert.equal(withTlvs.short_message.length, 0);
  assert.ok(readTlvCString(withTlvs.tlvs, TAG.receipted_message_id));
});

test("paused receipts wait, and go out when they are let go", async (t) => {
  const { smsc, port } = await testSmsc(t, { faults: { receiptsPaused: true } });
  const esme = await Esme.bound(port);
  await esme.submit(PHONE, "hello");
  await eventually(() => smsc.handsets.messages(PHONE).length === 1);
  await esme.ask({ command: "enquire_link" });
  assert.equal(esme.deliveries.length, 0);
  smsc.setFaults({ receiptsPaused: false });
  await esme.until(() => esme.deliveries[0]);
});

test("refused binds are answered RBINDFAIL and the connection is closed", async (t) => {
  const { smsc, port } = await testSmsc(t, { faults: { bindsRefused: true } });
  const esme = await Esme.connect(port);
  const answer = await esme.ask({ command: "bind_transceiver", system_id: "esme" });
  assert.equal(answer.status, COMMAND_STATUS.RBINDFAIL.code);
  await esme.closed();
  smsc.setFaults({ bindsRefused: false });
  await Esme.bound(port);
});

test("ignored enquire_links stay unanswered while submits are answered", async (t) => {
  const { port } = await testSmsc(t, { faults: { enquireLinksIgnored: true } });
  const esme = await Esme.bound(port);
  const enquiry = esme.send({ command: "enquire_link" });
  await esme.submit(PHONE, "hello");
  assert.equal(
    esme.received.some(({ sequence, command }) => sequence === enquiry && command === "enquire_link_resp"),
    false,
  );
});

test("a frozen SMSC neither reads nor answers, and goes on where it was", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  smsc.setFaults({ frozen: true });
  const submit = esme.sendSubmit(PHONE, "hello");
  const other = await Esme.connect(port);
  const bind = other.send({ command: "bind_transceiver", system_id: "other" });
  await eventually(() => smsc.stats.connections === 2);
  assert.equal(smsc.stats.submits, 0);
  smsc.setFaults({ frozen: false });
  assert.equal((await esme.answerTo(submit)).status, 0);
  assert.equal((await other.answerTo(bind)).status, 0);
});

test("hanging up cuts every session", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esmes = [await Esme.bound(port), await Esme.bound(port, { systemId: "other" })];
  smsc.hangUp();
  await Promise.all(esmes.map((esme) => esme.closed()));
  await eventually(() => smsc.stats.sessions === 0);
});

test("a change with anything wrong in it says all of it and changes nothing", () => {
  const result = changeFaults(NO_FAULTS, {
    throttledSubmits: -1,
    duplicateReceipts: "yes",
    receiptForm: "morse",
    noSuchFault: 1,
  });
  assert.deepEqual(result.ok === false && result.error.map((text) => text.split(":")[0]), [
    "throttledSubmits",
    "duplicateReceipts",
    "receiptForm",
    "noSuchFault",
  ]);
});
