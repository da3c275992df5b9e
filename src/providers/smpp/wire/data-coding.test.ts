import assert from "node:assert/strict";
import { test } from "node:test";
import { charsetOf, isSeptets } from "./data-coding.ts";

/** The values that text can be sent under, and their neighbours: how many octets a message has room for depends on it. */
const ROOM: readonly (readonly [dataCoding: number, charset: string, isSeptets: boolean])[] = [
  [0x00, "default", true],
  [0x01, "latin1", true],
  [0x02, "latin1", false],
  [0x03, "latin1", false],
  [0x04, "latin1", false],
  [0x08, "ucs2", false],
  [0x10, "default", true],
  [0x13, "default", true],
  [0x14, "latin1", false],
  [0x18, "ucs2", false],
  [0x20, "latin1", false], // compressed
  [0x41, "default", true], // to be deleted once read
  [0x48, "ucs2", false],
  [0x80, "default", true], // reserved
  [0xc0, "default", true],
  [0xdf, "default", true],
  [0xe0, "ucs2", false],
  [0xf0, "default", true],
  [0xf4, "latin1", false],
  [0xf8, "default", true],
];
for (const [dataCoding, charset, septets] of ROOM) {
  test(`data_coding 0x${dataCoding.toString(16)} is ${charset} in ${septets ? "septets" : "octets"}`, () =>
    assert.deepEqual([charsetOf(dataCoding), isSeptets(dataCoding)], [charset, septets]));
}
