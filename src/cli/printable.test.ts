import assert from "node:assert/strict";
import { test } from "node:test";
import { printable, printableCell } from "./printable.ts";
import { tableText } from "./report.ts";

const EVIL = "\u001b]0;pwned\u0007\u001b[2J\u009b31m\r\nacc_fake  approved\u202eevil\u2066";

test("no text of a subscriber reaches the operator's terminal as a command", () => {
  assert.equal(
    printable(EVIL),
    "\\u001b]0;pwned\\u0007\\u001b[2J\\u009b31m\\u000d\nacc_fake  approved\\u202eevil\\u2066",
  );
  assert.equal(printable("₦1,500.00 · Ọ̀ṣun ✔ 👍"), "₦1,500.00 · Ọ̀ṣun ✔ 👍");
});

test("a line break in a cell makes no row", () => {
  assert.equal(printableCell("a\r\nb"), "a\\u000d\\nb");
  assert.equal(tableText(["SENDER"], [[EVIL]]).split("\n").length, 2);
});

test("JSON stays JSON, with the same value", () => {
  const json = JSON.stringify({ evidence: EVIL });
  assert.deepEqual(JSON.parse(printable(json)), { evidence: EVIL });
  assert.ok(!printable(json).includes("\u202e"));
});
