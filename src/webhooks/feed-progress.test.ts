import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FeedProgress } from "./feed-progress.ts";

test("it stores the last position before which all is done, and what is done after it", () => {
  const progress = new FeedProgress(10n, []);
  for (const position of [11n, 15n, 17n, 20n]) assert.ok(progress.begin(position));
  progress.reach(22n);
  progress.finish(15n);
  progress.finish(20n);
  assert.deepEqual(progress.stored, { position: 10n, done: [15n, 20n] });
  progress.finish(11n);
  assert.deepEqual(progress.stored, { position: 16n, done: [20n] });
  progress.finish(17n);
  assert.deepEqual([progress.stored, progress.open], [{ position: 22n, done: [] }, 0]);
});

test("whenever it is stored, what goes on from there begins exactly what was not done", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.bigInt({ min: 1n, max: 60n }), { maxLength: 30 }),
      fc.array(fc.nat(29), { maxLength: 30 }),
      (unsorted, finished) => {
        const positions = unsorted.sort((a, b) => (a < b ? -1 : 1));
        const progress = new FeedProgress(0n, []);
        for (const position of positions) progress.begin(position);
        progress.reach(60n);
        const done = new Set(finished.flatMap((index) => positions[index] ?? []));
        for (const position of done) progress.finish(position);
        const { position: from, done: stored } = progress.stored;
        const next = new FeedProgress(from, stored);
        const begun = positions.filter((position) => position > from).filter((position) => next.begin(position));
        assert.deepEqual(
          begun,
          positions.filter((position) => !done.has(position)),
        );
      },
    ),
  );
});

test("what was done in an earlier session is remembered by one that does not read that far", () => {
  const stored = new FeedProgress(10n, [15n, 20n]).stored;
  assert.deepEqual(stored, { position: 10n, done: [15n, 20n] });
  const progress = new FeedProgress(stored.position, stored.done);
  progress.begin(12n);
  progress.reach(16n);
  assert.deepEqual(progress.stored, { position: 11n, done: [20n] });
  assert.equal(progress.begin(20n), false);
});
