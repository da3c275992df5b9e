import assert from "node:assert/strict";
import { test } from "node:test";
import { isReceipt, reportOf } from "./report.ts";
import type { Delivery } from "./session.ts";
import { checkedSettings } from "./test-rig.ts";
import { encodePdu, type PduDraft, PduReader } from "./wire/pdu.ts";
import { TAG, type Tlv, tlvCString, tlvOctets, tlvU8, tlvU16 } from "./wire/tlv.ts";

const RECEIVED_AT = new Date("2026-01-02T03:04:05Z");

function deliver(text: string, more: Partial<PduDraft<"deliver_sm">> = {}): Delivery {
  const [pdu] = new PduReader().push(
    encodePdu({
      command: "deliver_sm",
      sequence: 1,
      esm_class: 0x04,
      source_addr: "+2348031234567",
      destination_addr: "Afara",
      short_message: Buffer.from(text),
      ...more,
    } as PduDraft<"deliver_sm">),
  );
  assert.ok(pdu !== undefined && "command" in pdu && pdu.command === "deliver_sm" && !("fault" in pdu));
  return pdu;
}

const report = (delivery: Delivery, settings: object = {}) =>
  reportOf(delivery, checkedSettings(settings), RECEIVED_AT);

const STATS: readonly (readonly [stat: string, state: number, status: string, code: string | undefined])[] = [
  ["SCHEDULED", 0, "sent", undefined],
  ["ENROUTE", 1, "sent", undefined],
  ["DELIVRD", 2, "delivered", undefined],
  ["EXPIRED", 3, "expired", "validity_expired"],
  ["DELETED", 4, "undelivered", "not_delivered"],
  ["UNDELIV", 5, "undelivered", "not_delivered"],
  ["ACCEPTD", 6, "sent", undefined],
  ["UNKNOWN", 7, "sent", undefined],
  ["REJECTD", 8, "rejected", "rejected_by_network"],
  ["SKIPPED", 9, "rejected", "rejected_by_network"],
];
for (const [stat, state, status, code] of STATS) {
  test(`${stat}, in the text or as message_state ${state}, is ${status}`, () => {
    const byText = report(deliver(`id:7 stat:${stat} err:000`));
    const byTlv = report(
      deliver("", { tlvs: [tlvCString(TAG.receipted_message_id, "7"), tlvU8(TAG.message_state, state)] }),
    );
    for (const said of [byText, byTlv])
      assert.deepEqual([said?.providerReference, said?.status, said?.code], ["7", status, code]);
  });
}

test("a stat that is not in the table is not final, and the SMSC's word is kept", () => {
  const said = report(deliver("id:7 stat:BUFFRED"));
  assert.equal(said?.status, "sent");
  assert.equal(said?.facts?.stat, "BUFFRED");
});

test("an intermediate notification is never final, whatever it says", () => {
  assert.equal(report(deliver("id:7 stat:UNDELIV", { esm_class: 0x20 }))?.status, "sent");
});

test("parameters count more than the text", () => {
  const tlvs = [tlvCString(TAG.receipted_message_id, "8"), tlvU8(TAG.message_state, 2)];
  const said = report(deliver("id:7 stat:UNDELIV err:001", { tlvs }));
  assert.deepEqual([said?.providerReference, said?.status], ["8", "delivered"]);
});

test("a message id parameter without its NUL is cut at its own length", () => {
  const tlvs = [tlvOctets(TAG.receipted_message_id, Buffer.from("ABC")), tlvU8(TAG.message_state, 2)];
  assert.equal(report(deliver("", { tlvs }))?.providerReference, "abc");
});

test("a receipt without an id but with our own reference is a report by correlation", () => {
  const said = report(deliver("stat:DELIVRD", { tlvs: [tlvU16(TAG.user_message_reference, 0xbeef)] }));
  assert.deepEqual([said?.providerReference, said?.correlation, said?.status], [undefined, 0xbeef, "delivered"]);
});

test("a report names handset and sender as the order does, and when it came in", () => {
  const said = report(deliver("id:7 stat:DELIVRD"));
  assert.deepEqual([said?.recipient, said?.sender, said?.at], ["2348031234567", "Afara", RECEIVED_AT]);
});

