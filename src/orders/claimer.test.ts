import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import type { Database } from "../db/database.ts";
import { newUuid } from "../kernel/ids.ts";
import { Claimer } from "./claimer.ts";

const QUEUES = ["sms:live", "sms:test", "chat:live"];

/** A database that answers looks with what `due` has, and notes claims; both when told to. */
function makeRig() {
  const due = new Set<string>();
  const asked: string[] = [];
  let held: Promise<void> | undefined;
  const transact = async ({ name }: { name: string }, values: readonly unknown[]) => {
    asked.push(name === "due_queues" ? `look ${(values[0] as string[]).length}` : `claim ${String(values[2])}`);
    const answer = name === "due_queues" ? [...due].map((queue) => ({ queue })) : [];
    await held;
    return answer;
  };
  let nowMs = 0;
  const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };
  const wakes: string[] = [];
  const claimer = new Claimer({
    db: { transact } as unknown as Database,
    node: newUuid(),
    clock: clock as never,
    log: { error: (...said: unknown[]) => assert.fail(JSON.stringify(said)) } as never,
    leaseSeconds: 60,
    maxOf: () => 10,
    take: (orders) => orders.length,
    onWake: () => wakes.push("again"),
  });
  const look = () => claimer.look(QUEUES.filter((queue) => claimer.mayLook(queue)));
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return () => {
      held = undefined;
      resolve();
    };
  };
  return { claimer, due, asked, wakes, look, hold, pass: (ms: number) => (nowMs += ms) };
}

test("all queues are looked at in one question, and only one with something due is claimed from", async () => {
  const { due, asked, look } = makeRig();
  due.add("sms:test");
  await look();
  assert.deepEqual(asked, ["look 3", "claim sms:test"]);
});

test("a queue with nothing due rests for a moment, and is looked at again at once when it is woken", async () => {
  const { claimer, asked, look, pass } = makeRig();
  await look();
  await look();
  assert.deepEqual(asked, ["look 3"]);
  claimer.wake("chat:live");
  await look();
  // The only one: a claim answers as fast as a look would.
  assert.deepEqual(asked, ["look 3", "claim chat:live"]);
  await turn(); // the claim has ended
  pass(50);
  await look();
  assert.equal(asked.at(-1), "look 3");
});

test("what becomes due during a look is looked for again, and no queue rests because of what the look did not see", async () => {
  const { claimer, asked, wakes, look, hold } = makeRig();
  const release = hold();
  const looking = look();
  claimer.wake();
  await look();
  assert.deepEqual(asked, ["look 3"], "one look at a time");
  release();
  await looking;
  assert.deepEqual(wakes, ["again"]);
  assert.ok(QUEUES.every((queue) => claimer.mayLook(queue)));
});
