import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { amountOf, amountWord, makeToken, readToken } from "./tokens.ts";

const METER = fc.stringMatching(/^\d{11,13}$/);
const KIND = fc.constantFrom("kct1", "kct2", "credit", "bonus");
const SERIAL = fc.integer({ min: 0, max: 0xff_ffff });

test("a token is twenty digits below 2^66, and its meter reads from it what was put in", () => {
  fc.assert(
    fc.property(METER, KIND, SERIAL, fc.integer({ min: 0, max: 16_383 }), (meter, kind, serial, unitsTenths) => {
      const token = makeToken(meter, { kind, serial, unitsTenths });
      assert.match(token, /^\d{20}$/);
      assert.ok(BigInt(token) < 1n << 66n);
      assert.deepEqual(readToken(meter, token), { kind, serial, unitsTenths });
    }),
  );
});

test("no two serials of a meter give the same token", () => {
  const tokens = Array.from({ length: 2_000 }, (_, serial) =>
    makeToken("10000000001", { kind: "credit", serial, unitsTenths: 128 }),
  );
  assert.equal(new Set(tokens).size, tokens.length);
});

test("another meter can't read a token", () => {
  const token = makeToken("10000000001", { kind: "credit", serial: 7, unitsTenths: 128 });
  assert.equal(readToken("10000000002", token), undefined);
});

test("a slip in any digit is found", () => {
  const token = makeToken("10000000001", { kind: "credit", serial: 7, unitsTenths: 128 });
  for (let place = 0; place < 20; place++) {
    const slip = token.slice(0, place) + String((Number(token[place]) + 1) % 10) + token.slice(place + 1);
    assert.equal(readToken("10000000001", slip), undefined, `in place ${place}`);
  }
});

/** Points of the amount field of IEC 62055-41: tenths of a kWh, the word, what it stands for. */
const AMOUNTS: readonly (readonly [tenths: number, word: number, stands: number])[] = [
  [1, 0x0001, 1],
  [256, 0x0100, 256],
  [16_383, 0x3fff, 16_383],
  [16_384, 0x4000, 16_384],
  [16_385, 0x4001, 16_394],
  [180_214, 0x7fff, 180_214],
  [180_215, 0x8000, 180_224],
  [1_818_624, 0xc000, 1_818_624],
  [18_201_624, 0xffff, 18_201_624],
];
for (const [tenths, word, stands] of AMOUNTS)
  test(`${tenths} tenths of a kWh are the amount word ${word}, never less than was paid for`, () => {
    assert.equal(amountWord(tenths), word);
    assert.equal(amountOf(word), stands);
  });
