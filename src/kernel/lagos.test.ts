import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { afterQuietHours, lagosMonthStart, withinQuietHours } from "./lagos.ts";

const at = (text: string) => new Date(text);

const LIMITS: readonly (readonly [utc: string, quiet: boolean])[] = [
  ["2026-11-27T06:59:59.999Z", true],
  ["2026-11-27T07:00:00.000Z", false],
  ["2026-11-27T18:59:59.999Z", false],
  ["2026-11-27T19:00:00.000Z", true],
  ["2026-11-27T23:30:00.000Z", true],
];
for (const [utc, quiet] of LIMITS) {
  test(`${utc} is ${quiet ? "within" : "outside"} quiet hours`, () => assert.equal(withinQuietHours(at(utc)), quiet));
}

test("what misses the window in the evening leaves at 08:00 of the next day, after midnight at 08:00 of the same", () => {
  assert.deepEqual(afterQuietHours(at("2026-12-31T19:00:00.000Z")), at("2027-01-01T07:00:00.000Z"));
  assert.deepEqual(afterQuietHours(at("2026-12-31T23:30:00.000Z")), at("2027-01-01T07:00:00.000Z"));
  assert.deepEqual(afterQuietHours(at("2026-12-31T06:59:59.999Z")), at("2026-12-31T07:00:00.000Z"));
  assert.deepEqual(afterQuietHours(at("2026-12-31T12:34:56.789Z")), at("2026-12-31T12:34:56.789Z"));
});

test("the month begins at midnight in Lagos, an hour before it does in UTC", () => {
  assert.deepEqual(lagosMonthStart(at("2026-11-30T22:59:59.999Z")), at("2026-10-31T23:00:00.000Z"));
  assert.deepEqual(lagosMonthStart(at("2026-11-30T23:00:00.000Z")), at("2026-11-30T23:00:00.000Z"));
  assert.deepEqual(lagosMonthStart(at("2027-01-01T00:00:00.000Z")), at("2026-12-31T23:00:00.000Z"));
});

/** Node's own time zone data is the judge of the fixed offset. */
const lagosClock = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Africa/Lagos",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const inLagos = (date: Date) => {
  const parts = Object.fromEntries(lagosClock.formatToParts(date).map(({ type, value }) => [type, value]));
  return {
    month: `${parts.year}-${parts.month}`,
    day: parts.day,
    hour: Number(parts.hour),
    time: `${parts.hour}:${parts.minute}:${parts.second}`,
  };
};

const anyDate = fc.date({ min: at("1970-01-01T00:00:00Z"), max: at("2100-01-01T00:00:00Z"), noInvalidDate: true });

test("at any moment quiet hours are what a clock in Lagos says", () => {
  fc.assert(
    fc.property(anyDate, (date) => {
      const { hour } = inLagos(date);
      assert.equal(withinQuietHours(date), hour < 8 || hour >= 20);
    }),
  );
});

test("a message that waits leaves at 08:00 in Lagos, outside quiet hours and within twelve hours", () => {
  fc.assert(
    fc.property(anyDate, (date) => {
      const leavesAt = afterQuietHours(date);
      assert.equal(withinQuietHours(leavesAt), false);
      if (!withinQuietHours(date)) return assert.deepEqual(leavesAt, date);
      const waitMs = leavesAt.getTime() - date.getTime();
      assert.ok(waitMs > 0 && waitMs <= 12 * 3_600_000);
      assert.equal(inLagos(leavesAt).time, "08:00:00");
      assert.equal(leavesAt.getMilliseconds(), 0);
    }),
  );
});

test("the month's start is the first moment of the same Lagos month", () => {
  fc.assert(
    fc.property(anyDate, (date) => {
      const start = lagosMonthStart(date);
      assert.ok(start <= date);
      assert.equal(inLagos(start).month, inLagos(date).month);
      assert.deepEqual([inLagos(start).day, inLagos(start).time, start.getMilliseconds()], ["01", "00:00:00", 0]);
    }),
  );
});
