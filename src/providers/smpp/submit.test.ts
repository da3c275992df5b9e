import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeGsm7Unpacked } from "../../kernel/gsm7.ts";
import type { LongMessages } from "./settings.ts";
import { encodeParts, submitOf } from "./submit.ts";
import { checkedSettings, smsTask } from "./test-rig.ts";
import { decodeText } from "./text.ts";
import { parseSar, parseUserData } from "./wire/concat.ts";
import { findTlv, TAG } from "./wire/tlv.ts";

const NOW = new Date("2026-01-02T03:04:05Z");

function submitsOf(task: ReturnType<typeof smsTask>, settings: object = {}) {
  const checked = checkedSettings(settings);
  const count = encodeParts(task.payload, checked).parts.length;
  return Array.from({ length: count }, (_, piece) => {
    const submit = submitOf(task, piece, checked, NOW);
    assert.ok(submit.ok);
    return submit.value;
  });
}

/** What the handset shows: the parts' bodies decoded and joined. */
const shown = (submits: ReturnType<typeof submitsOf>): string =>
  submits
    .map(({ esm_class = 0, data_coding = 0, short_message = Buffer.alloc(0), tlvs = [] }) => {
      const data = findTlv(tlvs, TAG.message_payload) ?? short_message;
      return decodeText(esm_class & 0x40 ? parseUserData(data).body : data, data_coding, "gsm7");
    })
    .join("");

const MODES: readonly LongMessages[] = ["udh8", "udh16", "sar", "message_payload"];
const TEXTS: readonly (readonly [what: string, text: string])[] = [
  ["161 GSM-7 characters", "a".repeat(161)],
  ["€ at the part boundary", `${"a".repeat(152)}€${"b".repeat(20)}`],
  ["an emoji at the part boundary", `${"ẹ".repeat(66)}😀${"ẹ".repeat(66)}`],
  ["a short text", "Hello @ $ _ €"],
  ["ten segments", "Afara ".repeat(250)],
];
for (const mode of MODES) {
  for (const [what, text] of TEXTS) {
    test(`with ${mode}, ${what} arrives as the very same text`, () => {
      const submits = submitsOf(smsTask(text), { longMessages: mode });
      assert.equal(shown(submits), text);
      if (mode === "message_payload") assert.equal(submits.length, 1);
    });
  }
}

for (const mode of ["udh8", "sar"] as const) {
  test(`with ${mode} any text takes as many submits as segments are charged, none above 140 octets packed`, () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "€", "ẹ", "😀", "[", " "), maxLength: 700 }), (text) => {
        const task = smsTask(text);
        const submits = submitsOf(task, { longMessages: mode });
        assert.equal(submits.length, task.payload.segments);
        assert.equal(shown(submits), task.payload.text);
        const limit = task.payload.encoding === "gsm7" ? [160, 159] : [140, 140];
        for (const { short_message } of submits)
          assert.ok((short_message?.length ?? 0) <= limit[submits.length > 1 ? 1 : 0]!);
      }),
      { numRuns: 200 },
    );
  });
}

test("the parts of a message have one reference, and numbers from 1", () => {
  const submits = submitsOf(smsTask("a".repeat(400)));
  const concats = submits.map(({ short_message }) => parseUserData(short_message!).concat);
  assert.deepEqual(
    concats.map((concat) => [concat?.total, concat?.part]),
    [
      [3, 1],
      [3, 2],
      [3, 3],
    ],
  );
  assert.equal(new Set(concats.map((concat) => concat?.reference)).size, 1);
});

test("a repeated piece has the same reference, another attempt another one", () => {
  const task = smsTask("a".repeat(200));
  const reference = (of: typeof task) => parseUserData(submitsOf(of)[1]!.short_message!).concat?.reference;
  assert.equal(reference(task), reference(task));
  assert.notEqual(reference(task), reference({ ...task, attempt: 2 }));
});

test("with udh16 the header has a 16-bit reference and leaves 152 septets", () => {
  const [first] = submitsOf(smsTask("a".repeat(306)), { longMessages: "udh16" });
  const { concat, body } = parseUserData(first!.short_message!);
  assert.deepEqual([concat?.referenceBits, concat?.total, body.length], [16, 3, 152]);
});

