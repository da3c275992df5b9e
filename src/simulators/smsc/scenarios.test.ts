import assert from "node:assert/strict";
import { test } from "node:test";
import { concatHeader, ESM_CLASS_UDHI } from "../../providers/smpp/wire/concat.ts";
import type { Pdu, PduOf } from "../../providers/smpp/wire/pdu.ts";
import { parseReceiptText } from "../../providers/smpp/wire/receipt.ts";
import { COMMAND_STATUS } from "../../providers/smpp/wire/status.ts";
import { findTlv, readTlvCString, readTlvInteger, TAG } from "../../providers/smpp/wire/tlv.ts";
import { Esme, traceTlv } from "./esme.ts";
import { eventually, loggedLines, testSmsc } from "./rig.ts";

const statsOf = (esme: Esme): (string | undefined)[] =>
  esme.deliveries.map(({ short_message }) => parseReceiptText(short_message.toString("latin1"))?.stat);

const idOf = (pdu: Pdu): string => (pdu.command === "submit_sm_resp" ? pdu.message_id : "");

const partOf = (text: string, part: number, total: number): Partial<PduOf<"submit_sm">> => ({
  esm_class: ESM_CLASS_UDHI,
  short_message: Buffer.concat([concatHeader({ reference: 7, total, part, referenceBits: 8 }), Buffer.from(text)]),
});

test("an ordinary number gets its message, and the ESME one receipt in TLVs and text under the answer's id", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  const answer = await esme.submit("2348031234567", "hello");
  const receipt = await esme.until(() => esme.deliveries[0]);
  assert.equal(answer.status, 0);
  assert.equal(receipt.esm_class, 0x04);
  assert.equal(receipt.source_addr, "2348031234567");
  assert.equal(receipt.destination_addr, "AFARA");
  assert.equal(readTlvCString(receipt.tlvs, TAG.receipted_message_id), idOf(answer));
  assert.equal(readTlvInteger(receipt.tlvs, TAG.message_state), 2);
  const text = parseReceiptText(receipt.short_message.toString("latin1"));
  assert.equal(text?.id, idOf(answer));
  assert.equal(text?.stat, "DELIVRD");
  assert.deepEqual(
    smsc.handsets.messages("+2348031234567").map(({ from, text, parts }) => ({ from, text, parts })),
    [{ from: "AFARA", text: "hello", parts: 1 }],
  );
});

test("number 01 is refused with RINVDSTADR and nothing follows", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  assert.equal((await esme.submit("2348000000001", "hello")).status, COMMAND_STATUS.RINVDSTADR.code);
  assert.equal(smsc.stats.taken, 0);
});

test("number 02 is accepted, then undelivered for an absent subscriber", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  assert.equal((await esme.submit("2348000000002", "hello")).status, 0);
  const receipt = await esme.until(() => esme.deliveries[0]);
  assert.deepEqual(statsOf(esme), ["UNDELIV"]);
  assert.equal(parseReceiptText(receipt.short_message.toString("latin1"))?.err, "027");
  assert.deepEqual(findTlv(receipt.tlvs, TAG.network_error_code), Buffer.from([3, 0, 27]));
  assert.deepEqual(smsc.handsets.messages("2348000000002"), []);
});

test("number 03 is refused with the vendor's own code for Do-Not-Disturb", async (t) => {
  const { port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  assert.equal((await esme.submit("2348000000003", "hello")).status, 0x0410);
});

test("number 04 leaves the first attempt of an order unanswered and untaken, and delivers the second once", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  const first = esme.sendSubmit("2348000000004", "hello", { tlvs: [traceTlv("order-a", 1, 0)] });
  const second = await esme.submit("2348000000004", "hello", { tlvs: [traceTlv("order-a", 2, 0)] });
  assert.equal(second.status, 0);
  await esme.until(() => esme.deliveries[0]);
  assert.equal(esme.received.filter(({ sequence }) => sequence === first).length, 0);
  assert.equal(smsc.handsets.messages("2348000000004").length, 1);
});

test("number 04 takes none of the first attempt's parts and all of the second's", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  for (const attempt of [1, 2])
    for (const piece of [0, 1])
      esme.sendSubmit("2348000000004", "", {
        ...partOf(`part${piece}`, piece + 1, 2),
        tlvs: [traceTlv("order-b", attempt, piece)],
      });
  await esme.until(() => esme.deliveries.length === 2);
  assert.equal(smsc.stats.taken, 2);
  assert.deepEqual(
    smsc.handsets.messages("2348000000004").map(({ text, parts }) => [text, parts]),
    [["part0part1", 2]],
  );
});

