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

/** The warnings that a receipt raises, besides its report. */
function warned(delivery: Delivery, settings: object = {}) {
  const warnings: object[] = [];
  const said = reportOf(delivery, checkedSettings(settings), RECEIVED_AT, (kind, fields) => {
    warnings.push({ kind, ...fields });
  });
  return { said, warnings };
}

const WORDS: readonly (readonly [stat: string, status: string])[] = [
  ["UNDELIVERED", "undelivered"],
  ["UNDELIVERABLE", "undelivered"],
  ["FAILED", "undelivered"], // vumi, pull request 897; jasmin, issue 447
  ["failed", "undelivered"],
  ["DELIVRD\0", "delivered"],
  ["DELIVRD\0\0\0", "delivered"],
  [" DELIVRD ", "delivered"],
  ["delivrd", "delivered"],
  ["Delivered", "delivered"],
  ["DELIVERED TO HANDSET", "delivered"],
  ["DLVRD", "delivered"],
  ["NOT DELIVERED", "undelivered"],
  ["DELIVERY FAILED", "undelivered"],
  ["UNDELIVERED/ABSENT", "undelivered"],
  ["expired", "expired"],
  ["EXPIRED.", "expired"],
  ["REJECTED", "rejected"],
  ["BARRED", "rejected"], // PSWinCom's documents
  ["NOCRED", "rejected"], // SMS Central's documents, with SYSERR and BUFFRED
  ["SYSERR", "undelivered"],
  ["DELETED", "undelivered"],
  ["ACCEPTED", "sent"],
  ["BUFFRED", "sent"],
  ["ACKED", "sent"], // jsmpp, issue 9
  ["SUBMITD", "sent"],
  ["NULL", "sent"],
  ["UNDELIV-DND", "undelivered"],
  ["UNDELIV/EXPIRED", "undelivered"],
  ["NOT_DELIVERED_TO_HANDSET", "undelivered"],
  ["FAILED_DND", "undelivered"],
  ["ABORTED", "undelivered"],
  ["DELIVRD_TO_TERMINAL", "delivered"],
  ["DELIVERED_TO_HANDSET", "delivered"],
  ["DELIVERY_SUCCESS", "delivered"],
  ["DELIVRD-000", "delivered"],
  ["EXPIRED-ABSENT", "expired"],
  ["REJ", "rejected"],
  ["REJECTD_BY_SPAM_FILTER", "rejected"],
  ["NO_CREDIT", "rejected"],
];
for (const [stat, status] of WORDS) {
  test(`stat ${JSON.stringify(stat)} is ${status}, without a warning`, () => {
    const { said, warnings } = warned(deliver(`id:7 stat:${stat} err:000`));
    assert.deepEqual([said?.providerReference, said?.status, warnings], ["7", status, []]);
  });
}

for (const stat of [
  "UNREACHABLE",
  "DELIVERED_TO_SMSC",
  "DELIVRD TO OPERATOR",
  "DELIVRD_FAILED",
  "FAILED-QUEUED",
  "UNDELIV_RETRY",
  "UNDELIV/DELIVRD",
  "UNKNOWN_SUBSCRIBER",
  "SENT_FAILED",
  "DELIVER",
]) {
  test(`stat ${stat} does not say clearly what became of the message: it stays sent, and is warned of`, () => {
    const { said, warnings } = warned(deliver(`id:7 stat:${stat} err:000`));
    assert.deepEqual([said?.status, warnings.length], ["sent", 1]);
  });
}

test("a stat that nobody listed is not final, its word is kept, and the operator is warned of it", () => {
  const { said, warnings } = warned(deliver("id:7 stat:zerobal"));
  assert.deepEqual([said?.status, said?.facts?.stat], ["sent", "ZEROBAL"]);
  assert.deepEqual(warnings, [{ kind: "unlisted ZEROBAL ", stat: "zerobal", id: "7", taken_as: "sent" }]);
});

test("a receipt without a state, with a number that nobody has, or with an unknown word beside one that is not final warns", () => {
  assert.deepEqual(
    [
      warned(deliver("id:7 err:000")),
      warned(deliver("id:7", { tlvs: [tlvU8(TAG.message_state, 42)] })),
      warned(deliver("id:7 stat:GONE", { tlvs: [tlvU8(TAG.message_state, 1)] })),
    ].map(({ said, warnings }) => [said?.status, warnings.length]),
    [
      ["sent", 1],
      ["sent", 1],
      ["sent", 1],
    ],
  );
});

test("receiptStats says what a vendor's own words mean, and overrides the table", () => {
  const settings = { receiptStats: { Zerobal: "rejected", ACKED: "delivered", UNDELIV: "expired" } };
  for (const [stat, status, code] of [
    ["ZEROBAL", "rejected", "rejected_by_network"],
    ["acked", "delivered", undefined],
    ["UNDELIV", "expired", "validity_expired"],
  ]) {
    const { said, warnings } = warned(deliver(`id:7 stat:${stat}`), settings);
    assert.deepEqual([said?.status, said?.code, warnings], [status, code, []]);
  }
  assert.equal(report(deliver("id:7", { tlvs: [tlvU8(TAG.message_state, 5)] }), settings)?.status, "expired");
});

