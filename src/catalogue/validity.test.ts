import assert from "node:assert/strict";
import { test } from "node:test";
import { daysOf, validityHoursIn, validityWord } from "./validity.ts";

const DAY = 24;

const NAMES: readonly (readonly [name: string, hours: number | null])[] = [
  ["MTN N100 100MB - 24 hrs", DAY],
  ["Nova (Dish) - 2100 Naira - 1 Month", 30 * DAY],
  ["Global (Dish) - 6500 Naira - 1Week", 7 * DAY],
  ["GOtv Smallie - quarterly N5,100", 90 * DAY],
  ["GOtv Smallie - yearly N15,000", 365 * DAY],
  ["Daily Plan 1GB (2 days)", 2 * DAY],
  // What is not stated, or stated twice, is not guessed.
  ["DStv Padi N4,400", null],
  ["1GB 7 days or 30 days", null],
];
for (const [name, hours] of NAMES)
  test(`${JSON.stringify(name)} is valid for ${hours ?? "an unknown number of"} hours`, () => {
    assert.equal(validityHoursIn(name), hours);
  });

test("hours are told in days with two places", () => {
  assert.deepEqual([1, 2, 12, 24, 36, 720].map(daysOf), [0.04, 0.08, 0.5, 1, 1.5, 30]);
});

test("an id has whole days, or hours", () => {
  assert.deepEqual([2, 24, 36, 720].map(validityWord), ["2h", "1d", "36h", "30d"]);
});
