import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "./statement-text.ts";

const TEXT = "requestId,note\nR1,₦5 für Adé\n";
const utf16 = (text: string, big = false): Buffer => {
  const bytes = Buffer.from(text, "utf16le");
  return big ? bytes.swap16() : bytes;
};

for (const [what, bytes] of [
  ["UTF-8", Buffer.from(TEXT)],
  ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${TEXT}`)],
  ["UTF-16, little end first", utf16(`\ufeff${TEXT}`)],
  ["UTF-16, big end first", utf16(`\ufeff${TEXT}`, true)],
  ["UTF-16 without a mark, little end first", utf16(TEXT)],
  ["UTF-16 without a mark, big end first", utf16(TEXT, true)],
] as const)
  test(`${what} is read`, () => {
    assert.deepEqual(textOf(bytes), { ok: true, value: TEXT });
  });

test("what is no UTF-8 is read in the code page of Windows", () => {
  assert.deepEqual(textOf(Buffer.from("R1,Ad\xe9", "latin1")), { ok: true, value: "R1,Adé" });
});

test("a file that is no text is named", () => {
  for (const [start, told] of [
    ["PK\x03\x04rest", /a workbook \(\.xlsx/],
    ["\xd0\xcf\x11\xe0rest", /a workbook \(\.xls\)/],
    ["%PDF-1.7", /a PDF/],
    ["\x1f\x8b\x08", /compressed/],
    ["\n<!DOCTYPE html><table>", /a web page/],
    ["<table><tr>", /a web page/],
  ] as const) {
    const read = textOf(Buffer.from(start, "latin1"));
    assert.match(!read.ok ? read.error : "", told);
  }
});

test("nothing is an empty text", () => {
  assert.deepEqual(textOf(Buffer.alloc(0)), { ok: true, value: "" });
});
