import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { DatabaseAway } from "../db/database.ts";
import { newUuid } from "../kernel/ids.ts";
import { SILENT } from "../testing/database.ts";
import type { Entry } from "./entry.ts";
import { makeWriter, type WriterOptions } from "./writer.ts";

const entry = (): Entry => ({
  id: newUuid(),
  accountId: newUuid(),
  mode: "test",
  method: "GET",
  path: "/orders",
  status: 200,
  code: null,
  durationMs: 1,
  about: null,
  keyId: newUuid(),
  personId: null,
  headers: "{}",
  request: null,
  answer: null,
});

/** A writer whose timer the test fires, with what it has written and counted. */
function rig(options: Partial<WriterOptions> = {}) {
  const batches: number[] = [];
  const counts: Record<string, number> = {};
  const timers: (() => void)[] = [];
  const writer = makeWriter({
    insert: async (entries) => void batches.push(entries.length),
    makeRoom: async () => undefined,
    log: SILENT,
    metrics: {
      counter: ({ name }) => ({
        add: (by: number, ...labels: readonly string[]) => {
          const key = [name, ...labels].join(" ");
          counts[key] = (counts[key] ?? 0) + by;
        },
      }),
      histogram: () => ({ observe: () => undefined }),
      gauge: () => undefined,
    },
    later: (act) => void timers.push(act),
    ...options,
  });
  const add = (count: number) => {
    for (let index = 0; index < count; index += 1) writer.add(entry());
  };
  const pass = async () => {
    for (const act of timers.splice(0)) act();
    await writer.flush();
  };
  return { writer, add, batches, counts, timers, pass };
}

const KEPT = "afara_request_log_kept_total";
const FULL = "afara_request_log_dropped_total full";
const FAILED = "afara_request_log_dropped_total failed";

test("entries of a moment share a statement, and one timer", async () => {
  const { add, batches, counts, timers, pass } = rig();
  add(30);
  assert.equal(timers.length, 1);
  assert.deepEqual(batches, []);
  await pass();
  assert.deepEqual(batches, [30]);
  assert.equal(counts[KEPT], 30);
  assert.equal(timers.length, 0, "nothing waits, so no timer goes on");
});

test("a statement writes 500 at most, and as many are not waited for", async () => {
  const { writer, add, batches } = rig();
  add(1_200);
  await writer.flush();
  assert.ok(batches.every((size) => size <= 500));
  assert.equal(
    batches.reduce((sum, size) => sum + size, 0),
    1_200,
  );
});

test("more than fits into memory is dropped and counted, by number and by size", async () => {
  const away = { insert: () => Promise.reject(new DatabaseAway("down")) };
  const byNumber = rig({ ...away, waitingMax: { entries: 100, bytes: 1_000_000 } });
  byNumber.add(150);
  assert.equal(byNumber.counts[FULL], 50);
  const bySize = rig({ ...away, waitingMax: { entries: 100, bytes: 1_000 } });
  bySize.add(10);
  assert.equal(bySize.counts[FULL], 8);
});

test("what a database that is away did not take is written when it is back, once and in order", async () => {
  let isAway = true;
  const written: string[] = [];
  const { writer, pass, timers } = rig({
    insert: async (entries) => {
      if (isAway) throw new DatabaseAway("down");
      written.push(...entries.map(({ id }) => id));
    },
  });
  const entries = Array.from({ length: 700 }, entry);
  for (const one of entries.slice(0, 600)) writer.add(one);
  await pass();
  assert.equal(written.length, 0);
  assert.equal(timers.length, 1, "it is tried again");
  for (const one of entries.slice(600)) writer.add(one);
  isAway = false;
  await pass();
  assert.deepEqual(
    written,
    entries.map(({ id }) => id),
  );
});

test("an entry that the database refuses is dropped and counted, and the others of its batch are written", async () => {
  const bad = entry();
  const { writer, add, pass, counts, timers } = rig({
    insert: async (entries) => {
      if (entries.includes(bad))
        throw Object.assign(new pg.DatabaseError("a character that it can't store", 0, "error"), { code: "22P05" });
    },
  });
  add(5);
  writer.add(bad);
  add(7);
  await pass();
  assert.deepEqual([counts[FAILED], counts[KEPT]], [1, 12]);
  assert.equal(timers.length, 0);
});

test("a fault of our own drops its batch, and the next is written", async () => {
  let isFirst = true;
  const { add, pass, counts } = rig({
    insert: async () => {
      if (isFirst) {
        isFirst = false;
        throw new TypeError("a value that no statement takes");
      }
    },
  });
  add(5);
  await pass();
  add(7);
  await pass();
  assert.deepEqual([counts[FAILED], counts[KEPT]], [5, 7]);
});

test("where the day has no partition yet it is made, and the batch written", async () => {
  let hasRoom = false;
  const { add, pass, counts } = rig({
    insert: async () => {
      if (!hasRoom) throw Object.assign(new Error("no partition of relation found for row"), { code: "23514" });
    },
    makeRoom: async () => {
      hasRoom = true;
    },
  });
  add(5);
  await pass();
  assert.deepEqual([counts[FAILED], counts[KEPT]], [0, 5]);
});
