import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type FairRoomOptions, type Leave, makeFairRoom } from "./fair-room.ts";

const LARGE: FairRoomOptions = { capacity: 10, each: 4, waitingMax: 100, waitingEach: 50, waitMs: 60_000 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("an owner with many waiting lets the next owner in after each of its own", async () => {
  const room = makeFairRoom({ ...LARGE, capacity: 1, each: 1 });
  const order: string[] = [];
  const act = async (owner: string) => {
    const leave = (await room.enter(owner, 1))!;
    order.push(owner);
    await turn();
    leave();
  };
  await Promise.all([act("a"), act("a"), act("a"), act("a"), act("b"), act("c")]);
  assert.deepEqual(order, ["a", "a", "b", "c", "a", "a"]);
});

test("an owner that has all that it may have keeps nobody else out", async () => {
  const room = makeFairRoom({ ...LARGE, capacity: 2, each: 1 });
  const first = await room.enter("a", 1);
  let second: Leave | undefined;
  void room.enter("a", 1).then((leave) => (second = leave));
  assert.ok(await room.enter("b", 1));
  await turn();
  assert.equal(second, undefined);
  first!();
  await turn();
  assert.ok(second);
});

test("more than an owner may have is taken as all of it, so that it gets in at all", async () => {
  const room = makeFairRoom(LARGE);
  const leave = await room.enter("a", 1_000);
  assert.equal(room.taken, 4);
  leave!();
  leave!();
  assert.equal(room.taken, 0);
});

test("whoever waits too long, finds too many waiting, or goes, is not let in and takes nothing", async () => {
  const room = makeFairRoom({ ...LARGE, capacity: 1, each: 1, waitingMax: 2, waitingEach: 1, waitMs: 20 });
  const inside = await room.enter("a", 1);
  const caller = new AbortController();
  const late = room.enter("a", 1);
  const gone = room.enter("b", 1, caller.signal);
  assert.equal(await room.enter("a", 1), undefined, "one of an owner waits already");
  assert.equal(await room.enter("c", 1), undefined, "two wait already");
  caller.abort();
  assert.equal(await gone, undefined);
  assert.equal(await room.enter("b", 1, caller.signal), undefined);
  assert.equal(await late, undefined);
  assert.equal(room.waiting, 0);
  inside!();
  assert.equal(room.taken, 0);
  assert.ok(await room.enter("d", 1));
});

test("never more than the room holds, never more for an owner than it may have, and everybody gets in", async () => {
  const visit = fc.record({ owner: fc.constantFrom("a", "b", "c"), amount: fc.integer({ min: 1, max: 6 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(visit, { maxLength: 30 }), async (visits) => {
      const room = makeFairRoom(LARGE);
      const held = new Map<string, number>();
      await Promise.all(
        visits.map(async ({ owner, amount }) => {
          const leave = await room.enter(owner, amount);
          assert.ok(leave);
          held.set(owner, (held.get(owner) ?? 0) + Math.min(amount, LARGE.each));
          assert.ok(room.taken <= LARGE.capacity);
          assert.ok(held.get(owner)! <= LARGE.each);
          await turn();
          held.set(owner, held.get(owner)! - Math.min(amount, LARGE.each));
          leave();
        }),
      );
      assert.deepEqual([room.taken, room.waiting], [0, 0]);
    }),
    { numRuns: 50 },
  );
});