test("number 04 takes a part that comes again, though its sender counts it as the same attempt", async (t) => {
  const { port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  const submit = { tlvs: [traceTlv("order-f", 1, 0)] };
  esme.sendSubmit("2348000000004", "hello", submit);
  assert.equal((await esme.submit("2348000000004", "hello", submit)).status, 0);
  assert.equal(esme.received.filter(({ command }) => command === "submit_sm_resp").length, 1);
});

test("number 04 without a trace knows the second try by sender, number and text", async (t) => {
  const { port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  esme.sendSubmit("2348000000004", "one");
  esme.sendSubmit("2348000000004", "another");
  assert.equal((await esme.submit("2348000000004", "one")).status, 0);
  assert.equal(esme.received.filter(({ command }) => command === "submit_sm_resp").length, 1);
});

test("number 05 is never answered, however often it is tried, and never delivered", async (t) => {
  const { smsc, port, dataDir } = await testSmsc(t);
  const esme = await Esme.bound(port);
  for (const attempt of [1, 2, 3])
    esme.sendSubmit("2348000000005", "hello", { tlvs: [traceTlv("order-c", attempt, 0)] });
  // What comes after them is answered, so they have been looked at.
  await esme.submit("2348031234567", "after");
  assert.equal(esme.received.filter(({ command }) => command === "submit_sm_resp").length, 1);
  assert.deepEqual(smsc.handsets.messages("2348000000005"), []);
  const statuses = (await loggedLines(dataDir)).map((line) => line.kind === "submit" && line.status);
  assert.deepEqual(statuses.slice(0, 4), [null, null, null, 0]);
});

test("number 06 gets its message once, and receipts repeated and out of order", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  await esme.submit("2348000000006", "hello");
  await esme.until(() => esme.deliveries.length === 3);
  assert.deepEqual(statsOf(esme), ["DELIVRD", "ENROUTE", "DELIVRD"]);
  assert.equal(smsc.handsets.messages("2348000000006").length, 1);
});

test("number 07 throttles an order three times, then delivers it", async (t) => {
  const { port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  const statuses: number[] = [];
  for (let submit = 0; submit < 4; submit++) {
    const { status } = await esme.submit("2348000000007", "hello", { tlvs: [traceTlv("order-d", 1, 0)] });
    statuses.push(status);
  }
  const throttled = COMMAND_STATUS.RTHROTTLED.code;
  assert.deepEqual(statuses, [throttled, throttled, throttled, 0]);
  const other = await esme.submit("2348000000007", "hello", { tlvs: [traceTlv("order-e", 1, 0)] });
  assert.equal(other.status, throttled);
  await esme.until(() => esme.deliveries.length === 1);
});

test("number 09 is accepted, then expired", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  await esme.submit("2348000000009", "hello");
  await esme.until(() => esme.deliveries[0]);
  assert.deepEqual(statsOf(esme), ["EXPIRED"]);
  assert.deepEqual(smsc.handsets.messages("2348000000009"), []);
});

test("number 10 gets all parts but the second, and so shows nothing; a message of one part is delivered", async (t) => {
  const { smsc, port } = await testSmsc(t);
  const esme = await Esme.bound(port);
  for (const part of [1, 2, 3]) await esme.submit("2348000000010", "", partOf(`part${part}`, part, 3));
  await esme.until(() => esme.deliveries.length === 3);
  assert.deepEqual(statsOf(esme), ["DELIVRD", "UNDELIV", "DELIVRD"]);
  assert.deepEqual(smsc.handsets.messages("2348000000010"), []);
  await esme.submit("2348000000010", "short");
  await eventually(() => smsc.handsets.messages("2348000000010")[0]?.text === "short");
});

for (const number of ["08", "11", "99"])
  test(`number ${number} is ordinary`, async (t) => {
    const { smsc, port } = await testSmsc(t);
    const esme = await Esme.bound(port);
    await esme.submit(`23480000000${number}`, "hello");
    await esme.until(() => esme.deliveries[0]);
    assert.deepEqual(statsOf(esme), ["DELIVRD"]);
    assert.equal(smsc.handsets.messages(`23480000000${number}`).length, 1);
  });
