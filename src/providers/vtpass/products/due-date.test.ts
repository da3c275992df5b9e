import assert from "node:assert/strict";
import { test } from "node:test";
import { readDueDate } from "./due-date.ts";

/** Of the vendor's pages and of public clients: docs/providers/vtpass.md. */
const READ = [
  ["2025-02-06T00:00:00", "2025-02-06"],
  ["2019-07-23T00:00:00", "2019-07-23"],
  ["2026-04-06T00:00:00+01:00", "2026-04-06"],
  ["2026-04-06 00:00:00", "2026-04-06"],
  ["2024-08-15", "2024-08-15"],
  ["02-FEB-25", "2025-02-02"],
  ["2-Feb-2025", "2025-02-02"],
  ["30 Oct 2026", "2026-10-30"],
  ["November 24th, 2021", "2021-11-24"],
  ["November 24, 2021", "2021-11-24"],
  [" August 1st, 2026 ", "2026-08-01"],
  ["29-FEB-28", "2028-02-29"],
] as const;

const UNREAD = ["", "N/A", "02/03/25", "06-02-2025", "29-FEB-27", "31-APR-26", "2026-13-01", "02-FOO-25", "soon", "0"];

test("a due date is read in every form that the vendor's answers have been seen with", () => {
  for (const [text, date] of READ) assert.equal(readDueDate(text), date, text);
});

test("a date that is unclear, impossible or none is left out", () => {
  for (const text of UNREAD) assert.equal(readDueDate(text), undefined, text);
});
