import assert from "node:assert/strict";
import { test } from "node:test";
import { makeUploadBudget } from "./upload-budget.ts";

/** Files under way that end when they are told to. */
function rig() {
  const room = makeUploadBudget({ filesAnAccount: 2, bytesMax: 100 });
  const begin = (account: string, bytes = 0) => {
    const ending = Promise.withResolvers<void>();
    let isHeld: boolean | undefined;
    const done = room.within(account, async (hold) => {
      isHeld = hold(bytes);
      await ending.promise;
      return "done";
    });
    return { isHeld: () => isHeld, end: ending.resolve, done };
  };
  return { begin };
}

test("an account has so many files under way, and another account its own", async () => {
  const { begin } = rig();
  const own = [begin("a"), begin("a")];
  assert.equal(await begin("a").done, undefined);
  const other = begin("b");
  for (const file of [...own, other]) file.end();
  assert.deepEqual(await Promise.all([...own, other].map(({ done }) => done)), ["done", "done", "done"]);
  const next = begin("a");
  next.end();
  assert.equal(await next.done, "done");
});

test("what all files hold together is bounded, and free again when they are done", async () => {
  const { begin } = rig();
  const [large, more, small] = [begin("a", 80), begin("b", 30), begin("c", 20)];
  assert.deepEqual([large.isHeld(), more.isHeld(), small.isHeld()], [true, false, true]);
  large.end();
  await large.done;
  const after = begin("d", 80);
  assert.equal(after.isHeld(), true);
  for (const file of [more, small, after]) file.end();
});
