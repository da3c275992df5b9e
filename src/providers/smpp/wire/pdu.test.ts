import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { COMMAND_IDS, COMMANDS, type Command, type Field, isResponseId, LAYOUTS, responseTo } from "./commands.ts";
import { encodePdu, isFault, type Pdu, type PduOrFault, PduReader, sequenceAfter } from "./pdu.ts";
import type { Tlv } from "./tlv.ts";

const LATIN1_WITHOUT_NUL = fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code));

function fieldArbitrary(field: Field): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case "u8":
      return fc.integer({ min: 0, max: 255 });
    case "cstring":
      return fc.string({ unit: LATIN1_WITHOUT_NUL, maxLength: field.maxOctets - 1 });
    case "octets":
      return fc.uint8Array({ maxLength: field.maxOctets }).map((octets) => Buffer.from(octets));
  }
}

const tlv: fc.Arbitrary<Tlv> = fc
  .tuple(fc.integer({ min: 0, max: 0xffff }), fc.uint8Array({ maxLength: 300 }))
  .map(([tag, octets]) => ({ tag, value: Buffer.from(octets) }));

function pduArbitrary(command: Command): fc.Arbitrary<Pdu> {
  const body = LAYOUTS[command].map((field) => [field.name, fieldArbitrary(field)] as const);
  return fc
    .record({
      command: fc.constant(command),
      status: fc.integer({ min: 0, max: 0xffff_ffff }),
      sequence: fc.integer({ min: 0, max: 0xffff_ffff }),
      tlvs: fc.array(tlv, { maxLength: 4 }),
      ...Object.fromEntries(body),
    })
    .map((pdu) => ({ ...pdu }) as unknown as Pdu);
}

const anyPdu = fc.constantFrom(...COMMANDS).chain(pduArbitrary);
const readAll = (...chunks: Buffer[]): PduOrFault[] => {
  const reader = new PduReader();
  return chunks.flatMap((chunk) => reader.push(chunk));
};

for (const command of COMMANDS) {
  test(`${command} reads back as it was written, optional parameters included`, () => {
    fc.assert(fc.property(pduArbitrary(command), (pdu) => assert.deepEqual(readAll(encodePdu(pdu)), [pdu])));
  });
}

test("a stream cut anywhere gives the same PDUs as one that comes whole", () => {
  fc.assert(
    fc.property(
      fc.array(anyPdu, { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 12 }),
      (pdus, cuts) => {
        const stream = Buffer.concat(pdus.map((pdu) => encodePdu(pdu)));
        const edges = [0, ...cuts.map((cut) => cut % stream.length), stream.length].sort((a, b) => a - b);
        const chunks = edges.slice(1).map((edge, index) => stream.subarray(edges[index], edge));
        assert.deepEqual(readAll(...chunks), pdus);
      },
    ),
  );
});

test("a stream that comes octet by octet gives the same PDUs", () => {
  const pdus: Pdu[] = fc.sample(anyPdu, 20);
  const stream = Buffer.concat(pdus.map((pdu) => encodePdu(pdu)));
  assert.deepEqual(readAll(...Array.from(stream, (octet) => Buffer.from([octet]))), pdus);
});

test("random octets never throw and end in a typed fault, a PDU or waiting for more", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (octets) => {
      for (const item of readAll(Buffer.from(octets))) assert.ok(isFault(item) || COMMANDS.includes(item.command));
    }),
    { numRuns: 2_000 },
  );
});

test("random bodies under any command end in a typed fault or a PDU, and the PDU after them is read", () => {
  const body = fc.uint8Array({ maxLength: 200 });
  fc.assert(
    fc.property(fc.constantFrom(...COMMANDS), fc.nat({ max: 1 }), body, (command, status, octets) => {
      const pdu = Buffer.concat([encodePdu({ command: "unbind", status, sequence: 8 }), octets]);
      pdu.writeUInt32BE(pdu.length, 0);
      pdu.writeUInt32BE(COMMAND_IDS[command], 4);
      const [item, next] = readAll(pdu, encodePdu({ command: "unbind", sequence: 9 }));
      assert.ok(item !== undefined && "sequence" in item && item.sequence === 8);
      assert.ok(next !== undefined && "sequence" in next && next.sequence === 9);
    }),
    { numRuns: 2_000 },
  );
});

