import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { standStill } from "../../testing/smsc-thread.ts";
import { InboundAssembler } from "./inbound.ts";
import type { Delivery } from "./session.ts";
import { REAL_CLOCK, RecordingSink } from "./test-rig.ts";
import { encodeUcs2 } from "./text.ts";
import { type ConcatPart, concatHeader, sarTlvs } from "./wire/concat.ts";
import { encodePdu, type PduDraft, PduReader } from "./wire/pdu.ts";

function deliver(more: Partial<PduDraft<"deliver_sm">>): Delivery {
  const draft = {
    source_addr: "2348031234567",
    destination_addr: "32811",
    ...more,
    command: "deliver_sm",
    sequence: 1,
  } as const;
  const [pdu] = new PduReader().push(encodePdu(draft));
  assert.ok(pdu !== undefined && "command" in pdu && pdu.command === "deliver_sm" && !("fault" in pdu));
  return pdu;
}

const concat = (part: number, total = 2, reference = 5): ConcatPart => ({ reference, total, part, referenceBits: 8 });
const udhPart = (text: string, part: number, total = 2): Delivery =>
  deliver({
    esm_class: 0x40,
    data_coding: 8,
    short_message: Buffer.concat([concatHeader(concat(part, total)), encodeUcs2(text)]),
  });

const makeAssembler = (sink: RecordingSink, joinMs = 5_000) => new InboundAssembler(sink, REAL_CLOCK, "gsm7", joinMs);

