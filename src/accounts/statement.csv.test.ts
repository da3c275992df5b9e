import assert from "node:assert/strict";
import { test } from "node:test";
import { CSV_HEAD, csvOf } from "./statement.csv.ts";

const reasonOf = (reason: string) => csvOf({ reason }).slice(7, -5);

test("a line has a cell for each head, empty when it has no such thing", () => {
  assert.equal(csvOf({ id: "trf_1", kind: "hold", amount: "4.00" }), "trf_1,hold,,4.00,,,,,,,\r\n");
  assert.equal(csvOf({}).split(",").length, CSV_HEAD.split(",").length);
});

test("commas, quotes and line ends stay inside their cell", () => {
  assert.equal(reasonOf('a, "b"\nc'), '"a, ""b""\nc"');
});

test("no cell is a formula to a spreadsheet", () => {
  for (const formula of ["=1+1", "+1", "-1", "@A1", "\tx", "＝1"]) assert.equal(reasonOf(formula), `'${formula}`);
  assert.equal(reasonOf('=HYPERLINK("http://a")'), `"'=HYPERLINK(""http://a"")"`);
  assert.equal(reasonOf("refund = agreed"), "refund = agreed");
});
