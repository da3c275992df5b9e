import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatReceiptText, parseReceiptText } from "./receipt.ts";

const LAYOUTS: readonly (readonly [layout: string, text: string, parsed: object])[] = [
  [
    "as in appendix B",
    "id:0123456789 sub:001 dlvrd:001 submit date:2601021504 done date:2601021505 stat:DELIVRD err:000 text:First twenty chars",
    {
      id: "0123456789",
      sub: "001",
      dlvrd: "001",
      submitDate: "2601021504",
      doneDate: "2601021505",
      stat: "DELIVRD",
      err: "000",
      text: "First twenty chars",
    },
  ],
  [
    "with capitals, seconds in its dates and letters in err",
    "Id:AB12 Sub:001 Dlvrd:000 Submit Date:260102150459 Done Date:260102150501 Stat:undeliv Err:nul Text:",
    {
      id: "AB12",
      sub: "001",
      dlvrd: "000",
      submitDate: "260102150459",
      doneDate: "260102150501",
      stat: "undeliv",
      err: "nul",
    },
  ],
  ["in another order with fields missing", "stat:EXPIRED id:7f err:0x1B", { stat: "EXPIRED", id: "7f", err: "0x1B" }],
  [
    "with commas and underscores",
    "id:9,submit_date:2601021504,stat:REJECTD",
    { id: "9", submitDate: "2601021504", stat: "REJECTD" },
  ],
  ["with text in front", "text:hello stat:DELIVRD id:3", { text: "hello", stat: "DELIVRD", id: "3" }],
  ["with spaces after the colons", "id: 12 stat: DELIVRD", { id: "12", stat: "DELIVRD" }],
  [
    "with a message that looks like a receipt",
    "id:1 stat:UNDELIV err:001 text:id:2 stat:DELIVRD",
    { id: "1", stat: "UNDELIV", err: "001", text: "id:2 stat:DELIVRD" },
  ],
  ["with a NUL at its end", "id:12 stat:DELIVRD\0", { id: "12", stat: "DELIVRD" }],
  ["with NULs between its fields", "id:12\0stat:DELIVRD\0err:000\0", { id: "12", stat: "DELIVRD", err: "000" }],
  ["with bars", "id:12|sub:001|stat:EXPIRED", { id: "12", sub: "001", stat: "EXPIRED" }],
  ["with equals signs", "id=12&stat=DELIVRD", { id: "12", stat: "DELIVRD" }],
  ["in lines", "id:12\r\nstat:DELIVRD\r\n", { id: "12", stat: "DELIVRD" }],
  ["with a key of its own after the id", "id:12 smsc:7 stat:DELIVRD", { id: "12", stat: "DELIVRD" }],
  ["with empty fields", "id:12 sub: dlvrd: stat: err:", { id: "12" }],
  ["with slashes", "id:12/sub:001/stat:DELIVRD/err:000", { id: "12", sub: "001", stat: "DELIVRD", err: "000" }],
  ["with msgid", "msgid:12 stat:DELIVRD", { id: "12", stat: "DELIVRD" }],
  ["with message_id", "message_id=12 status=DELIVRD", { id: "12", stat: "DELIVRD" }],
  ["as JSON", '{"id":"12","stat":"DELIVRD","err":"000"}', { id: "12", stat: "DELIVRD", err: "000" }],
  ["with quotes", 'id:"12" stat:"DELIVRD"', { id: "12", stat: "DELIVRD" }],
  ["with angle brackets", "id:<12> stat:<DELIVRD>", { id: "12", stat: "DELIVRD" }],
  ["with a comma in its id", "id:12,34 sub:001 stat:DELIVRD", { id: "12,34", sub: "001", stat: "DELIVRD" }],
  ["with a semicolon in its id", "id:12;34;stat:DELIVRD", { id: "12;34", stat: "DELIVRD" }],
  ["with a space in its id", "id:AB 12 stat:DELIVRD", { id: "AB 12", stat: "DELIVRD" }],
  ["with two keys of its own after the id", "id:12,smsc=7,done time:9 stat:DELIVRD", { id: "12", stat: "DELIVRD" }],
  ["with a key that ends like another", "smsc_id:7 smsc-id:8 id:12 stat:DELIVRD", { id: "12", stat: "DELIVRD" }],
  // Public reports on other software; the values are theirs.
  [
    "without sub and dlvrd (jsmpp, issue 62)",
    "id:1526758174 submit date:1701240904 done date:1701240904 stat:DELIVRD err:000 text:hellow",
    {
      id: "1526758174",
      submitDate: "1701240904",
      doneDate: "1701240904",
      stat: "DELIVRD",
      err: "000",
      text: "hellow",
    },
  ],
  [
    "without a text (jsmpp, issue 67)",
    "id:0654354026 submit date:2302101454 done date:2302101454 stat:DELIVRD err:000",
    { id: "0654354026", submitDate: "2302101454", doneDate: "2302101454", stat: "DELIVRD", err: "000" },
  ],
  [
    "with dates in SMPP's own form (smppex, issue 46)",
    "id:rdwjwxns18krxr9936ey96ymcw sub:000 dlvrd:000 submit date:180711070003912+ done date:180711070000012+ stat:UNDELIV err:000",
    {
      id: "rdwjwxns18krxr9936ey96ymcw",
      sub: "000",
      dlvrd: "000",
      submitDate: "180711070003912+",
      doneDate: "180711070000012+",
      stat: "UNDELIV",
      err: "000",
    },
  ],
  [
    "with counts of any length and a capital Text (node-smpp, issue 77)",
    "id:45013692 sub:0 dlvrd:28 submit date:1908121157 done date:1908121158 stat:UNDELIV err:21 Text:*100#",
    {
      id: "45013692",
      sub: "0",
      dlvrd: "28",
      submitDate: "1908121157",
      doneDate: "1908121158",
      stat: "UNDELIV",
      err: "21",
      text: "*100#",
    },
  ],
  [
    "with a word of six letters and a date of zeros (jasmin, issue 447)",
    "id:1216080510463401720 sub:001 dlvrd:001 submit date:1608051046 done date:0000000000 stat:FAILED err:002 Text:",
    {
      id: "1216080510463401720",
      sub: "001",
      dlvrd: "001",
      submitDate: "1608051046",
      doneDate: "0000000000",
      stat: "FAILED",
      err: "002",
    },
  ],
  [
    "with seconds and a long hexadecimal id (jasmin, issue 70)",
    "id:a29f6845555647139e5c8f3b817f2c9a sub:001 dlvrd:001 submit date:141023215253 done date:141023215259 stat:DELIVRD err:000 text:",
    {
      id: "a29f6845555647139e5c8f3b817f2c9a",
      sub: "001",
      dlvrd: "001",
      submitDate: "141023215253",
      doneDate: "141023215259",
      stat: "DELIVRD",
      err: "000",
    },
  ],
  [
    "with a space before the error (php-smpp, issue 29)",
    "id:7 stat:DELIVRD err: 0",
    { id: "7", stat: "DELIVRD", err: "0" },
  ],
  ["of an SMSC with UUIDs", "id:3f0c-11ee stat:ACCEPTD", { id: "3f0c-11ee", stat: "ACCEPTD" }],
];
for (const [layout, text, parsed] of LAYOUTS) {
  test(`a receipt ${layout} is read`, () => assert.deepEqual(parseReceiptText(text), parsed));
}