test("a PDU with any bits flipped never throws, and a PDU after it is read unless the length was hit", () => {
  const follower = encodePdu({ command: "enquire_link", sequence: 7 });
  const flip = fc.record({ at: fc.nat(), mask: fc.integer({ min: 1, max: 255 }) });
  fc.assert(
    fc.property(anyPdu, fc.array(flip, { minLength: 1, maxLength: 4 }), (pdu, flips) => {
      const octets = encodePdu(pdu);
      const length = octets.readUInt32BE(0);
      for (const { at, mask } of flips) octets[at % octets.length]! ^= mask;
      const items = readAll(octets, follower);
      if (octets.readUInt32BE(0) !== length) return;
      assert.equal(items.length, 2);
      assert.deepEqual(items[1], { command: "enquire_link", status: 0, sequence: 7, tlvs: [] });
    }),
    { numRuns: 2_000 },
  );
});

test("a body cut short, with the length put right, is a bad_body of a request or a readable PDU, and the stream goes on", () => {
  fc.assert(
    fc.property(anyPdu, fc.nat(), (pdu, cut) => {
      const whole = encodePdu({ ...pdu, status: 0 } as Pdu);
      const octets = Buffer.from(whole.subarray(0, 16 + (cut % (whole.length - 15))));
      octets.writeUInt32BE(octets.length, 0);
      const [first, second] = readAll(octets, encodePdu({ command: "unbind", sequence: 9 }));
      assert.ok(first !== undefined && second !== undefined);
      if (isFault(first)) assert.ok(first.fault === "bad_body" && !first.command.endsWith("_resp"));
      else assert.equal(first.status, 0);
      assert.equal("sequence" in first && first.sequence, pdu.sequence);
      assert.equal(isFault(second) || second.command, "unbind");
    }),
  );
});

for (const [what, length] of [
  ["shorter than a header", 15],
  ["zero", 0],
  ["beyond the limit", 0x7fff_ffff],
] as const) {
  test(`a length that is ${what} is reported as soon as its four octets are there, and nothing is read after it`, () => {
    const reader = new PduReader();
    const octets = Buffer.alloc(4);
    octets.writeUInt32BE(length, 0);
    assert.deepEqual(reader.push(octets), [{ fault: "bad_length", length }]);
    assert.deepEqual(reader.push(encodePdu({ command: "enquire_link", sequence: 1 })), []);
  });
}

test("an unknown command keeps its id and sequence for the generic_nack, and the stream goes on", () => {
  const submitMulti = encodePdu({ command: "enquire_link", sequence: 5 });
  submitMulti.writeUInt32BE(0x21, 4);
  const items = readAll(submitMulti, encodePdu({ command: "enquire_link", sequence: 6 }));
  assert.deepEqual(items[0], { fault: "unknown_command", commandId: 0x21, sequence: 5 });
  assert.equal(items.length, 2);
});

test("a refusing response without a body is read with an empty message id", () => {
  const bare = Buffer.from("00000010" + "80000004" + "00000058" + "00000003", "hex");
  assert.deepEqual(readAll(bare), [{ command: "submit_sm_resp", status: 0x58, sequence: 3, tlvs: [], message_id: "" }]);
});

test("a message id without its NUL ends with the PDU, and the next PDU stays whole", () => {
  const octets = encodePdu({ command: "submit_sm_resp", sequence: 3, message_id: "8f3c" }).subarray(0, -1);
  octets.writeUInt32BE(octets.length, 0);
  const [item, next] = readAll(Buffer.concat([octets, encodePdu({ command: "enquire_link", sequence: 5 })]));
  assert.deepEqual(item, { command: "submit_sm_resp", status: 0, sequence: 3, tlvs: [], message_id: "8f3c" });
  assert.equal(next !== undefined && !isFault(next) && next.command, "enquire_link");
});