const STATES: readonly (readonly [state: number, stat: string, status: string, isDoubtful: boolean])[] = [
  [0, "DELIVRD", "delivered", false],
  [0, "UNDELIV", "undelivered", false],
  [9, "DELIVRD", "delivered", false],
  [42, "DELIVRD", "delivered", false],
  [1, "DELIVRD", "delivered", true],
  [7, "UNDELIV", "undelivered", true],
  [2, "ENROUTE", "delivered", true],
  [2, "UNDELIV", "delivered", true],
  [2, "GONE", "delivered", false],
  [2, "DELIVERED", "delivered", false],
];
for (const [state, stat, status, isDoubtful] of STATES) {
  test(`message_state ${state} beside ${stat} is ${status}${isDoubtful ? ", and warned of" : ""}`, () => {
    const { said, warnings } = warned(deliver(`id:7 stat:${stat}`, { tlvs: [tlvU8(TAG.message_state, state)] }));
    assert.deepEqual([said?.status, warnings.length > 0], [status, isDoubtful]);
  });
}

test("a receipt with another id in its parameter than in its text has both", () => {
  const tlvs = [tlvCString(TAG.receipted_message_id, "0A11"), tlvU8(TAG.message_state, 2)];
  const said = report(deliver("id:8f3c stat:DELIVRD", { tlvs }));
  assert.deepEqual([said?.providerReference, said?.otherReference], ["a11", "8f3c"]);
  const same = report(deliver("id:A11 stat:DELIVRD", { tlvs }));
  assert.deepEqual([same?.providerReference, same?.otherReference], ["a11", undefined]);
});

/** Whole PDUs of public reports on other software. */
const FROM_THE_WIRE: readonly (readonly [source: string, pdu: string, report: object])[] = [
  [
    "php-smpp, issue 70: a text in septets",
    "000000bd000000050000000000000001000101393137303133313033303330000500414d41525654000400000000000000007b69643a313137303632373134323434373938323631207375623a30303120646c7672643a303031207375626d697420646174653a3137303632373136323420646f6e6520646174653a3137303632373136323420737461743a44454c49565244206572723a3030303020746578743a481b656c6c6f20776f726c640423000303000014540004000000001141800400000000",
    { reference: "117062714244798261", status: "delivered", recipient: "917013103030", sender: "AMARVT" },
  ],
  [
    "python-smpplib, issue 19: the same id in text and parameter",
    "000000ca000000050000000000000001000101373931323532373837363900000131363838000400000000000000007869643a303361333762323735366662386665373030303561313563207375623a30303120646c7672643a303030207375626d697420646174653a31363033333030383335353120646f6e6520646174653a31363033333030383335353220737461743a44454c49565244206572723a30303020746578743a001e0019303361333762323735366662386665373030303561313563000427000102",
    { reference: "3a37b2756fb8fe70005a15c", status: "delivered", recipient: "79125278769", sender: "1688" },
  ],
];
for (const [source, hex, expected] of FROM_THE_WIRE) {
  test(`${source}`, () => {
    const octets = Buffer.from(hex, "hex");
    octets.writeUInt32BE(octets.length, 0);
    const [pdu] = new PduReader().push(octets);
    assert.ok(pdu !== undefined && "command" in pdu && pdu.command === "deliver_sm" && !("fault" in pdu));
    const said = reportOf(pdu, checkedSettings(), RECEIVED_AT);
    assert.deepEqual(
      {
        reference: said?.providerReference,
        status: said?.status,
        recipient: said?.recipient,
        sender: said?.sender,
      },
      expected,
    );
    assert.equal(said?.otherReference, undefined);
  });
}

test("an intermediate notification is never final, whatever it says", () => {
  assert.equal(report(deliver("id:7 stat:UNDELIV", { esm_class: 0x20 }))?.status, "sent");
});

test("an intermediate notification that says delivered is warned of, and with the receipt's bit beside it counts", () => {
  const early = warned(deliver("id:7 stat:DELIVRD", { esm_class: 0x20 }));
  assert.deepEqual([early.said?.status, early.warnings.length], ["sent", 1]);
  assert.equal(warned(deliver("id:7 stat:ENROUTE", { esm_class: 0x20 })).warnings.length, 0);
  for (const [stat, status] of [
    ["DELIVRD", "delivered"],
    ["UNDELIV", "undelivered"],
    ["ENROUTE", "sent"],
  ] as const) {
    const both = warned(deliver(`id:7 stat:${stat}`, { esm_class: 0x24 }));
    assert.deepEqual([both.said?.status, both.warnings], [status, []]);
  }
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
  [
    "a network's error of more than three digits (cloudhopper, issue 10)",
    "id:7 stat:UNDELIV",
    [tlvOctets(TAG.network_error_code, Buffer.from([3, 8, 2]))],
    "not_delivered",
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
  assert.equal(isReceipt(deliver("id:7", { esm_class: 0, tlvs: [tlvU8(TAG.message_state, 2)] })), true);
});
