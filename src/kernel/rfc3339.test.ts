import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isDay, readTime, timeOf } from "./rfc3339.ts";

const GOOD: Readonly<Record<string, string>> = {
  "2026-11-27T09:00:00Z": "2026-11-27T09:00:00.000Z",
  "2026-11-27t09:00:00z": "2026-11-27T09:00:00.000Z",
  "2026-11-27T09:00:00+01:00": "2026-11-27T08:00:00.000Z",
  "2026-11-27t09:00:00-05:30": "2026-11-27T14:30:00.000Z",
  "2026-11-27T09:00:00.123456789Z": "2026-11-27T09:00:00.123Z",
  "2028-02-29T23:59:59-23:59": "2028-03-01T23:58:59.000Z",
};
for (const [text, expected] of Object.entries(GOOD))
  test(`${text} is ${expected}`, () => {
    assert.equal(readTime(text)?.toISOString(), expected);
    assert.equal(timeOf(text).toISOString(), expected);
  });

const BAD = [
  ["a day that its month does not have", "2027-02-30T00:00:00Z"],
  ["29 February of a year without one", "2027-02-29T00:00:00Z"],
  ["31 November", "2026-11-31T00:00:00+01:00"],
  ["month 13", "2026-13-01T00:00:00Z"],
  ["day 0", "2026-11-00T00:00:00Z"],
  ["hour 24", "2026-11-27T24:00:00Z"],
  ["minute 60", "2026-11-27T09:60:00Z"],
  ["second 60", "2026-12-31T23:59:60Z"],
  ["no zone", "2026-11-27T09:00:00"],
  ["a zone without a colon", "2026-11-27T09:00:00+0100"],
  ["a zone of 24 hours", "2026-11-27T09:00:00+24:00"],
  ["a space for the T", "2026-11-27 09:00:00Z"],
  ["a space for the plus", "2026-11-27T09:00:00 01:00"],
  ["no seconds", "2026-11-27T09:00Z"],
  ["a day alone", "2026-11-27"],
  ["digits of another script", "２０２６-11-27T09:00:00Z"],
  ["a line after it", "2026-11-27T09:00:00Z\n"],
  ["nothing", ""],
] as const;
for (const [what, text] of BAD)
  test(`${what} is no time: ${JSON.stringify(text)}`, () => {
    assert.equal(readTime(text), undefined);
    assert.throws(() => timeOf(text), RangeError);
  });

test("a day is one that the calendar has", () => {
  const days = [
    "2026-11-30",
    "2028-02-29",
    "2026-11-31",
    "2027-02-29",
    "2026-00-10",
    "2026-1-1",
    "26-11-30",
    "2026-11-30T",
  ];
  assert.deepEqual(days.map(isDay), [true, true, false, false, false, false, false, false]);
});

test("every moment is read back as it was written", () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-12-31T00:00:00Z") }), (at) => {
      assert.equal(readTime(at.toISOString())?.getTime(), at.getTime());
    }),
  );
});
