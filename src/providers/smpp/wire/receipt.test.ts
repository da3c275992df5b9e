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
  ["of an SMSC with UUIDs", "id:3f0c-11ee stat:ACCEPTD", { id: "3f0c-11ee", stat: "ACCEPTD" }],
];
for (const [layout, text, parsed] of LAYOUTS) {
  test(`a receipt ${layout} is read`, () => assert.deepEqual(parseReceiptText(text), parsed));
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
