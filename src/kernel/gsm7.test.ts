import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SegmentedMessage } from "sms-segments-calculator";
import { decodeGsm7Unpacked, encodeGsm7Unpacked, gsm7Septets, isGsm7 } from "./gsm7.ts";

/** Every code with its character, by number as in 3GPP TS 23.038 clauses 6.2.1 and 6.2.1.1: independent of the table's layout. */
const KNOWN_CODES: readonly (readonly [character: string, ...bytes: number[]])[] = [
  ["@", 0x00],
  ["$", 0x02],
  ["Ç", 0x09],
  ["\n", 0x0a],
  ["\r", 0x0d],
  ["Δ", 0x10],
  ["_", 0x11],
  ["Ξ", 0x1a],
  ["Æ", 0x1c],
  ["É", 0x1f],
  [" ", 0x20],
  ["¤", 0x24],
  ["?", 0x3f],
  ["¡", 0x40],
  ["A", 0x41],
  ["Z", 0x5a],
  ["Ä", 0x5b],
  ["§", 0x5f],
  ["¿", 0x60],
  ["a", 0x61],
  ["z", 0x7a],
  ["à", 0x7f],
  ["\f", 0x1b, 0x0a],
  ["^", 0x1b, 0x14],
  ["{", 0x1b, 0x28],
  ["}", 0x1b, 0x29],
  ["\\", 0x1b, 0x2f],
  ["[", 0x1b, 0x3c],
  ["~", 0x1b, 0x3d],
  ["]", 0x1b, 0x3e],
  ["|", 0x1b, 0x40],
  ["€", 0x1b, 0x65],
];

for (const [character, ...bytes] of KNOWN_CODES) {
  test(`${JSON.stringify(character)} is sent as the octets ${bytes.join(", ")} and read back`, () => {
    assert.deepEqual([...encodeGsm7Unpacked(character)], bytes);
    assert.equal(decodeGsm7Unpacked(Uint8Array.from(bytes)), character);
    assert.equal(gsm7Septets(character), bytes.length);
  });
}

test("the alphabet has 127 characters of one septet and 10 of two, and no others", () => {
  const bySeptets = [0, 0, 0];
  for (let unit = 0; unit < 0x10000; unit++) {
    const character = String.fromCharCode(unit);
    bySeptets[isGsm7(character) ? gsm7Septets(character) : 0]! += 1;
  }
  assert.deepEqual(bySeptets, [0x10000 - 137, 127, 10]);
});

test("characters that Nigerian texts use and the alphabet lacks are not taken for GSM 7 bit", () => {
  for (const character of "₦’“”–—…\u00a0`\tçáíóúẹọṣịụṅɓɗƙƴ😀\u001b\u0000")
    assert.equal(isGsm7(character), false, character);
});

test("text outside the alphabet is never encoded or counted with a replacement", () => {
  assert.throws(() => encodeGsm7Unpacked("₦500"), /Invariant broken/);
  assert.throws(() => gsm7Septets("₦500"), /Invariant broken/);
});

test("an escape to an unknown code reads as the default alphabet's character, a last or double escape as a space", () => {
  assert.equal(decodeGsm7Unpacked(Uint8Array.of(0x1b, 0x61)), "a");
  assert.equal(decodeGsm7Unpacked(Uint8Array.of(0x41, 0x1b)), "A ");
  assert.equal(decodeGsm7Unpacked(Uint8Array.of(0x1b, 0x1b, 0x41)), " A");
});

test("an octet with the high bit set reads as U+FFFD, escaped or not", () => {
  assert.equal(decodeGsm7Unpacked(Uint8Array.of(0x41, 0x80, 0x1b, 0xff)), "A\ufffd\ufffd");
});

const ALPHABET = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter(isGsm7);

test("every character of the alphabet has the code that an independent table gives it", () => {
  for (const character of ALPHABET) {
    const [encoded] = new SegmentedMessage(character).encodedChars;
    assert.deepEqual([...encodeGsm7Unpacked(character)], encoded?.codeUnits, JSON.stringify(character));
  }
});

test("any text of the alphabet comes back from its octets unchanged", () => {
  const gsmText = fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 400 });
  fc.assert(
    fc.property(gsmText, (text) => {
      const bytes = encodeGsm7Unpacked(text);
      assert.equal(bytes.length, gsm7Septets(text));
      assert.equal(decodeGsm7Unpacked(bytes), text);
    }),
  );
});

test("any octets are read without an error", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.ok(decodeGsm7Unpacked(bytes).length <= bytes.length);
    }),
  );
});
