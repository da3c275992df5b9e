import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { afterLagosMonth, afterQuietHours, lagosMonth, withinQuietHours } from "./lagos.ts";

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

test("a month is Lagos's, and so is the moment after it", () => {
  assert.equal(lagosMonth(at("2026-11-30T22:59:59.999Z")), "2026-11");
  assert.equal(lagosMonth(at("2026-11-30T23:00:00.000Z")), "2026-12");
  assert.equal(lagosMonth(at("2026-12-31T23:00:00.000Z")), "2027-01");
  assert.deepEqual(afterLagosMonth("2026-11"), at("2026-11-30T23:00:00.000Z"));
  assert.deepEqual(afterLagosMonth("2026-12"), at("2026-12-31T23:00:00.000Z"));
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

test("a month ends at the first moment of the next one, after every moment of its own", () => {
  fc.assert(
    fc.property(anyDate, (date) => {
      const end = afterLagosMonth(lagosMonth(date));
      assert.ok(end > date);
      assert.equal(inLagos(new Date(end.getTime() - 1)).month, inLagos(date).month);
      assert.deepEqual([inLagos(end).day, inLagos(end).time, end.getMilliseconds()], ["01", "00:00:00", 0]);
    }),
  );
});
