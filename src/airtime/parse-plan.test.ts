import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isParsed, type PlanKind, parsePlan } from "./parse-plan.ts";

const GB = 1_024;
const DAY = 24;

/** Names as vendors write them: size in MB, validity in hours, kind. */
const NAMES: readonly (readonly [
  name: string,
  sizeMb: number | null,
  validityHours: number | null,
  kind: PlanKind | null,
])[] = [
  ["MTN 1GB 30 Days", GB, 30 * DAY, "standard"],
  ["N1000 1.5GB - 30 days", 1.5 * GB, 30 * DAY, "standard"],
  ["MTN N100 100MB - 24 hrs", 100, DAY, "standard"],
  ["MTN Data Daily Plan N350 - 1GB (1 Day)", GB, DAY, "standard"],
  ["Airtel Data - 1,500 Naira - 3GB - 30Days", 3 * GB, 30 * DAY, "standard"],
  ["500 Naira - 750MB/3days", 750, 3 * DAY, "standard"],
  ["Glo N50 50MB - 1 hour", 50, 1, "standard"],
  ["9mobile 1,000MB 14-day", 1_000, 14 * DAY, "standard"],
  ["MTN 1TB - 1 Year", 1_024 * GB, 365 * DAY, "standard"],
  ["MTN N6000 75GB 2-Month Plan", 75 * GB, 60 * DAY, "standard"],
  ["Weekly 1GB", GB, 7 * DAY, "standard"],
  ["Monthly 10GB plan", 10 * GB, 30 * DAY, "standard"],
  ["Weekly Plan 5GB 7 days", 5 * GB, 7 * DAY, "standard"],
  ["MTN SME 1GB 30 days", GB, 30 * DAY, "sme"],
  ["1GB SME Data (1 month)", GB, 30 * DAY, "sme"],
  ["MTN Corporate Gifting 500MB 30 days", 500, 30 * DAY, "corporate"],
  ["Airtel CG 1GB - 30 days", GB, 30 * DAY, "corporate"],
  ["Gifting 2GB 2 days", 2 * GB, 2 * DAY, "gifting"],
  ["Glo Night 250MB 1 day", 250, DAY, "night"],
  ["Weekend 3GB 2 days", 3 * GB, 2 * DAY, "weekend"],
  ["WhatsApp 150MB 30days", 150, 30 * DAY, "social"],
  ["１ＧＢ ３０ days", GB, 30 * DAY, "standard"],
  // What is not said is not guessed.
  ["MTN Xtratalk Weekly Bundle", null, 7 * DAY, null],
  ["MTN 1GB", GB, null, null],
  ["30 days", null, 30 * DAY, null],
  ["Unlimited 30 days", null, 30 * DAY, null],
  ["", null, null, null],
  ["Smile Voice ONLY 65", null, null, null],
  // Nor what is said twice, with different values.
  ["2GB + 1GB Night 30 days", null, 30 * DAY, "night"],
  ["1GB 7 days or 30 days", GB, null, null],
  ["1GB SME Gifting 30 days", GB, 30 * DAY, null],
  // A day's share is not the size.
  ["100MB daily for 30 days", null, 30 * DAY, null],
  ["MTN 1GB/day 7 days", null, 7 * DAY, null],
  ["2GB per day, 30 days", null, 30 * DAY, null],
  // A decimal comma, or a separator of thousands that is none.
  ["1,5GB 30 days", null, 30 * DAY, null],
  // Words and numbers that only look like it.
  ["GBP 30 days", null, 30 * DAY, null],
  ["1GBonus 3daysters", null, null, null],
];
for (const [name, sizeMb, validityHours, kind] of NAMES)
  test(`${JSON.stringify(name)} says ${sizeMb ?? "no size"} MB, ${validityHours ?? "no validity"} h, ${kind ?? "no kind"}`, () => {
    assert.deepEqual(parsePlan(name), { sizeMb, validityHours, kind });
  });

test("a plan is parsed when both its size and its validity are", () => {
  for (const [name, sizeMb, validityHours] of NAMES)
    assert.equal(isParsed(parsePlan(name)), sizeMb !== null && validityHours !== null, name);
});

test("size and validity are found in any order and spelling, whatever the price beside them", () => {
  const parts = fc.record({
    size: fc.integer({ min: 1, max: 999 }),
    unit: fc.constantFrom("MB", "GB", "mb", "Gb"),
    space: fc.constantFrom("", " "),
    days: fc.integer({ min: 1, max: 365 }),
    word: fc.constantFrom("day", "days", "Days", "DAYS"),
    naira: fc.integer({ min: 50, max: 99_999 }),
    flipped: fc.boolean(),
  });
  fc.assert(
    fc.property(parts, ({ size, unit, space, days, word, naira, flipped }) => {
      const said = [`${size}${space}${unit}`, `${days}${space}${word}`];
      const name = `N${naira} ${(flipped ? said.reverse() : said).join(" - ")}`;
      const sizeMb = unit.toLowerCase() === "gb" ? size * GB : size;
      assert.deepEqual(parsePlan(name), { sizeMb, validityHours: days * DAY, kind: "standard" });
    }),
  );
});

test("any text is read, in little time, and never gives a size or validity that is no positive whole number", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200, unit: "grapheme" }), (name) => {
      const { sizeMb, validityHours } = parsePlan(name);
      for (const value of [sizeMb, validityHours])
        assert.ok(value === null || (Number.isSafeInteger(value) && value > 0));
    }),
  );
});
