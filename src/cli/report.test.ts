import assert from "node:assert/strict";
import { test } from "node:test";
import { tableText, tableWithNotes, wordsOf } from "./report.ts";

test("what is too long for a column stands below its row, in lines that a terminal shows whole", () => {
  const evidence = "registered with the Corporate Affairs Commission ".repeat(4).trim();
  const table = tableWithNotes(
    ["SENDER", "CLASS"],
    [
      { cells: ["IkoyiFoods", "transactional"], notes: ["mtn approved", evidence] },
      { cells: ["Eko", "both"], notes: ["", "a\nnew row"] },
    ],
  );
  const lines = table.split("\n");
  assert.deepEqual(lines.slice(0, 3), ["SENDER      CLASS", "IkoyiFoods  transactional", "    mtn approved"]);
  assert.deepEqual(lines.slice(-2), ["Eko         both", "    a\\nnew row"], "no text makes a row of its own");
  assert.ok(
    lines.every((line) => line.length <= 80),
    table,
  );
  assert.equal(lines.slice(3, -2).join(" ").replace(/\s+/g, " ").trim(), evidence, "nothing of it is lost");
});

test("a table has columns as wide as their widest cell", () => {
  assert.equal(tableText(["A", "B"], [["long one", "x"]]), "A         B\nlong one  x");
});

test("what a row says in JSON is told in words", () => {
  assert.equal(
    wordsOf({ scopes: ["read", "send"], spend_cap: null, lost_answers: 3, network: "mtn" }),
    "scopes read send; lost answers 3; network mtn",
  );
});