test("with sar the parameters carry the numbers and esm_class says nothing of a header", () => {
  const submits = submitsOf(smsTask("a".repeat(306)), { longMessages: "sar" });
  assert.deepEqual(
    submits.map(({ tlvs }) => parseSar(tlvs!)?.part),
    [1, 2],
  );
  assert.ok(submits.every(({ esm_class }) => esm_class === 0));
});

test("with message_payload a short text still goes as short_message, a long one leaves it empty", () => {
  const [short] = submitsOf(smsTask("a".repeat(160)), { longMessages: "message_payload" });
  const [long] = submitsOf(smsTask("a".repeat(161)), { longMessages: "message_payload" });
  assert.equal(short?.short_message?.length, 160);
  assert.equal(long?.short_message?.length, 0);
  assert.equal(findTlv(long!.tlvs!, TAG.message_payload)?.length, 161);
});

const SENDERS: readonly (readonly [from: string, ton: number, npi: number, address: string])[] = [
  ["Afara", 5, 0, "Afara"],
  ["2GO Pay", 5, 0, "2GO Pay"],
  ["2348031234567", 1, 1, "2348031234567"],
  ["+2348031234567", 1, 1, "2348031234567"],
  ["32811", 3, 0, "32811"],
];
for (const [from, ton, npi, address] of SENDERS) {
  test(`sender ${from} goes as ${address} with TON ${ton} and NPI ${npi}`, () => {
    const [submit] = submitsOf(smsTask("Hello", { from }));
    assert.deepEqual([submit?.source_addr_ton, submit?.source_addr_npi, submit?.source_addr], [ton, npi, address]);
    assert.deepEqual([submit?.dest_addr_ton, submit?.dest_addr_npi, submit?.destination_addr], [1, 1, "2348031234567"]);
  });
}

test("TON, NPI, data_coding, service_type, registered_delivery and the recipient's + follow the settings", () => {
  const [submit] = submitsOf(smsTask("ẹ", { from: "32811" }), {
    sourceShortCode: { ton: 6, npi: 9 },
    destination: { ton: 2, npi: 8 },
    destinationPlus: true,
    dataCodingUcs2: 24,
    serviceType: "CMT",
    registeredDelivery: 17,
  });
  assert.deepEqual(
    [
      submit?.source_addr_ton,
      submit?.source_addr_npi,
      submit?.dest_addr_ton,
      submit?.dest_addr_npi,
      submit?.destination_addr,
      submit?.data_coding,
      submit?.service_type,
      submit?.registered_delivery,
    ],
    [6, 9, 2, 8, "+2348031234567", 24, "CMT", 17],
  );
});

for (const [validity, written] of [
  ["relative", "000000013000000R"],
  ["absolute", "260102043405000+"],
  ["none", ""],
] as const) {
  test(`with validity ${validity} the SMSC gets what remains as ${JSON.stringify(written)}`, () => {
    const expiresAt = new Date(NOW.getTime() + 90 * 60_000);
    assert.equal(submitsOf(smsTask("Hello", { expiresAt }), { validity })[0]?.validity_period, written);
  });
}

test("the trace parameter is sent only where the settings say so", () => {
  const task = smsTask("Hello");
  assert.equal(findTlv(submitsOf(task)[0]!.tlvs!, TAG.afara_trace), undefined);
  const trace = findTlv(submitsOf(task, { traceTlv: true })[0]!.tlvs!, TAG.afara_trace);
  assert.equal(trace?.toString(), `${task.orderId}/1/0`);
});

test("a GSM-7 text that a Latin-1 SMSC can't show goes as UCS-2, everything else in its alphabet", () => {
  const [euro] = submitsOf(smsTask("10 €"), { defaultAlphabet: "latin1" });
  assert.deepEqual([euro?.data_coding, shown([euro!])], [8, "10 €"]);
  const [pound] = submitsOf(smsTask("10 £ @"), { defaultAlphabet: "latin1" });
  assert.deepEqual([pound?.data_coding, pound?.short_message?.toString("latin1")], [0, "10 £ @"]);
  const [accent] = submitsOf(smsTask("é"), { defaultAlphabet: "ascii" });
  assert.equal(accent?.data_coding, 8);
});

