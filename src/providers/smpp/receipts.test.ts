import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Receipts } from "./receipts.ts";
import type { Delivery } from "./session.ts";
import { checkedSettings, REAL_CLOCK, RecordingSink } from "./test-rig.ts";
import { encodeUcs2 } from "./text.ts";
import { type ConcatPart, concatHeader, sarTlvs } from "./wire/concat.ts";
import { encodePdu, type PduDraft, PduReader } from "./wire/pdu.ts";
import { TAG, type Tlv, tlvCString, tlvOctets, tlvU8 } from "./wire/tlv.ts";

const TEXT =
  "id:8f3c0011 sub:001 dlvrd:001 submit date:2601021504 done date:2601021505 stat:DELIVRD err:000 text:Your code is 1234";
/** Within the id, before any state. */
const EARLY = 6;

function deliver(more: Partial<PduDraft<"deliver_sm">>): Delivery {
  const [pdu] = new PduReader().push(
    encodePdu({
      esm_class: 0x04,
      source_addr: "2348031234567",
      destination_addr: "Afara",
      ...more,
      command: "deliver_sm",
      sequence: 1,
    }),
  );
  assert.ok(pdu !== undefined && "command" in pdu && pdu.command === "deliver_sm" && !("fault" in pdu));
  return pdu;
}

function makeRig(t: TestContext, joinInboundMs = 60_000) {
  const sink = new RecordingSink();
  const warnings: string[] = [];
  const receipts = new Receipts({
    sink,
    clock: REAL_CLOCK,
    settings: checkedSettings({ joinInboundMs }),
    warn: (_, __, words) => void warnings.push(words),
  });
  t.after(() => receipts.stop());
  return { sink, warnings, receipts, said: () => sink.reports.map((one) => [one.providerReference, one.status]) };
}

const concat = (part: number, total = 2, referenceBits: 8 | 16 = 8): ConcatPart => ({
  reference: 9,
  total,
  part,
  referenceBits,
});
const headed = (body: Buffer, part: number, more: Partial<PduDraft<"deliver_sm">> = {}, total = 2): Delivery =>
  deliver({ esm_class: 0x44, short_message: Buffer.concat([concatHeader(concat(part, total)), body]), ...more });
const cutAt = (octets: Buffer, at: number): readonly Buffer[] => [octets.subarray(0, at), octets.subarray(at)];
const DELIVERED = [["8f3c0011", "delivered"]];

const PARTED: readonly (readonly [what: string, parts: readonly Delivery[]])[] = [
  ["in ASCII", cutAt(Buffer.from(TEXT), EARLY).map((body, index) => headed(body, index + 1))],
  ["in UCS-2", cutAt(encodeUcs2(TEXT), 134).map((body, index) => headed(body, index + 1, { data_coding: 8 }))],
  [
    "in UCS-2, cut within a character",
    cutAt(encodeUcs2(TEXT), 2 * EARLY + 1).map((body, index) => headed(body, index + 1, { data_coding: 8 })),
  ],
  ["in UCS-2 under another data_coding", cutAt(encodeUcs2(TEXT), 100).map((body, index) => headed(body, index + 1))],
  [
    "by headers without their bit",
    cutAt(Buffer.from(TEXT), EARLY).map((body, index) => headed(body, index + 1, { esm_class: 0x04 })),
  ],
  [
    "by headers of 16 bits",
    cutAt(Buffer.from(TEXT), EARLY).map((body, index) =>
      deliver({ esm_class: 0x44, short_message: Buffer.concat([concatHeader(concat(index + 1, 2, 16)), body]) }),
    ),
  ],
  [
    "by sar parameters",
    cutAt(Buffer.from(TEXT), EARLY).map((short_message, index) =>
      deliver({ short_message, tlvs: sarTlvs(concat(index + 1, 2, 16)) }),
    ),
  ],
  [
    "by sar parameters, in message_payload",
    cutAt(Buffer.from(TEXT), EARLY).map((body, index) =>
      deliver({ tlvs: [...sarTlvs(concat(index + 1, 2, 16)), tlvOctets(TAG.message_payload, body)] }),
    ),
  ],
  ["in its word", cutAt(Buffer.from(TEXT), TEXT.indexOf("VRD")).map((body, index) => headed(body, index + 1))],
  ["before its text", cutAt(Buffer.from(TEXT), TEXT.indexOf("text:")).map((body, index) => headed(body, index + 1))],
  [
    "in three",
    [TEXT.slice(0, 4), TEXT.slice(4, 90), TEXT.slice(90)].map((text, index) =>
      headed(Buffer.from(text), index + 1, {}, 3),
    ),
  ],
];
for (const [what, parts] of PARTED) {
  for (const isReversed of [false, true]) {
    test(`a receipt in parts (${what}${isReversed ? ", the last first" : ""}) is one report, acknowledged after its commit`, async (t) => {
      const { sink, warnings, receipts, said } = makeRig(t);
      const commit = Promise.withResolvers<void>();
      sink.commit = () => commit.promise;
      let acknowledged = 0;
      const order = isReversed ? parts.toReversed() : parts;
      const answers = order.map((part) => receipts.receive(part).then(() => (acknowledged += 1)));
      await new Promise((resolve) => setImmediate(resolve));
      // The end of a receipt that counted by itself says nothing, and waits for nothing.
      assert.ok(acknowledged === 0 || what === "before its text");
      commit.resolve();
      await Promise.all(answers);
      assert.deepEqual([said(), warnings], [DELIVERED, []]);
    });
  }
}