test("a receipt that says neither which message nor whose reference is no report", () => {
  assert.equal(report(deliver("stat:DELIVRD")), undefined);
});

const TEXT = "id:S213112 sub:001 dlvrd:001 submit date:1706091636 done date:1706091636 stat:DELIVRD err:000 text:";
const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();
const concatenated = (body: Buffer) => Buffer.concat([Buffer.from("050003070101", "hex"), body]);

const WRITTEN: readonly (readonly [what: string, esm_class: number, data_coding: number, octets: Buffer])[] = [
  ["in ASCII", 0x04, 0, Buffer.from(TEXT)],
  ["in UCS-2", 0x04, 8, utf16be(TEXT)],
  ["in UCS-2 with a mark, little-endian", 0x04, 8, Buffer.from(`\ufeff${TEXT}`, "utf16le")],
  ["in UCS-2 without saying so", 0x04, 0, utf16be(TEXT)],
  ["in ASCII, with the data_coding of the message that it is about", 0x04, 8, Buffer.from(TEXT)],
  ["in a class of the default alphabet", 0x04, 0xf1, Buffer.from(TEXT)],
  ["with a header", 0x44, 0, concatenated(Buffer.from(TEXT))],
  ["with a header, in UCS-2", 0x44, 8, concatenated(utf16be(TEXT))],
  ["with the header's bit and no header", 0x44, 0, Buffer.from(TEXT)],
];
for (const [what, esm_class, data_coding, short_message] of WRITTEN) {
  for (const place of ["short_message", "message_payload"] as const) {
    test(`a receipt ${what} is read from ${place}`, () => {
      const tlvs = place === "message_payload" ? [tlvOctets(TAG.message_payload, short_message)] : [];
      const said = report(
        deliver("", { esm_class, data_coding, tlvs, ...(place === "short_message" && { short_message }) }),
      );
      assert.deepEqual(
        [said?.providerReference, said?.status, said?.facts?.done_date],
        ["s213112", "delivered", "1706091636"],
      );
    });
  }
}

const ERRORS: readonly (readonly [what: string, text: string, tlvs: readonly Tlv[], code: string])[] = [
  [
    "MAP 27 in the parameter",
    "id:7 stat:UNDELIV",
    [tlvOctets(TAG.network_error_code, Buffer.from([3, 0, 27]))],
    "absent_subscriber",
  ],
  ["MAP 27 as decimal err", "id:7 stat:UNDELIV err:027", [], "absent_subscriber"],
  ["MAP 27 as hexadecimal err", "id:7 stat:UNDELIV err:1B", [], "absent_subscriber"],
  ["MAP 1", "id:7 stat:UNDELIV err:001", [], "invalid_number"],
  ["an err of letters", "id:7 stat:UNDELIV err:nul", [], "not_delivered"],
  ["an err that nobody listed", "id:7 stat:UNDELIV err:999", [], "not_delivered"],
  ["a MAP number with EXPIRED", "id:7 stat:EXPIRED err:027", [], "validity_expired"],
];
for (const [what, text, tlvs, code] of ERRORS) {
  test(`${what} explains the failure as ${code}`, () => assert.equal(report(deliver(text, { tlvs }))?.code, code));
}

test("receiptErrors says what a vendor's own numbers mean", () => {
  const settings = { receiptErrors: { "001": "absent_subscriber", "0x63": "dnd" } };
  assert.equal(report(deliver("id:7 stat:UNDELIV err:001"), settings)?.code, "absent_subscriber");
  assert.equal(report(deliver("id:7 stat:REJECTD err:99"), settings)?.code, "dnd");
});

test("a handset's text that looks like a receipt is a message, unless the SMSC says that it is a receipt", () => {
  assert.equal(isReceipt(deliver("id:7 stat:DELIVRD err:000", { esm_class: 0 })), false);
  assert.equal(isReceipt(deliver("id:7 stat:DELIVRD err:000", { esm_class: 0x40 })), false);
  assert.equal(isReceipt(deliver("id:7 stat:DELIVRD err:000")), true);
  assert.equal(isReceipt(deliver("", { esm_class: 0, tlvs: [tlvCString(TAG.receipted_message_id, "7")] })), true);
});
