import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { makeCommitLane } from "./group-commit.ts";

/** A lane whose batches stand still until they are let go, in the order in which they began. */
function steerableLane(options: { batchMax?: number; concurrency?: number; keysOf?: (item: string) => string[] } = {}) {
  const batches: {
    items: readonly string[];
    finish: (answers?: readonly (string | Error)[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const lane = makeCommitLane<string, string>({
    batchMax: 100,
    ...options,
    run: (items) =>
      new Promise((resolve, reject) => {
        const finish = (answers: readonly (string | Error)[] = items.map((item) => item.toUpperCase())) =>
          resolve(answers);
        batches.push({ items, finish, fail: reject });
      }),
  });
  return { lane, batches };
}

test("a lone item goes at once, and what arrives meanwhile goes together with the next commit", async () => {
  const { lane, batches } = steerableLane();
  const first = lane.submit("a");
  await turn();
  const rest = ["b", "c", "d"].map((item) => lane.submit(item));
  await turn();
  assert.deepEqual(
    batches.map((batch) => batch.items),
    [["a"]],
  );
  assert.equal(lane.waiting, 3);
  batches[0]!.finish();
  assert.equal(await first, "A");
  await turn();
  assert.deepEqual(
    batches.map((batch) => batch.items),
    [["a"], ["b", "c", "d"]],
  );
  batches[1]!.finish();
  assert.deepEqual(await Promise.all(rest), ["B", "C", "D"]);
});

test("items submitted in one turn of the event loop share a batch", async () => {
  const { lane, batches } = steerableLane();
  const all = ["a", "b"].map((item) => lane.submit(item));
  await turn();
  assert.deepEqual(
    batches.map((batch) => batch.items),
    [["a", "b"]],
  );
  batches[0]!.finish();
  await Promise.all(all);
});

test("no batch is larger than allowed, and none overtakes", async () => {
  const { lane, batches } = steerableLane({ batchMax: 2 });
  const all = ["a", "b", "c", "d", "e"].map((item) => lane.submit(item));
  for (let batch = 0; batch < 3; batch++) {
    await turn();
    assert.equal(batches.length, batch + 1, "one batch is under way at a time");
    batches[batch]!.finish();
  }
  await Promise.all(all);
  assert.deepEqual(
    batches.map((batch) => batch.items),
    [["a", "b"], ["c", "d"], ["e"]],
  );
});

test("as many batches as allowed are under way at once", async () => {
  const { lane, batches } = steerableLane({ batchMax: 1, concurrency: 2 });
  const all = ["a", "b", "c"].map((item) => lane.submit(item));
  await turn();
  assert.equal(batches.length, 2);
  batches[1]!.finish();
  assert.equal(await all[1], "B");
  await turn();
  assert.equal(batches.length, 3);
  batches[0]!.finish();
  batches[2]!.finish();
  await Promise.all(all);
});

test("one item's failure is its own: the others of the batch are answered", async () => {
  const { lane, batches } = steerableLane();
  const all = Promise.allSettled(["a", "b", "c"].map((item) => lane.submit(item)));
  await turn();
  batches[0]!.finish(["A", new Error("b is bad"), "C"]);
  const [a, b, c] = await all;
  assert.deepEqual([a?.status, b?.status, c?.status], ["fulfilled", "rejected", "fulfilled"]);
});

test("a batch that fails as a whole fails each of its items, and the lane goes on", async () => {
  const { lane, batches } = steerableLane();
  const failed = Promise.allSettled(["a", "b"].map((item) => lane.submit(item)));
  await turn();
  batches[0]!.fail(new Error("the database is away"));
  assert.ok((await failed).every((result) => result.status === "rejected"));
  const next = lane.submit("c");
  await turn();
  batches[1]!.finish();
  assert.equal(await next, "C");
});

test("equal keys never share a batch: the later item is decided on what the first left behind", async () => {
  const { lane, batches } = steerableLane({ concurrency: 3, keysOf: (item) => [item.charAt(0)] });
  const all = ["a1", "a2", "b1", "a3"].map((item) => lane.submit(item));
  await turn();
  assert.deepEqual(
    batches.map((batch) => batch.items),
    [["a1", "b1"]],
    "a2 waits even though another batch could go",
  );
  batches[0]!.finish();
  await turn();
  batches[1]!.finish();
  await turn();
  batches[2]!.finish();
  await Promise.all(all);
  assert.deepEqual(
    batches.map((batch) => batch.items),
    [["a1", "b1"], ["a2"], ["a3"]],
  );
});

test("a key is free again after its batch failed", async () => {
  const { lane, batches } = steerableLane({ keysOf: (item) => [item] });
  const failed = lane.submit("a").catch((error: Error) => error.message);
  await turn();
  batches[0]!.fail(new Error("away"));
  assert.equal(await failed, "away");
  const again = lane.submit("a");
  await turn();
  batches[1]!.finish();
  assert.equal(await again, "A");
});

test("idle is told only when nothing waits and nothing is under way", async () => {
  const { lane, batches } = steerableLane({ batchMax: 1 });
  await lane.idle();
  const all = ["a", "b"].map((item) => lane.submit(item));
  await turn();
  let isIdle = false;
  const idle = lane.idle().then(() => (isIdle = true));
  batches[0]!.finish();
  await turn();
  assert.equal(isIdle, false);
  batches[1]!.finish();
  await idle;
  await Promise.all(all);
});

test("idle waits for an item whose batch has not begun yet", async () => {
  const { lane, batches } = steerableLane();
  const submitted = lane.submit("a");
  let isIdle = false;
  const idle = lane.idle().then(() => (isIdle = true));
  await turn();
  assert.equal(isIdle, false);
  batches[0]!.finish();
  await Promise.all([idle, submitted]);
});