test("a failed commit fails every part of a receipt, so that the SMSC repeats them all", async (t) => {
  const { sink, receipts } = makeRig(t);
  sink.commit = () => Promise.reject(new Error("the database is away"));
  const parts = cutAt(Buffer.from(TEXT), EARLY).map((body, index) => headed(body, index + 1));
  const results = await Promise.allSettled(parts.map((part) => receipts.receive(part)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected"],
  );
});

test("a header whose bit is absent is read and taken off", async (t) => {
  for (const [header, body] of [
    ["050003070101", Buffer.from(TEXT)],
    ["0608040007 0101".replace(" ", ""), encodeUcs2(TEXT)],
  ] as const) {
    const { receipts, said } = makeRig(t);
    await receipts.receive(deliver({ short_message: Buffer.concat([Buffer.from(header, "hex"), body]) }));
    assert.deepEqual(said(), DELIVERED);
  }
});

test("a part that is a receipt by itself counts at once, and so does another under the same header", async (t) => {
  for (const ids of [
    ["a1", "b2"],
    ["a1", "a1"],
  ]) {
    const { receipts, said, warnings } = makeRig(t);
    await receipts.receive(headed(Buffer.from(`id:${ids[0]} stat:DELIVRD err:000 text:`), 1));
    await receipts.receive(headed(Buffer.from(`id:${ids[1]} stat:UNDELIV err:001 text:`), 2));
    assert.deepEqual(said(), [
      [ids[0], "delivered"],
      [ids[1], "undelivered"],
    ]);
    assert.deepEqual(warnings, []);
  }
});

test("two parts that end in their state, each with an id, are two receipts", async (t) => {
  const { receipts, said } = makeRig(t);
  await Promise.all(
    ["id:a1 stat:DELIVRD", "id:b2 stat:UNDELIV"].map((text, index) =>
      receipts.receive(headed(Buffer.from(text), index + 1)),
    ),
  );
  assert.deepEqual(said(), [
    ["a1", "delivered"],
    ["b2", "undelivered"],
  ]);
});

test("a part whose parameters name the message and its state counts at once", async (t) => {
  const { receipts, said } = makeRig(t);
  const tlvs: readonly Tlv[] = [tlvCString(TAG.receipted_message_id, "8f3c0011"), tlvU8(TAG.message_state, 2)];
  await receipts.receive(headed(Buffer.from("submit date:26"), 1, { tlvs }));
  assert.deepEqual(said(), DELIVERED);
});

test("a lone part with id and state counts after the wait, though it ends with the state", async (t) => {
  const { receipts, said } = makeRig(t, 20);
  await receipts.receive(headed(Buffer.from("id:8f3c0011 stat:DELIVRD"), 1));
  assert.deepEqual(said(), DELIVERED);
});

test("a lone part without a state is no report, because its id may be half of one, and is warned of", async (t) => {
  const { receipts, said, warnings } = makeRig(t, 20);
  await receipts.receive(headed(Buffer.from("id:8f3c"), 1));
  assert.deepEqual([said(), warnings.length], [[], 1]);
});

for (const joinInboundMs of [0, 20]) {
  test(`parts of which the second comes after the first was acknowledged are one receipt (joinInboundMs ${joinInboundMs})`, async (t) => {
    const { receipts, said } = makeRig(t, joinInboundMs);
    for (const [index, body] of cutAt(Buffer.from(TEXT), EARLY).entries())
      await receipts.receive(headed(body, index + 1));
    assert.deepEqual(said(), DELIVERED);
  });
}

test("parts of two receipts under one reference are never mixed", async (t) => {
  const { receipts, said } = makeRig(t);
  const parts = [
    ["id:a1 sub:001", 1],
    ["id:b2 sub:001", 1],
    [" stat:DELIVRD err:000", 2],
  ] as const;
  await Promise.all(parts.map(([text, part]) => receipts.receive(headed(Buffer.from(text), part))));
  assert.deepEqual(said(), []);
});
