import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SmscLog } from "./log.ts";
import { loggedLines, submitLine, temporaryDir } from "./rig.ts";

const MEBIBYTE = 1024 * 1024;
const idsOf = async (dir: string): Promise<(string | null)[]> =>
  (await loggedLines(dir)).map(({ messageId }) => messageId);

test("lines come back as they were written, in their order, whatever is in them", async (t) => {
  const dir = temporaryDir(t);
  const log = new SmscLog(dir, MEBIBYTE);
  const lines = [
    submitLine({ source: 'Ọ"\\\n\u2028', trace: { orderId: "a", attempt: 1, piece: 0 } }),
    { kind: "receipt", at: "2026-11-27T12:00:01.000Z", messageId: "1001", index: 0, stat: "DELIVRD" } as const,
  ];
  for (const line of lines) log.append(line);
  log.flush();
  assert.deepEqual(await loggedLines(dir), lines);
  log.close();
});

test("a last line without its end is not read, and the next one does not stick to it", async (t) => {
  const dir = temporaryDir(t);
  const log = new SmscLog(dir, MEBIBYTE);
  log.append(submitLine({ messageId: "1" }));
  log.close();
  appendFileSync(join(dir, readdirSync(dir)[0]!), '{"kind":"submit","messageId":"2"');
  assert.deepEqual(await idsOf(dir), ["1"]);
  const next = new SmscLog(dir, MEBIBYTE);
  next.append(submitLine({ messageId: "3" }));
  next.close();
  assert.deepEqual(await idsOf(dir), ["1", "3"]);
});

test("a file of nothing but a line without its end begins anew", async (t) => {
  const dir = temporaryDir(t);
  new SmscLog(dir, MEBIBYTE).close();
  const path = join(dir, readdirSync(dir)[0]!);
  appendFileSync(path, "x".repeat(3 * MEBIBYTE));
  new SmscLog(dir, MEBIBYTE).close();
  assert.equal(readFileSync(path).length, 0);
});

test("lines longer and files larger than a block of reading come back whole", async (t) => {
  const dir = temporaryDir(t);
  const log = new SmscLog(dir, 64 * MEBIBYTE);
  const sources = Array.from({ length: 40 }, (_, index) => String(index).padEnd(index * 10_000, "₦"));
  for (const source of sources) log.append(submitLine({ source }));
  log.close();
  const read = (await loggedLines(dir)).map((line) => line.kind === "submit" && line.source);
  assert.deepEqual(read, sources);
});

test("the present file and the one before are kept, also over restarts", async (t) => {
  const dir = temporaryDir(t);
  let count = 0;
  for (let restart = 0; restart < 5; restart++) {
    const log = new SmscLog(dir, 10_000);
    for (let line = 0; line < 20; line++, count++) {
      log.append(submitLine({ messageId: String(count) }));
      log.flush();
    }
    log.close();
  }
  assert.equal(readdirSync(dir).length, 2);
  const ids = (await idsOf(dir)).map(Number);
  assert.deepEqual(
    ids,
    ids.map((_, index) => count - ids.length + index),
  );
  assert.ok(ids.length > 20, "at least one whole file is there");
});