test("parts in any order are recorded as one message and acknowledged together, after its commit", async () => {
  const sink = new RecordingSink();
  const commit = Promise.withResolvers<void>();
  sink.commit = () => commit.promise;
  const assembler = makeAssembler(sink);
  let acknowledged = 0;
  const receipts = [udhPart("world 😀", 2), udhPart("Hello ", 1)].map((part) =>
    assembler.receive(part).then(() => {
      acknowledged += 1;
    }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(acknowledged, 0);
  commit.resolve();
  await Promise.all(receipts);
  assert.deepEqual(
    sink.inbounds.map(({ text, facts }) => [text, facts]),
    [["Hello world 😀", { parts: 2 }]],
  );
});

test("parts with sar parameters are joined too", async () => {
  const sink = new RecordingSink();
  const assembler = makeAssembler(sink);
  const parts = ["AB", "CD"].map((text, index) =>
    deliver({ short_message: Buffer.from(text), tlvs: sarTlvs({ ...concat(index + 1), referenceBits: 16 }) }),
  );
  await Promise.all(parts.map((part) => assembler.receive(part)));
  assert.deepEqual(
    sink.inbounds.map(({ text }) => text),
    ["ABCD"],
  );
});

test("a part that came twice is in the message once, and both are acknowledged", async () => {
  const sink = new RecordingSink();
  const assembler = makeAssembler(sink);
  await Promise.all([udhPart("A", 1), udhPart("A", 1), udhPart("B", 2)].map((part) => assembler.receive(part)));
  assert.deepEqual(
    sink.inbounds.map(({ text }) => text),
    ["AB"],
  );
});

test("a part whose partner does not come in time is recorded alone, saying which part it is", async () => {
  const sink = new RecordingSink();
  await makeAssembler(sink, 20).receive(udhPart("Hello ", 1));
  assert.deepEqual(sink.inbounds[0]?.facts, { parts: 2, part: 1, reference: 5, reference_bits: 8 });
});

test("stopping records what is held instead of dropping it", async () => {
  const sink = new RecordingSink();
  const assembler = makeAssembler(sink, 60_000);
  const held = assembler.receive(udhPart("Hello ", 1));
  await assembler.stop();
  await held;
  assert.equal(sink.inbounds.length, 1);
});

test("a commit that fails fails every part, so that the SMSC repeats them all", async () => {
  const sink = new RecordingSink();
  sink.commit = () => Promise.reject(new Error("the database is away"));
  const assembler = makeAssembler(sink);
  const results = await Promise.allSettled([udhPart("A", 1), udhPart("B", 2)].map((part) => assembler.receive(part)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected"],
  );
});

test("the same parts from two handsets are two messages", async () => {
  const sink = new RecordingSink();
  const assembler = makeAssembler(sink);
  const from = (source_addr: string, part: Delivery): Delivery => ({ ...part, source_addr });
  await Promise.all(
    ["2348030000001", "2348030000002"].flatMap((handset) =>
      [udhPart("A", 1), udhPart("B", 2)].map((part) => assembler.receive(from(handset, part))),
    ),
  );
  assert.deepEqual(
    sink.inbounds.map(({ from, text }) => [from, text]),
    [
      ["2348030000001", "AB"],
      ["2348030000002", "AB"],
    ],
  );
});

test("a repeated delivery has the same reference, another text another one", async () => {
  const sink = new RecordingSink();
  const clock = { ...REAL_CLOCK, now: () => new Date("2026-01-02T03:04:05Z") };
  const assembler = new InboundAssembler(sink, clock, "gsm7", 0);
  for (const text of ["YES", "YES", "NO"]) await assembler.receive(deliver({ short_message: Buffer.from(text) }));
  const [first, second, third] = sink.inbounds.map(({ providerReference }) => providerReference);
  assert.equal(first, second);
  assert.notEqual(first, third);
});

const hex = (octets: string) => Buffer.from(octets.replaceAll(" ", ""), "hex");
const LATIN = Buffer.from("53544f50", "hex");
const UCS2 = hex("0053 0054 004f 0050");

const CODED: readonly (readonly [what: string, data_coding: number, octets: Buffer, text: string])[] = [
  ["the default alphabet", 0, hex("001b65"), "@€"],
  ["UCS-2", 8, encodeUcs2("ẹ́ 😀"), "ẹ́ 😀"],
  ["UCS-2 with an odd octet at the end", 8, Buffer.concat([encodeUcs2("ok"), Buffer.from([0])]), "ok"],
  ["UCS-2 in little-endian with its mark", 8, hex("fffe 5300 5400 4f00 5000"), "STOP"],
  ["UCS-2 in big-endian with its mark", 8, hex("feff 0053 0054 004f 0050"), "STOP"],
  ["nothing but a mark", 8, hex("fffe"), ""],
  ["ASCII", 1, LATIN, "STOP"],
  ["octets that nobody explained", 4, LATIN, "STOP"],
  ["octets, by SMPP's other number", 2, LATIN, "STOP"],
  ["Latin-1", 3, hex("e9"), "é"],
  ["JIS with its escapes", 5, hex("1b2442 2473 1b2842 4f4b"), "んOK"],
  ["JIS in eight bits", 5, hex("82f1 4f4b"), "んOK"],
  ["Cyrillic", 6, hex("bfe0d8d2d5e2"), "Привет"],
  ["Hebrew", 7, hex("f9ecedee"), "שלםמ"],
  ["ISO-2022-JP", 10, hex("1b2442 2473 1b2842"), "ん"],
  ["Korean", 14, hex("c7d1"), "한"],
  ["class 0 in the default alphabet", 0x10, hex("02"), "$"],
  ["class 1 in the default alphabet", 0x11, hex("02"), "$"],
  ["class 1 in eight bits", 0x15, LATIN, "STOP"],
  ["class 0 in UCS-2", 0x18, UCS2, "STOP"],
  ["class 2 in UCS-2", 0x1a, UCS2, "STOP"],
  ["compressed octets, which nobody can read", 0x20, hex("e9"), "é"],
  ["the default alphabet, to be deleted once read", 0x40, hex("02"), "$"],
  ["UCS-2, to be deleted once read", 0x48, UCS2, "STOP"],
  ["class 0 in UCS-2, to be deleted once read", 0x58, UCS2, "STOP"],
  ["a reserved group", 0x88, hex("02"), "$"],
  ["a message waiting, to be thrown away", 0xc8, hex("02"), "$"],
  ["a message waiting, stored", 0xd8, hex("02"), "$"],
  ["a message waiting in UCS-2", 0xe0, UCS2, "STOP"],
  ["a message waiting in UCS-2, indicated", 0xe8, UCS2, "STOP"],
  ["class 0 of the class group", 0xf0, hex("02"), "$"],
  ["class 1 of the class group", 0xf1, hex("02"), "$"],
  ["class 1 of the class group in eight bits", 0xf5, hex("e9"), "é"],
  ["class 0 of the class group, its reserved bit set", 0xf8, hex("02"), "$"],
];
for (const [what, data_coding, octets, text] of CODED) {
  test(`a message in ${what} is read (data_coding 0x${data_coding.toString(16)})`, async () => {
    const sink = new RecordingSink();
    await makeAssembler(sink).receive(deliver({ data_coding, short_message: octets }));
    assert.equal(sink.inbounds[0]?.text, text);
  });
}

test("the default alphabet is the setting's in every coding group that names it", async () => {
  for (const data_coding of [0x00, 0x10, 0x41, 0xc0, 0xf0]) {
    const sink = new RecordingSink();
    await new InboundAssembler(sink, REAL_CLOCK, "latin1", 0).receive(
      deliver({ data_coding, short_message: hex("24e9") }),
    );
    assert.equal(sink.inbounds[0]?.text, "$é", data_coding.toString(16));
  }
});

for (const [what, header, octets, text] of [
  ["a port's header", "06 05 04 1581 0000", "53544f50", "STOP"],
  ["the Turkish single shift table", "03 24 01 01", "1b53 1b49 1b65", "Şİ€"],
  ["the Turkish tables, both", "06 24 01 01 25 01 01", "1c 40 04 1b67", "Şİ€ğ"],
  ["the Spanish single shift table", "03 24 01 02", "1b41 1b6f 1b09 1b28", "Áóç{"],
  ["the Portuguese tables, both", "06 25 01 03 24 01 03", "5b 7c 18 1b12", "Ãõ€Φ"],
  ["the table of a language that has none here", "03 24 01 06", "61 1b65", "a€"],
] as const) {
  test(`a message with ${what} is read without its header`, async () => {
    const sink = new RecordingSink();
    const short_message = Buffer.concat([hex(header), hex(octets)]);
    await makeAssembler(sink).receive(deliver({ esm_class: 0x40, short_message }));
    assert.equal(sink.inbounds[0]?.text, text);
  });
}

test("a byte order mark of the first part counts for the others, which have none", async () => {
  const sink = new RecordingSink();
  const assembler = makeAssembler(sink);
  const bodies = ["fffe 5300 5400", "4f00 5000"].map(hex);
  const parts = bodies.map((body, index) =>
    deliver({
      esm_class: 0x40,
      data_coding: 8,
      short_message: Buffer.concat([concatHeader(concat(index + 1)), body]),
    }),
  );
  await Promise.all(parts.map((part) => assembler.receive(part)));
  assert.equal(sink.inbounds[0]?.text, "STOP");
});

for (const joinMs of [0, 20]) {
  test(`a byte order mark of the first part counts for the second when they are recorded one by one (joinInboundMs ${joinMs})`, async () => {
    const sink = new RecordingSink();
    const assembler = makeAssembler(sink, joinMs);
    for (const [index, body] of ["fffe 5300 5400", "4f00 5000"].map(hex).entries()) {
      const short_message = Buffer.concat([concatHeader(concat(index + 1)), body]);
      await assembler.receive(deliver({ esm_class: 0x40, data_coding: 8, short_message }));
    }
    assert.deepEqual(
      sink.inbounds.map(({ text, facts }) => [text, facts?.part]),
      [
        ["ST", 1],
        ["OP", 2],
      ],
    );
  });
}

test("a mark under a reference that has come round says nothing of the next message", async () => {
  const sink = new RecordingSink();
  const assembler = makeAssembler(sink, 0);
  for (const [part, body] of [
    [1, "fffe 5300"],
    [1, "0041"],
    [2, "0042"],
  ] as const) {
    const short_message = Buffer.concat([concatHeader(concat(part)), hex(body)]);
    await assembler.receive(deliver({ esm_class: 0x40, data_coding: 8, short_message }));
  }
  assert.deepEqual(
    sink.inbounds.map(({ text }) => text),
    ["S", "A", "B"],
  );
});

test("a part whose place another text takes is recorded alone, and acknowledged after its commit", async () => {
  for (const texts of [
    [
      ["AAA", 1],
      ["BBB", 1],
    ],
    [
      ["AAA", 1],
      ["BBB", 1],
      ["CCC", 2],
    ],
    [
      ["AAA", 2],
      ["BBB", 2],
      ["AAA", 2],
    ],
  ] as const) {
    const sink = new RecordingSink();
    const assembler = makeAssembler(sink, 20);
    await Promise.all(texts.map(([text, part]) => assembler.receive(udhPart(text, part))));
    const kept = sink.inbounds.map(({ text }) => text).join("");
    for (const [text] of texts) assert.ok(kept.includes(text), `${text} in ${kept}`);
    assert.equal(new Set(sink.inbounds.map(({ text }) => text)).size, 2);
    assert.equal(
      sink.inbounds.every(({ facts }) => facts?.part !== undefined || facts?.parts === 2),
      true,
    );
  }
});

test("an emoji that was cut between two parts is whole again", async () => {
  const sink = new RecordingSink();
  const assembler = makeAssembler(sink);
  const [head, tail] = [hex("0041 d83d"), hex("de00 0042")];
  const parts = [head, tail].map((body, index) =>
    deliver({
      esm_class: 0x40,
      data_coding: 8,
      short_message: Buffer.concat([concatHeader(concat(index + 1)), body!]),
    }),
  );
  await Promise.all(parts.map((part) => assembler.receive(part)));
  assert.equal(sink.inbounds[0]?.text, "A😀B");
});

test("a message in message_payload, with a header, is read like one in short_message", async () => {
  const sink = new RecordingSink();
  const value = Buffer.concat([hex("03 24 01 01"), hex("1b53544f50")]);
  await makeAssembler(sink).receive(deliver({ esm_class: 0x40, tlvs: [{ tag: 0x424, value }] }));
  assert.equal(sink.inbounds[0]?.text, "ŞTOP");
});

for (const blank of ["00", "0000", "20", "2020", "0020", "0d0a", "20 00", "09"]) {
  test(`a short_message of ${blank} beside a message_payload is no text`, async () => {
    const sink = new RecordingSink();
    await makeAssembler(sink).receive(deliver({ short_message: hex(blank), tlvs: [{ tag: 0x424, value: LATIN }] }));
    assert.equal(sink.inbounds[0]?.text, "STOP");
  });
}

test("a blank short_message is a text where there is no payload, or an empty one", async () => {
  const sink = new RecordingSink();
  await makeAssembler(sink).receive(deliver({ short_message: hex("00") }));
  await makeAssembler(sink).receive(deliver({ short_message: hex("20"), tlvs: [{ tag: 0x424, value: hex("") }] }));
  assert.deepEqual(
    sink.inbounds.map(({ text }) => text),
    ["@", " "],
  );
});

test("a short_message with words counts beside a payload", async () => {
  const sink = new RecordingSink();
  await makeAssembler(sink).receive(deliver({ short_message: LATIN, tlvs: [{ tag: 0x424, value: hex("41") }] }));
  assert.equal(sink.inbounds[0]?.text, "STOP");
});

test("parts from one handset are joined, and its repeats recognised, whatever form its number has", async () => {
  const sink = new RecordingSink();
  const clock = { ...REAL_CLOCK, now: () => new Date("2026-01-02T03:04:05Z") };
  const assembler = new InboundAssembler(sink, clock, "gsm7", 5_000);
  const from = (source_addr: string, source_addr_ton: number, part: Delivery): Delivery => ({
    ...part,
    source_addr,
    source_addr_ton,
  });
  const forms = [
    ["2348031234567", 1],
    ["08031234567", 2],
    ["8031234567", 2],
    ["+2348031234567", 0],
  ] as const;
  await Promise.all(
    forms.map(([address, ton], index) => assembler.receive(from(address, ton, udhPart(`${index}`, index + 1, 4)))),
  );
  assert.deepEqual(
    sink.inbounds.map(({ text }) => text),
    ["0123"],
  );
  for (const [address, ton] of forms)
    await assembler.receive(from(address, ton, deliver({ short_message: Buffer.from("Hi") })));
  assert.equal(new Set(sink.inbounds.slice(1).map(({ providerReference }) => providerReference)).size, 1);
});

test("a national number of a fixed line, without its trunk 0, is told from an international one by its type", async () => {
  const sink = new RecordingSink();
  for (const source_addr_ton of [1, 2])
    await makeAssembler(sink).receive(
      deliver({ source_addr: "2013300000", source_addr_ton, short_message: Buffer.from(`${source_addr_ton}`) }),
    );
  assert.deepEqual(
    sink.inbounds.map(({ from }) => from),
    ["2013300000", "02013300000"],
  );
});

test("any octets under any data_coding and header are a text, and never an error", () => {
  fc.assert(
    fc.property(fc.nat(255), fc.nat(255), fc.uint8Array({ maxLength: 254 }), (data_coding, esm_class, octets) => {
      const sink = new RecordingSink();
      void makeAssembler(sink, 0).receive(deliver({ data_coding, esm_class, short_message: Buffer.from(octets) }));
    }),
  );
});

test("a stall of our own between two parts does not part them: the second lies unread meanwhile", async () => {
  const sink = new RecordingSink();
  const assembler = makeAssembler(sink, 200);
  const first = assembler.receive(udhPart("Hello ", 1));
  await standStill(800);
  // Timers have their turn before the sockets are read.
  await new Promise((resolve) => setTimeout(resolve, 0));
  await Promise.all([first, assembler.receive(udhPart("world", 2))]);
  assert.deepEqual(
    sink.inbounds.map(({ text }) => text),
    ["Hello world"],
  );
});