test("a text stored as GSM-7 that is not goes as UCS-2 instead of failing", () => {
  const task = smsTask("ẹ");
  const [submit] = submitsOf({ ...task, payload: { ...task.payload, encoding: "gsm7" } });
  assert.deepEqual([submit?.data_coding, shown([submit!])], [8, "ẹ"]);
});

test("GSM-7 goes unpacked, one septet an octet, extension characters as two", () => {
  const [submit] = submitsOf(smsTask("@€"));
  assert.equal(submit?.short_message?.toString("hex"), "001b65");
  assert.equal(decodeGsm7Unpacked(submit!.short_message!), "@€");
});

for (const [what, task, code] of [
  ["a sender that is too long", smsTask("Hello", { from: "x".repeat(21) }), "sender_refused"],
  ["a sender with NUL", smsTask("Hello", { from: "a\0b" }), "sender_refused"],
  ["a sender with a letter SMPP can't carry", smsTask("Hello", { from: "Ọja" }), "sender_refused"],
  ["a recipient that is no number", smsTask("Hello", { recipient: "+234" }), "invalid_number"],
  ["a validity that has run out", smsTask("Hello", { expiresAt: NOW }), "validity_expired"],
] as const) {
  test(`${what} is refused with ${code} before anything is written`, () => {
    const submit = submitOf(task, 0, checkedSettings(), NOW);
    assert.equal(!submit.ok && submit.error.code, code);
  });
}

test("a piece that the message does not have is refused", () => {
  const submit = submitOf(smsTask("Hello"), 1, checkedSettings(), NOW);
  assert.equal(!submit.ok && submit.error.code, "payload_unreadable");
});

/** An SMSC that reads so can't put more into a message of 140 octets. */
const OCTETS = [
  ["latin1", 0x03],
  ["latin1", 0x04],
  ["latin1", 0xf4],
  ["ascii", 0x03],
] as const;
for (const [defaultAlphabet, dataCodingGsm] of OCTETS) {
  for (const longMessages of ["udh8", "udh16", "sar"] as const) {
    test(`in ${defaultAlphabet} under data_coding 0x${dataCodingGsm.toString(16)}, ${longMessages}, no part is above 140 octets, and the text is whole`, () => {
      for (const length of [139, 140, 141, 150, 160, 161, 200, 268, 269, 306, 307, 1_000]) {
        const text = "Afara [x] ".repeat(100).slice(0, length);
        const submits = submitsOf(smsTask(text), { defaultAlphabet, dataCodingGsm, longMessages });
        for (const { short_message } of submits)
          assert.ok((short_message?.length ?? 0) <= (longMessages === "sar" && submits.length > 1 ? 134 : 140));
        assert.equal(shown(submits), text);
        if (length <= 139 && !text.includes("[")) assert.equal(submits.length, 1);
      }
    });
  }
}

const SEPTETS = [
  ["latin1", 0x00],
  ["ascii", 0x01],
  ["gsm7", 0x00],
  ["gsm7", 0x10],
  ["gsm7", 0xf0],
  ["gsm7", 0xf1],
] as const;
for (const [defaultAlphabet, dataCodingGsm] of SEPTETS) {
  test(`in ${defaultAlphabet} under data_coding 0x${dataCodingGsm.toString(16)} a message holds 160 characters, as charged`, () => {
    const counts = [160, 161, 306, 307].map(
      (length) => submitsOf(smsTask("a".repeat(length)), { defaultAlphabet, dataCodingGsm }).length,
    );
    assert.deepEqual(counts, [1, 2, 2, 3]);
  });
}

test("a Latin-1 text beyond 140 octets goes as message_payload where that is how long ones go", () => {
  const settings = { defaultAlphabet: "latin1", dataCodingGsm: 3, longMessages: "message_payload" };
  const [short] = submitsOf(smsTask("a".repeat(140)), settings);
  const [long] = submitsOf(smsTask("a".repeat(141)), settings);
  assert.equal(short?.short_message?.length, 140);
  assert.equal(findTlv(long!.tlvs!, TAG.message_payload)?.length, 141);
});
