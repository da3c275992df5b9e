import assert from "node:assert/strict";
import { test } from "node:test";
import { timeReader } from "./statement-time.ts";

/** The beginning and the end of what each text names, or why it names nothing. All are of one statement. */
const read = (written: readonly string[], timeZone = "Africa/Lagos") => {
  const spanOf = timeReader(written, timeZone);
  return written.map((text) => {
    const span = spanOf(text);
    return "why" in span ? span.why : `${span.from.toISOString()} ${span.until.toISOString()}`;
  });
};

const SECOND = "2026-10-03T13:07:21.000Z 2026-10-03T13:07:21.999Z";
const MINUTE = "2026-10-03T13:07:00.000Z 2026-10-03T13:07:59.999Z";
const DAY = "2026-10-02T23:00:00.000Z 2026-10-03T22:59:59.999Z";
const TIMES: readonly (readonly [written: string, span: string])[] = [
  ["2026-10-03 14:07:21", SECOND],
  ["2026-10-03T14:07:21", SECOND],
  ["2026-10-03T13:07:21Z", SECOND],
  ["2026-10-03T14:07:21+01:00", SECOND],
  ["2026-10-03 14:07:21 +0100", SECOND],
  ["2026-10-03 14:07:21 WAT", SECOND],
  ["2026-10-03 13:07:21 UTC", SECOND],
  ["2026-10-03, 2:07:21 PM", SECOND],
  ["2026/10/03 14:07:21", SECOND],
  ["2026.10.3 14:07:21", SECOND],
  ["03.10.2026 14:07:21", SECOND],
  ["3 Oct 2026 14:07:21", SECOND],
  ["3rd October 2026 at 2:07:21 p.m.", SECOND],
  ["Oct 3, 2026 02:07:21 PM", SECOND],
  ["Sat, 03 Oct 2026 13:07:21 GMT", SECOND],
  ["Sat Oct 03 2026 14:07:21 GMT+0100 (West Africa Standard Time)", SECOND],
  ["2026-10-03T13:07:21.500Z", "2026-10-03T13:07:21.500Z 2026-10-03T13:07:21.500Z"],
  ["2026-10-03 14:07", MINUTE],
  ["2026-10-03 2:07PM", MINUTE],
  ["03-Oct-26 14:07", MINUTE],
  ["2026-10-03", DAY],
  ["3-Oct-2026", DAY],
  ["03.10.2026", DAY],
  ["2026-10-03 12:00 AM", "2026-10-02T23:00:00.000Z 2026-10-02T23:00:59.999Z"],
  ["2026-10-03 12:00 PM", "2026-10-03T11:00:00.000Z 2026-10-03T11:00:59.999Z"],
];
for (const [written, span] of TIMES)
  test(`${written} is from ${span.replace(" ", " to ")}`, () => {
    assert.deepEqual(read([written]), [span]);
  });

for (const written of [
  "2026-02-30",
  "2026-11-31 10:00",
  "2026-13-01",
  "2026-10-03 24:00",
  "2026-10-03 14:60",
  "2026-10-03 13:07 PM",
  "31/11/2026",
  "03.25.2026",
  "30 February 2026",
  "46298.58",
  "20261003",
  "2026-10-03 14:07 EST",
  "yesterday",
  "",
])
  test(`${JSON.stringify(written)} is no time`, () => {
    assert.match(read([written])[0]!, /^is no time \(/);
  });

test("which of day and month comes first is what another time of the statement says", () => {
  const third = /^2026-10-02T23:00/;
  assert.match(read(["03/10/2026", "31/10/2026"])[0]!, third);
  assert.match(read(["10/03/2026", "10/31/2026"])[0]!, third);
  assert.match(read(["03-10-2026 14:07", "13-10-2026 14:07"])[0]!, /^2026-10-03T13:07/);
  assert.match(read(["03/10/26", "31/10/26"])[0]!, third);
});

test("where no time says it, a date that may be two is refused, and one that can't be is read", () => {
  const [may, same] = read(["03/10/2026", "03/03/2026", "2026-10-03"]);
  assert.equal(may, "is no time that can be told: it may be 3 October or 10 March");
  assert.match(same!, /^2026-03-02T23:00/);
});

test("a statement with days first and months first is refused, but for what is clear by itself", () => {
  const told = read(["31/10/2026", "10/31/2026", "03/10/2026", "2026-10-03"]);
  assert.deepEqual(
    told.slice(0, 3).map((why) => /days come first and months do, too/.test(why)),
    [true, true, true],
  );
  assert.equal(told[3], DAY);
});

test("an hour that comes twice, or not at all, is covered whole", () => {
  assert.deepEqual(read(["2026-11-01 01:30:00", "2026-03-08 02:30:00", "2026-11-01"], "America/New_York"), [
    "2026-11-01T05:30:00.000Z 2026-11-01T06:30:00.999Z",
    "2026-03-08T06:30:00.000Z 2026-03-08T07:30:00.999Z",
    "2026-11-01T04:00:00.000Z 2026-11-02T04:59:59.999Z",
  ]);
});
