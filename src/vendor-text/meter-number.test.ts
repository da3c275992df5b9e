import assert from "node:assert/strict";
import { test } from "node:test";
import { isSameMeter } from "./meter-number.ts";

for (const [said, meterNumber, isSame] of [
  ["04123456784", "04123456784", true],
  ["4123456784", "04123456784", true],
  ["0004123456784", "04123456784", true],
  ["9991123456784", "123456784", false],
  ["412345678", "04123456784", false],
  ["41234567840", "04123456784", false],
  ["00000000000", "00000000000", true],
  ["0", "00000000000", false],
  ["", "00000000000", false],
  ["555", "00000000000", false],
] as const)
  test(`${said || "nothing"} is ${isSame ? "" : "not "}the meter ${meterNumber}`, () => {
    assert.equal(isSameMeter(said, meterNumber), isSame);
  });
