import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ConcatPart, concatHeader, parseSar, parseUserData, sarTlvs } from "./concat.ts";

const partWith = (referenceBits: 8 | 16): fc.Arbitrary<ConcatPart> =>
  fc
    .tuple(fc.integer({ min: 0, max: 2 ** referenceBits - 1 }), fc.integer({ min: 1, max: 255 }), fc.nat())
    .map(([reference, total, part]) => ({ reference, total, part: 1 + (part % total), referenceBits }));

test("the octets of both headers are those of TS 23.040", () => {
  const part = { reference: 0xab12, total: 3, part: 2 };
  assert.equal(concatHeader({ ...part, referenceBits: 8 }).toString("hex"), "050003120302");
  assert.equal(concatHeader({ ...part, referenceBits: 16 }).toString("hex"), "060804ab120302");
});

for (const bits of [8, 16] as const) {
  test(`a ${bits}-bit header in front of a part reads back, and the part is whole`, () => {
    fc.assert(
      fc.property(partWith(bits), fc.uint8Array({ maxLength: 140 }), (concat, octets) => {
        const body = Buffer.from(octets);
        const parsed = parseUserData(Buffer.concat([concatHeader(concat), body]));
        assert.deepEqual(parsed.concat, concat);
        assert.deepEqual(parsed.body, body);
      }),
    );
  });
}

test("the sar parameters read back", () => {
  fc.assert(fc.property(partWith(16), (concat) => assert.deepEqual(parseSar(sarTlvs(concat)), concat)));
});

test("sar parameters of which one is missing are none", () => {
  const tlvs = sarTlvs({ reference: 1, total: 2, part: 1, referenceBits: 16 });
  for (const left of tlvs) assert.equal(parseSar(tlvs.filter((tlv) => tlv !== left)), undefined);
});

test("a concatenation element is found behind another element", () => {
  const data = Buffer.from("0b0504158200000003070201aabb", "hex");
  assert.deepEqual(parseUserData(data).concat, { reference: 7, total: 2, part: 1, referenceBits: 8 });
});

for (const [what, hex] of [
  ["part 0", "050003010200"],
  ["a part beyond the total", "050003010203"],
  ["a total of 0", "050003010000"],
] as const) {
  test(`a header with ${what} joins nothing`, () => {
    assert.equal(parseUserData(Buffer.from(hex, "hex")).concat, undefined);
  });
}

test("a header that claims more octets than there are is taken as text", () => {
  const data = Buffer.from("20414243", "hex");
  assert.deepEqual(parseUserData(data).body, data);
});

test("any octets are split without throwing or losing any after the header", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 160 }), (octets) => {
      const { header, body } = parseUserData(Buffer.from(octets));
      assert.ok(body.length === octets.length || body.length + header.length + 1 === octets.length);
    }),
  );
});
