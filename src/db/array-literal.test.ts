import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { arrayLiteral, arrayLiteralInSteps } from "./array-literal.ts";
import { openDatabase } from "./database.ts";

const { connection } = await makeTestDatabase();
const db = openDatabase({ connection, connections: 2, connectTimeoutMs: 5_000, log: SILENT });
after(() => db.close());

const read = async (type: string, cells: Parameters<typeof arrayLiteral>[0]) =>
  (await db.query<{ cells: unknown[] }>(`select $1::${type}[] as cells`, [cells])).rows[0]!.cells;

test("the database reads every text as it was, whatever stands in it", async () => {
  const awkward = fc.constantFrom('"', "\\", '\\"', "NULL", "null", "", "{}", ",", "\n", "ọ̀ ₦ 😀", " x ", "\\x41");
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }).filter((one) => !one.includes("\0")),
    awkward,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async (cells) => assert.deepEqual(await read("text", cells), cells)),
    { numRuns: 200 },
  );
});

test("times, numbers, truth and bytes are read as they were", async () => {
  const at = new Date("2026-11-27T09:00:00.123Z");
  assert.deepEqual(await read("timestamptz", [at, null]), [at, null]);
  assert.deepEqual(await read("bytea", [Buffer.from([0, 255, 92, 34]), null]), [Buffer.from([0, 255, 92, 34]), null]);
  assert.deepEqual(await read("boolean", [true, false, null]), [true, false, null]);
  assert.deepEqual(await read("integer", [1, -2, null]), [1, -2, null]);
  assert.deepEqual((await read("bigint", [10n ** 15n, null])).map(String), ["1000000000000000", "null"]);
  assert.deepEqual(await read("text", []), []);
});

test("a list of ten thousand is written in steps", () => {
  let steps = 0;
  const cells = Array.from({ length: 10_000 }, (_, index) => `text ${index}`);
  const writing = arrayLiteralInSteps(cells);
  let step = writing.next();
  for (; !step.done; step = writing.next()) steps += 1;
  assert.ok(steps >= 20, `${steps}`);
  assert.equal(step.value, arrayLiteral(cells));
});

test("a list of lists or of objects is left to the driver", async () => {
  assert.deepEqual(
    await read("integer", [
      [1, 2],
      [3, 4],
    ] as never),
    [
      [1, 2],
      [3, 4],
    ],
  );
  assert.deepEqual(await read("jsonb", [{ a: 1 }, undefined] as never), [{ a: 1 }, null]);
});

test("a time that is none is refused by the server, as the one row that it is", async () => {
  await assert.rejects(read("timestamptz", [new Date(Number.NaN)]), { code: "22007" });
});
