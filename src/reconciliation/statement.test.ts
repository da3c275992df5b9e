import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { kobo } from "../kernel/kobo.ts";
import type { StatementFormat } from "../providers/provider.ts";
import { PROVIDERS } from "../providers/registry.ts";
import { readStatement } from "./statement.ts";

const formatOf = (adapter: string): StatementFormat =>
  PROVIDERS.find((definition) => definition.adapter === adapter)!.statement!;
const VTPASS = formatOf("vtpass");

test("a statement is read by its headings, whatever their case, order and title; amounts to the kobo, times in the vendor's zone", () => {
  const text = [
    "\ufeffTransactions of October",
    "",
    "Date,Transaction ID,Request ID,Amount,Total_Amount,STATUS,Product",
    '2026-10-03 14:07:21,17590000000000000000000001,202610031407abc,"1,500.00",NGN 485.0000001,Delivered,"MTN, VTU"',
    "2026-10-03T13:07:21.5Z,2,,₦50,-48.5,resolved,",
  ].join("\r\n");
  assert.deepEqual(readStatement(text, VTPASS), {
    ok: true,
    value: [
      {
        line: 4,
        reference: "202610031407abc",
        id: "17590000000000000000000001",
        amountKobo: kobo(150_000),
        costKobo: kobo(48_500),
        status: "delivered",
        word: "Delivered",
        at: new Date("2026-10-03T13:07:21Z"),
      },
      {
        line: 5,
        reference: undefined,
        id: "2",
        amountKobo: kobo(5_000),
        costKobo: kobo(4_850),
        status: undefined,
        word: "resolved",
        at: new Date("2026-10-03T13:07:21.500Z"),
      },
    ],
  });
});

test("New York's times are read with its daylight saving", () => {
  const read = readStatement(
    "customIdentifier,status,transactionDate\na,SUCCESSFUL,2026-07-03 09:07:21\nb,REFUNDED,2026-12-03 09:07:21",
    formatOf("reloadly"),
  );
  assert.ok(read.ok);
  assert.deepEqual(
    read.value.map(({ status, at }) => [status, at?.toISOString()]),
    [
      ["delivered", "2026-07-03T13:07:21.000Z"],
      ["reversed", "2026-12-03T14:07:21.000Z"],
    ],
  );
});

test("the documents' statement is read whole", () => {
  const page = readFileSync(new URL("../../docs/operations/cases-and-reconciliation.md", import.meta.url), "utf8");
  const [, text = ""] = /^```csv\n(.*?)^```$/ms.exec(page) ?? [];
  const read = readStatement(text, VTPASS);
  assert.deepEqual(read.ok && read.value.map(({ status, costKobo }) => [status, costKobo]), [
    ["delivered", kobo(48_500)],
    ["reversed", kobo(198_000)],
  ]);
});

test("what can't be read is told with its line, and nothing of the statement is used", () => {
  for (const [text, told] of [
    ["requestId,status\na,delivered,more", /^line 2 has 3 columns, the headings are 2$/],
    ["requestId,status,amount\na,delivered,ten", /^line 2: "ten" is no amount$/],
    ["requestId,status,date\na,delivered,03/10/2026", /^line 2: "03\/10\/2026" is no time/],
    ["requestId,status,date\na,delivered,2026-13-40 09:00", /is no time/],
    [
      "customer,paid\nAda,1",
      /^no line of headings with reference \(requestId, .*the first line has "customer", "paid"/,
    ],
    ['requestId,status\n"a,delivered', /^it is no CSV: /],
    ["", /it is empty/],
  ] as const) {
    const read = readStatement(text, VTPASS);
    assert.ok(!read.ok, text);
    assert.match(read.error[0]!, told);
  }
});

test("the operator can name the columns of an export with other headings", () => {
  const text = "Ref,State,Charged\na,delivered,1.00";
  const read = readStatement(text, VTPASS, { reference: "ref", status: "State", cost: "charged" });
  assert.ok(read.ok);
  assert.deepEqual([read.value[0]?.reference, read.value[0]?.costKobo], ["a", kobo(100)]);
  const wrong = readStatement(text, VTPASS, { reference: "ref", status: "State", cost: "Cost" });
  assert.deepEqual(wrong, { ok: false, error: ['no column is called "Cost" (--column cost=…)'] });
});

test("any text whatever is a statement or a refusal, and never an error", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({ unit: "binary" }), { maxLength: 6 })), (rows) => {
      const text = ["requestId,status,amount,date", ...rows.map((row) => row.join(","))].join("\n");
      const read = readStatement(text, VTPASS);
      assert.equal(typeof read.ok, "boolean");
    }),
  );
});