/** The PDU with these octets at its end, its length put right. */
function withTail(pdu: Buffer, ...tail: number[]): Buffer {
  const octets = Buffer.concat([pdu, Buffer.from(tail)]);
  octets.writeUInt32BE(octets.length, 0);
  return octets;
}

test("a deliver_sm with a stray NUL after its text is read, and the NUL is said", () => {
  const octets = Buffer.from(
    "000000370000000500000000000186f80000003233343830333132333435363700000032343432000000000000000000000453544f5000",
    "hex",
  );
  const [pdu] = readAll(octets);
  assert.ok(pdu !== undefined && !isFault(pdu) && pdu.command === "deliver_sm");
  assert.deepEqual(
    [pdu.source_addr, pdu.destination_addr, pdu.short_message.toString(), pdu.tlvs, pdu.stray?.toString("hex")],
    ["2348031234567", "2442", "STOP", [], "00"],
  );
});

test("parameters after a NUL that the text's length does not count are read", () => {
  const tlvs = [
    { tag: 0x1e, value: Buffer.from("8f3c\0") },
    { tag: 0x427, value: Buffer.from([2]) },
  ];
  const plain = encodePdu({ command: "deliver_sm", sequence: 1, short_message: Buffer.from("id:1") });
  const tail = encodePdu({ command: "enquire_link", sequence: 1, tlvs }).subarray(16);
  const [pdu] = readAll(withTail(plain, 0, ...tail));
  assert.ok(pdu !== undefined && !isFault(pdu));
  assert.deepEqual([pdu.tlvs, pdu.stray], [tlvs, undefined]);
});

test("of optional parameters the whole ones count, and one that was cut short is left out and said", () => {
  const whole = { tag: 0x427, value: Buffer.from([2]) };
  const octets = encodePdu({
    command: "deliver_sm",
    sequence: 4,
    short_message: Buffer.from("id:1"),
    tlvs: [whole, { tag: 0x1e, value: Buffer.from("8f3c") }],
  });
  const cut = withTail(octets.subarray(0, -1));
  const [pdu, next] = readAll(cut, encodePdu({ command: "enquire_link", sequence: 5 }));
  assert.ok(pdu !== undefined && !isFault(pdu));
  assert.deepEqual([pdu.tlvs, pdu.stray?.toString("hex")], [[whole], "001e0004386633"]);
  assert.ok(next !== undefined && !isFault(next) && next.sequence === 5);
});

test("of a message_payload that was cut short what is there is kept", () => {
  const octets = encodePdu({ command: "data_sm", sequence: 4, tlvs: [{ tag: 0x424, value: Buffer.from("STOP ALL") }] });
  const [pdu] = readAll(withTail(octets.subarray(0, -4)));
  assert.ok(pdu !== undefined && !isFault(pdu));
  assert.deepEqual(pdu.tlvs, [{ tag: 0x424, value: Buffer.from("STOP") }]);
  assert.equal(pdu.stray?.toString("hex"), `04240008${Buffer.from("STOP").toString("hex")}`);
});

test("of a deliver_sm whose sm_length says more than came, what came is the text; a submit_sm is refused", () => {
  for (const command of ["deliver_sm", "submit_sm"] as const) {
    const octets = encodePdu({ command, sequence: 4, short_message: Buffer.from("STOP") });
    octets[octets.length - 5] = 8;
    const [pdu, next] = readAll(octets, encodePdu({ command: "enquire_link", sequence: 5 }));
    assert.ok(pdu !== undefined && next !== undefined && !isFault(next) && next.sequence === 5);
    if (isFault(pdu)) assert.ok(command === "submit_sm" && pdu.fault === "bad_body");
    else
      assert.deepEqual(pdu.command === "deliver_sm" && [pdu.short_message.toString(), pdu.missing, pdu.tlvs], [
        "STOP",
        4,
        [],
      ]);
  }
});

