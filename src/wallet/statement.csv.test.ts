import assert from "node:assert/strict";
import { test } from "node:test";
import { CSV_HEAD, csvOf } from "./statement.csv.ts";
import type { StatementLine } from "./statement.schemas.ts";

const money = (amount: string) => ({ amount, currency: "NGN" as const });
const LINE: StatementLine = {
  id: "trf_1",
  object: "wallet_transaction",
  kind: "charge",
  at: "2026-11-27T09:00:00.412Z",
  amount: money("-4.00"),
  held_change: money("-4.00"),
  order_id: "msg_1",
  balance_after: money("996.00"),
  held_after: money("0.00"),
  available_after: money("996.00"),
};
const reasonOf = (reason: string) =>
  csvOf({ ...LINE, reason })
    .split("msg_1,,")[1]
    ?.split(",996.00,")[0];

test("a line has a cell for each head, empty when it has no such thing", () => {
  assert.equal(
    CSV_HEAD,
    "id,kind,at,amount,currency,order_id,bulk_id,reason,balance_after,held_change,held_after,available_after\r\n",
  );
  assert.equal(csvOf(LINE), "trf_1,charge,2026-11-27T09:00:00.412Z,-4.00,NGN,msg_1,,,996.00,-4.00,0.00,996.00\r\n");
});

test("commas, quotes and line ends stay inside their cell", () => {
  assert.equal(reasonOf('a, "b"\nc'), '"a, ""b""\nc"');
});

test("no text is a formula to a spreadsheet, and a negative amount stays a number", () => {
  for (const formula of ["=1+1", "+1", "-1", "-4.00+1", "-4.00 ", "@A1", "\tx", "＝1"])
    assert.equal(reasonOf(formula), `'${formula}`);
  assert.equal(reasonOf('=HYPERLINK("http://a")'), `"'=HYPERLINK(""http://a"")"`);
  assert.equal(reasonOf("refund = agreed"), "refund = agreed");
});
