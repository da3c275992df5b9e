import assert from "node:assert/strict";
import { test } from "node:test";
import { amountReader } from "./statement-amount.ts";

/** In kobo, signs kept; `undefined` for what is refused. All are of one statement. */
const read = (written: readonly string[], delimiter = ",") => {
  const amountOf = amountReader(written, delimiter);
  return written.map((text) => {
    const amount = amountOf(text);
    return typeof amount === "bigint" ? amount : undefined;
  });
};

const CLEAR: readonly (readonly [written: string, kobo: bigint])[] = [
  ["1500", 150_000n],
  ["1500.00", 150_000n],
  ["1,500.00", 150_000n],
  ["1,234,567.89", 123_456_789n],
  ["485.0000001", 48_500n],
  ["5e2", 50_000n],
  ["0.125", 12n],
  ["₦1,500.00", 150_000n],
  ["₦ 1,500.00", 150_000n],
  ["NGN 1,500.00", 150_000n],
  ["1,500.00 NGN", 150_000n],
  ["N1,500.00", 150_000n],
  ["=N=1,500.00", 150_000n],
  ["#1,500.00", 150_000n],
  ["1500.00 naira", 150_000n],
  ["-48.5", -4_850n],
  ["48.50-", -4_850n],
  ["\u221248.50", -4_850n],
  ["-₦48.50", -4_850n],
  ["₦-48.50", -4_850n],
  ["(48.50)", -4_850n],
  ["₦(48.50)", -4_850n],
  ["(NGN 48.50)", -4_850n],
  ["1 500.00", 150_000n],
  ["1\u00a0500.00", 150_000n],
  ["1\u202f234\u202f567.00", 123_456_700n],
  ["1'500.00", 150_000n],
];
for (const [written, kobo] of CLEAR)
  test(`${JSON.stringify(written)} is ${kobo < 0n ? -kobo : kobo} kobo`, () => {
    assert.deepEqual(read([written]), [kobo < 0n ? -kobo : kobo]);
  });

for (const written of [
  "ten",
  "$12.00",
  "USD 12.00",
  "12,34,567.00",
  "1.2.3",
  "1,50,0",
  "",
  "NGN",
  "1500%",
  "0x10",
  "12 34",
])
  test(`${JSON.stringify(written)} is no amount`, () => {
    assert.deepEqual(read([written]), [undefined]);
  });

test("decimals behind a comma are read where nothing speaks for a point", () => {
  assert.deepEqual(read(["485,00", "1.500,00", "1.500", "1 234,5"], ";"), [48_500n, 150_000n, 150_000n, 123_450n]);
  assert.deepEqual(read(["485,00"]), [48_500n]);
});

test("a comma or point before three digits is what the other amounts say, or what separates the columns", () => {
  assert.deepEqual(read(["1,500", "485.00"], ";"), [150_000n, 48_500n]);
  assert.deepEqual(read(["1,500", "485,00"], ";"), [150n, 48_500n]);
  assert.deepEqual(read(["1,500", "1.500"], ","), [150_000n, 150n]);
  for (const written of ["1,500", "1.500"]) assert.deepEqual(read([written, "500"], ";"), [undefined, 50_000n]);
});

test("a statement that writes its decimals both ways is refused where that matters", () => {
  assert.deepEqual(read(["485.00", "485,00", "1,500", "500"]), [undefined, undefined, undefined, 50_000n]);
});