test("any request is read as it was written when octets of any kind stand at its end", () => {
  const request = fc
    .constantFrom(...COMMANDS.filter((command) => !isResponseId(COMMAND_IDS[command])))
    .chain(pduArbitrary);
  fc.assert(
    fc.property(request, fc.uint8Array({ minLength: 1, maxLength: 60 }), (pdu, tail) => {
      const [read, next] = readAll(withTail(encodePdu(pdu), ...tail), encodePdu({ command: "unbind", sequence: 9 }));
      assert.ok(read !== undefined && !isFault(read));
      const { tlvs, stray, ...fields } = read;
      const { tlvs: written, ...wanted } = pdu;
      assert.deepEqual(fields, wanted);
      // What was whole comes first, unless the tail makes another sense of a NUL before it.
      if (written.length > 0) assert.deepEqual(tlvs[0], written[0]);
      assert.ok((stray?.length ?? 0) <= tail.length);
      assert.ok(next !== undefined && !isFault(next) && next.command === "unbind");
    }),
  );
});

test("a request that ends within its mandatory part is a fault that says which field is cut", () => {
  const octets = encodePdu({
    command: "deliver_sm",
    sequence: 7,
    source_addr: "08031234567",
    short_message: Buffer.from("STOP"),
  });
  const [item] = readAll(withTail(octets.subarray(0, -"STOP".length)));
  assert.ok(item !== undefined && isFault(item) && item.fault === "bad_body");
  assert.deepEqual([item.sequence, item.detail], [7, "short_message runs past the end of the PDU"]);
});

test("an optional parameter of a response that claims more than the PDU has is left out, and the next PDU stays whole", () => {
  const octets = encodePdu({
    command: "submit_sm_resp",
    sequence: 4,
    message_id: "42",
    tlvs: [{ tag: 0x1e, value: Buffer.from("AB") }],
  });
  octets.writeUInt16BE(10, octets.length - 4);
  const [item, next] = readAll(Buffer.concat([octets, encodePdu({ command: "enquire_link", sequence: 5 })]));
  assert.deepEqual(item, { command: "submit_sm_resp", status: 0, sequence: 4, tlvs: [], message_id: "42" });
  assert.equal(next !== undefined && !isFault(next) && next.command, "enquire_link");
});

test("octets appended to a response do not make its answer unclear", () => {
  const clean = encodePdu({ command: "submit_sm_resp", sequence: 4, message_id: "42" });
  const octets = Buffer.concat([clean, Buffer.from([0, 0])]);
  octets.writeUInt32BE(octets.length, 0);
  assert.deepEqual(readAll(octets), readAll(clean));
});

for (const [what, value] of [
  ["NUL", "a\0b"],
  ["a character whose low octet is NUL", "\u0100"],
  ["more octets than the field has", "x".repeat(21)],
] as const) {
  test(`an address with ${what} is refused by the encoder instead of shifting the fields after it`, () => {
    assert.throws(() => encodePdu({ command: "submit_sm", sequence: 1, source_addr: value }), RangeError);
  });
}

test("every request with a response in the tables is paired with the command whose id has the response bit set", () => {
  for (const command of COMMANDS) {
    const response = responseTo(command);
    const takesNone = isResponseId(COMMAND_IDS[command]) || command === "outbind" || command === "alert_notification";
    assert.equal(response === undefined, takesNone, command);
    if (response) assert.equal(COMMAND_IDS[response], (COMMAND_IDS[command] | 0x8000_0000) >>> 0);
  }
});

test("sequence numbers begin again at 1 after 0x7FFFFFFF", () => {
  assert.deepEqual([0, 1, 0x7fff_fffe, 0x7fff_ffff].map(sequenceAfter), [1, 2, 0x7fff_ffff, 1]);
});
