import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { encodeId } from "../kernel/ids.ts";
import type { Order } from "../orders/order.ts";
import { makeCli } from "../testing/cli.ts";
import { makeDataDir } from "../testing/gateway.ts";
import { startPurchases } from "../testing/purchases-rig.ts";

/** Statements as they come out of spreadsheets: read right, or refused; never taken for agreement because nothing was compared. */

const rig = await startPurchases();
const { db, database } = rig;
const data = await makeDataDir();
after(() => data.remove());
const afara = makeCli({ AFARA_DATA_DIR: data.dir, DATABASE_URL: database.url, USER: "ada" });

/** Three purchases of ₦500 for ₦485 at VTpass, at 10:07:10, 10:07:40 and 18:00:00 in Lagos on 31 October 2026. */
const orders: Order[] = [];
for (const utc of ["09:07:10", "09:07:40", "17:00:00"]) {
  const order = await rig.buy("vtpass", "successful");
  await db.query("update attempts set begun_at = $2 where order_id = $1", [order.id, `2026-10-31T${utc}Z`]);
  orders.push(order);
}
const [first, second, third] = orders.map(({ attemptReference }) => attemptReference!) as [string, string, string];
const HEADINGS = "requestId,transactionId,status,amount,total_amount,transaction_date";
const line = (reference: string, at: string, id = `${reference.length}${reference}`) =>
  `${reference},${id},delivered,500.00,485.00,${at}`;

let files = 0;
async function reconcile(content: string | Uint8Array, ...more: string[]) {
  const path = join(data.dir, `statement-${++files}.csv`);
  await writeFile(path, content);
  const run = await afara(["reconcile", "--provider", "vtpass-simulator", "--statement", path, "--json", ...more]);
  const report = run.out.startsWith("{")
    ? run.json<{ findings?: readonly { found: string; purchase: string | null }[]; detail?: string }>()
    : {};
  const found = report.findings?.map(({ found, purchase }) => {
    const place = orders.findIndex(({ id }) => encodeId("pur", id) === purchase);
    return `${found} ${place < 0 ? "of nobody" : place + 1}`;
  });
  return { code: run.code, found, said: `${report.detail ?? ""} ${run.err} ${run.out}` };
}
const lines = (...all: readonly string[]): string => [HEADINGS, ...all].join("\n");

test("days without times cover their whole days: what is missing in one is found", async () => {
  const { code, found } = await reconcile(lines(line(first, "2026-10-31"), line(third, "2026-10-31")));
  assert.deepEqual([code, found], [1, ["unknown_to_them 2"]]);
  const all = await reconcile(lines(...[first, second, third].map((reference) => line(reference, "2026-10-31"))));
  assert.deepEqual([all.code, all.found], [0, []]);
});

test("minutes without seconds cover their whole minutes", async () => {
  const { code, found } = await reconcile(lines(line(first, "2026-10-31 10:07")));
  assert.deepEqual([code, found], [1, ["unknown_to_them 2"]]);
  const exact = await reconcile(lines(line(first, "2026-10-31 10:07:11")));
  assert.deepEqual([exact.code, exact.found], [0, []], "it covers one second");
});