for (const front of [
  "\x01",
  "\x02",
  "\x1b",
  '"',
  "(",
  "{",
  "[",
  "<",
  "@",
  "*",
  "\ufeff",
  "\u00ef\u00bb\u00bf",
  "DLR:",
  "DLR ",
  "#",
  "\0\0",
]) {
  test(`a receipt with ${JSON.stringify(front)} in front is read`, () =>
    assert.deepEqual(parseReceiptText(`${front}id:12 stat:DELIVRD`), { id: "12", stat: "DELIVRD" }));
}

for (const text of ["", "Thanks, see you at 8", "paid:yes", "text:hello"]) {
  test(`${JSON.stringify(text)} is not a receipt`, () => assert.equal(parseReceiptText(text), undefined));
}

test("a receipt we format reads back with the same id, stat, err and message", () => {
  const word = fc.stringMatching(/^[a-z0-9-]{1,20}$/);
  fc.assert(
    fc.property(word, fc.constantFrom("DELIVRD", "UNDELIV"), word, word, (id, stat, err, text) => {
      const at = new Date("2026-01-02T15:04:05Z");
      const parsed = parseReceiptText(formatReceiptText({ id, submittedAt: at, doneAt: at, stat, err, text }));
      assert.deepEqual(
        { id: parsed?.id, stat: parsed?.stat, err: parsed?.err, text: parsed?.text, doneDate: parsed?.doneDate },
        { id, stat, err, text, doneDate: "2601021504" },
      );
    }),
  );
});

test("any text is read or refused without throwing", () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void parseReceiptText(text)));
});
