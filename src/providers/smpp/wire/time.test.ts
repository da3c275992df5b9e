import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatAbsoluteTime, formatRelativeTime, parseTime } from "./time.ts";

const NOW = new Date("2026-01-02T03:04:05Z");

test("an absolute time is written in UTC with tenths", () => {
  assert.equal(formatAbsoluteTime(new Date("2026-01-02T03:04:05.678Z")), "260102030405600+");
});

test("a relative time is written in days, hours, minutes and seconds", () => {
  assert.equal(formatRelativeTime(((3 * 24 + 4) * 3600 + 5 * 60 + 6) * 1000), "000003040506000R");
});

test("a relative time below a second or beyond a month is drawn to the bound", () => {
  assert.equal(formatRelativeTime(0), "000000000001000R");
  assert.equal(formatRelativeTime(1e12), "000031000000000R");
});

test("an absolute time reads back to the tenth of a second", () => {
  const date = fc.date({ min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(date, (at) => {
      assert.equal(parseTime(formatAbsoluteTime(at), NOW)?.getTime(), Math.floor(at.getTime() / 100) * 100);
    }),
  );
});

test("a relative time reads back to the second", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 31 * 86_400 }), (seconds) => {
      assert.equal(parseTime(formatRelativeTime(seconds * 1000), NOW)?.getTime(), NOW.getTime() + seconds * 1000);
    }),
  );
});

for (const [text, instant] of [
  ["260102040405004+", "2026-01-02T03:04:05.000Z"],
  ["260102020405004-", "2026-01-02T03:04:05.000Z"],
] as const) {
  test(`${text} counts its quarter hours from UTC`, () => {
    assert.equal(parseTime(text, NOW)?.toISOString(), instant);
  });
}

for (const text of ["", "261301000000000+", "260230000000000+", "260101240000000+", "2601020304", "260102030405049+"]) {
  test(`${JSON.stringify(text)} is no time`, () => assert.equal(parseTime(text, NOW), undefined));
}