const TIMED = lines(...[first, second, third].map((reference) => line(reference, "2026-10-31 10:07:10")));
for (const [what, content, more, told] of [
  ["headings alone", HEADINGS, [], /headings and no line below them/],
  [
    "headings and totals alone",
    lines("Total,,,0.00,0.00,"),
    ["--from", "2026-10-31", "--to", "2026-10-31"],
    /no line below/,
  ],
  [
    "a period after its last line",
    TIMED,
    ["--from", "2026-11-01"],
    /none of its lines is from 2026-10-31T23:00:00.000Z on: they are from/,
  ],
  ["a period before its first line", TIMED, ["--to", "2026-10-30"], /none of its lines is until 2026-10-30T22:59/],
  ["a period of another month", TIMED, ["--from", "2026-09-01", "--to", "2026-09-30"], /none of its lines is from/],
  ["no times and no period", `requestId,status\n${first},delivered`, [], /give --from and --to/],
  [
    "no times and half a period",
    `requestId,status\n${first},delivered`,
    ["--from", "2026-10-31"],
    /give --from and --to/,
  ],
  [
    "lines without any number",
    lines(",,delivered,500.00,485.00,2026-10-31"),
    [],
    /none of its lines has our reference/,
  ],
  [
    "a reference in scientific notation",
    lines(line("1.74464E+25", "2026-10-31")),
    [],
    /line 2: a spreadsheet has rounded/,
  ],
  [
    "a reference with zeros for digits",
    lines(line("20261031100712300000", "2026-10-31")),
    [],
    /has rounded 20261031100712300000/,
  ],
  ["a day that may be two", lines(line(first, "10/11/2026")), [], /line 2: .*it may be 10 November or 11 October/],
  [
    "an amount that may be two",
    lines(line(first, "2026-10-31")).replaceAll(",", ";").replaceAll("500.00", "1,500").replaceAll("485.00", "485"),
    [],
    /line 2: .*1,500.* is no amount that can be told/,
  ],
  ["a workbook", Buffer.from("PK\x03\x04"), [], /is a workbook/],
] as const)
  test(`${what} is refused with exit code 2 and says why`, async () => {
    const before = await db.query("select count(*) from cases");
    const { code, said } = await reconcile(content, ...more);
    assert.equal(code, 2, said);
    assert.match(said, told);
    assert.deepEqual((await db.query("select count(*) from cases")).rows, before.rows);
  });

test("a double delivery is found though a spreadsheet has rounded the vendor's numbers, or they are the same", async () => {
  const others = [line(second, "2026-10-31 10:07"), line(third, "2026-10-31 18:00")];
  for (const id of ["1.74464E+25", "17446400000000000000000000", "17446412345678900000000001"]) {
    const twice = lines(line(first, "2026-10-31 10:07", id), line(first, "2026-10-31 10:09", id), ...others);
    const { code, found, said } = await reconcile(twice);
    assert.deepEqual([code, found], [1, ["duplicate 1"]], said);
  }
  const exact = line(first, "2026-10-31 10:07", "17446412345678900000000001");
  const repeated = await reconcile(lines(exact, exact, ...others));
  assert.deepEqual([repeated.code, repeated.found?.length], [0, 0], "the same line, from two exports that overlap");
});

test("a second delivery outside the period counts beside the one in it", async () => {
  const all = lines(
    line(first, "2026-10-31 10:07", "1"),
    line(first, "2026-11-02 10:07", "2"),
    line(second, "2026-10-31 10:07"),
    line(third, "2026-10-31 18:00"),
  );
  const { code, found } = await reconcile(all, "--from", "2026-10-31", "--to", "2026-10-31");
  assert.deepEqual([code, found], [1, ["duplicate 1"]]);
});

test("a line that has no number but a status is told by its place, and is no agreement", async () => {
  const all = [first, second, third].map((reference) => line(reference, "2026-10-31"));
  const { code, found, said } = await reconcile(
    lines(...all, ",,delivered,500.00,485.00,2026-10-31", "Total,,,,1455.00,", "Sum,4711,delivered,,1455.00,"),
  );
  assert.deepEqual([code, found], [1, []]);
  assert.match(said, /"unnamed":\s*\[\s*5,\s*7\s*\]/);
});

test("a line of totals with a status is no purchase", async () => {
  const all = [first, second, third].map((reference) => line(reference, "2026-10-31"));
  const { code, found } = await reconcile(lines(...all, "Total,,delivered,1500.00,1455.00,2026-10-31"));
  assert.deepEqual([code, found], [0, []]);
});

test("guards, semicolons, days first, commas for points, currency signs, totals and UTF-16 are read: the books agree", async () => {
  const rows = [
    "sep=;",
    HEADINGS.replaceAll(",", ";"),
    `="${first}";'17446412345678900000000001;Delivered;₦ 1.500,00;485,00;31/10/2026 10:07`,
    `'${second};="17446412345678900000000002";DELIVERED;500,00;(485,00);31/10/2026 10:07`,
    `\t${third};17446412345678900000000003;delivered;NGN 500,00;-485,00;31/10/2026 18:00`,
    "Total;;;2.500,00;1.455,00;",
  ].join("\r\n");
  for (const content of [rows, Buffer.from(`\ufeff${rows}`), Buffer.from(`\ufeff${rows}`, "utf16le")]) {
    const { code, found, said } = await reconcile(content);
    assert.deepEqual([code, found], [0, []], said);
  }
});
