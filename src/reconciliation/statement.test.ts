import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { kobo } from "../kernel/kobo.ts";
import type { StatementFormat } from "../ports/provider.ts";
import { PROVIDERS } from "../providers/registry.ts";
import { isRounded, readStatement } from "./statement.ts";

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
  const read = readStatement(text, VTPASS);
  assert.ok(read.ok);
  assert.deepEqual(
    read.value.map(({ cells, ...line }) => line),
    [
      {
        line: 4,
        reference: "202610031407abc",
        id: "17590000000000000000000001",
        amountKobo: kobo(150_000),
        costKobo: kobo(48_500),
        status: "delivered",
        word: "Delivered",
        at: new Date("2026-10-03T13:07:21Z"),
        until: new Date("2026-10-03T13:07:21.999Z"),
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
        until: new Date("2026-10-03T13:07:21.500Z"),
      },
    ],
  );
  assert.equal(read.value[0]?.cells.at(-1), "MTN, VTU");
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

/** What `requestId` and `status` are read as. */
const named = (text: string) => {
  const read = readStatement(text, VTPASS);
  assert.ok(read.ok, read.ok ? "" : read.error.join("\n"));
  return read.value.map(({ reference, status }) => `${reference} ${status}`);
};

for (const [what, text] of [
  ["semicolons", "requestId;status;amount\nR1;delivered;485,00\nR2;failed;1.500,00"],
  ["tabs", 'requestId\tstatus\tproduct\nR1\tdelivered\t\nR2\tfailed\t"a\tb"'],
  ["bars", "requestId|status\nR1|delivered\nR2|failed"],
  ["a line that names its semicolon", "sep=;\nrequestId;status\nR1;delivered\nR2;failed"],
  ["carriage returns", "requestId,status\r\nR1,delivered\r\nR2,failed\r\n"],
  ["carriage returns alone", "requestId,status\rR1,delivered\rR2,failed"],
  ["quoted line breaks", 'requestId,status,product\nR1,delivered,"two\nlines"\nR2,failed,"one, and ""more"""'],
  ["formulas for guards", 'requestId,status\n="R1",="delivered"\n"=""R2""",failed'],
  ["apostrophes for guards", "requestId,status\n'R1,delivered\n'R2','failed'"],
  ["white space of all kinds", "\u00a0requestId , status\u200b\n\tR1\t, delivered\u00a0\nR2\u00a0,failed "],
  ["empty lines and columns", "requestId,status,,\n,,,\nR1,delivered,,\n\nR2,failed,,\n,,,\n"],
  ["further empty cells", "requestId,status\nR1,delivered,,\nR2,failed,"],
  ["a second file behind the first", "\ufeffrequestId,status\nR1,delivered\n\ufeffrequestId,status\nR2,failed"],
] as const)
  test(`a statement with ${what} is read as any other`, () => {
    assert.deepEqual(named(text), ["R1 delivered", "R2 failed"]);
  });

test("a line of totals is no purchase, whatever it is called and wherever it says so", () => {
  const lines = [
    "requestId,transactionId,status,amount,date",
    "R1,1,delivered,500.00,2026-10-03",
    "Total,,,500.00,",
    "GRAND TOTAL:,,,500.00,",
    ",Sub-total,,500.00,",
    "Total of 1 transactions",
    ",,,500.00,",
    "Closing Balance,,,12.00,",
    "Total,,delivered,500.00,2026-10-03",
    "Grand total:,,failed,500.00,",
    ",Sum,delivered,500.00,",
    "Totalenergies-1,3,,500.00,2026-10-03",
  ];
  assert.deepEqual(named(lines.join("\n")), ["R1 delivered", "Totalenergies-1 undefined"]);
});

test("a line that is called a total is one though its label stands in another column", () => {
  const lines = [
    "date,product,requestId,transactionId,status,amount",
    "2026-10-03,Airtime,R1,1,delivered,500.00",
    "Total,,12,,,500.00",
    "Total,,12 transactions,,delivered,500.00",
    ",Sum,,,delivered,500.00",
  ];
  assert.deepEqual(named(lines.join("\n")), ["R1 delivered"]);
});

test("a line that is called a total and has a purchase's number is not compared, and not left out", () => {
  const lines = [
    "product,requestId,transactionId,status,amount,date",
    "Airtime,R1,1,delivered,500.00,2026-10-03",
    "Sum,,17590000000000000000000001,,500.00,",
    "Total,,17590000000000000000000001,delivered,500.00,2026-10-03",
    "Total,202610031407abc,,,about 500,",
    "Total-4711,,,delivered,500.00,2026-10-03",
    "Total Energies,R2,3,delivered,500.00,2026-10-03",
  ];
  const read = readStatement(lines.join("\n"), VTPASS);
  assert.ok(read.ok);
  assert.deepEqual(
    read.value.map(({ line, reference, id }) => [line, reference ?? id]),
    [
      [2, "R1"],
      [3, undefined],
      [4, undefined],
      [5, undefined],
      [6, undefined],
      [7, "R2"],
    ],
  );
});

test("what a spreadsheet has rounded is told, and what only looks like it is not", () => {
  for (const reference of ["1.74464E+25", "1,74464E+25", "2E+17", "1.74464e25", "1,74464E25", "17.4464E24"]) {
    const read = readStatement(`requestId;status\n${reference};delivered`, VTPASS);
    assert.match(!read.ok ? read.error[0]! : "", /^line 2: a spreadsheet has rounded ".*E/i, reference);
  }
  const unnamed = readStatement("requestId,transactionId,status\n,1.74464E+25,delivered", VTPASS);
  assert.equal(unnamed.ok, false);
  assert.deepEqual(named("requestId,transactionId,status\n2026E10,1.74464E+25,delivered"), ["2026E10 delivered"]);
  const rounded = ["1.74464E+25", "1.74464e25", "17446400000000000000000000", "174464123456789000"];
  const exact = ["17590000000000000000000001", "174464123456789012", "1000000000000000", "2026E10", "R1"];
  assert.deepEqual([...rounded, ...exact].map(isRounded), [...rounded.map(() => true), ...exact.map(() => false)]);
});

test("headings that are there twice are told", () => {
  const read = readStatement("requestId,status,Status\nR1,delivered,failed", VTPASS);
  assert.deepEqual(read, { ok: false, error: ['2 columns are called "status"'] });
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
