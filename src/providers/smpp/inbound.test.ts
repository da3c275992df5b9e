import assert from "node:assert/strict";
import { test } from "node:test";
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

for (const [what, data_coding, octets, text] of [
  ["the default alphabet", 0, Buffer.from("001b65", "hex"), "@€"],
  ["UCS-2", 8, encodeUcs2("ẹ́ 😀"), "ẹ́ 😀"],
  ["UCS-2 with an odd octet at the end", 8, Buffer.concat([encodeUcs2("ok"), Buffer.from([0])]), "ok"],
  ["Latin-1", 3, Buffer.from("é", "latin1"), "é"],
] as const) {
  test(`a message in ${what} is read`, async () => {
    const sink = new RecordingSink();
    await makeAssembler(sink).receive(deliver({ data_coding, short_message: octets }));
    assert.equal(sink.inbounds[0]?.text, text);
  });
}
