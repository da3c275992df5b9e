import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Recent } from "./recent.ts";

test("places never change: the newest items are found under theirs, however many came before", () => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(220), fc.integer({ min: 1, max: 50 }), (added, place, limit) => {
      const recent = new Recent<number>(10);
      for (let item = 0; item < added; item++) recent.add(item);
      const { items, next } = recent.from(place, limit);
      const oldestThatMustBeThere = Math.max(0, added - 10);
      if (place >= oldestThatMustBeThere) {
        const expected = Array.from(
          { length: Math.min(limit, Math.max(0, added - place)) },
          (_, index) => place + index,
        );
        assert.deepEqual(items, expected);
      }
      assert.ok(recent.from(0, 1_000).items.length < 20);
      // Reading on from `next` gives the following one, and nothing when there is none.
      const following = items.length > 0 ? items.at(-1)! + 1 : added;
      assert.equal(recent.from(next, 1).items[0], following < added ? following : undefined);
    }),
  );
});
