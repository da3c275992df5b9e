import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type LogLine, StandingClock } from "../testing/http-rig.ts";
import { waitFor } from "../testing/wait-for.ts";
import { FailoverCounters } from "./failover-counters.ts";
import { type Counters, type Limit, MemoryCounters } from "./memory-counters.ts";

/** Counters that can be switched off, shared by what the test says are `nodes`. */
async function makeRig(context: TestContext, { nodes = 3, away = false } = {}) {
  const clock = new StandingClock();
  const memory = new MemoryCounters(clock);
  const state = { away, nodes: async () => nodes };
  const guarded = async <T>(act: () => T): Promise<T> => {
    if (state.away) throw new Error("gone");
    return act();
  };
  const shared: Counters = {
    consume: (consumptions) => guarded(() => memory.consume(consumptions)),
    giveBack: (consumed) => guarded(() => memory.giveBack(consumed)),
  };
  const lines: LogLine[] = [];
  const write = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
  const log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  const local = new MemoryCounters(clock);
  const counters = new FailoverCounters({ shared, local, nodes: () => state.nodes(), log });
  context.after(() => counters.stop());
  await counters.start();
  const consumeOne = async (name: string, limit: number) => {
    const limits: Limit[] = [{ name, limit, windowSeconds: 60 }];
    return (await counters.consume([{ limits, points: 1 }]))[0]!;
  };
  const passing = async (name: string, limit: number, tries: number) => {
    let passed = 0;
    for (let count = 0; count < tries; count += 1) if ((await consumeOne(name, limit)).allowed) passed += 1;
    return passed;
  };
  return { clock, counters, state, lines, consumeOne, passing };
}

test("while the shared counters are away a node lets its share through, and says so in the limit", async (context) => {
  const rig = await makeRig(context);
  assert.equal((await rig.consumeOne("a", 10)).remaining[0]!.limit, 10);
  rig.state.away = true;
  assert.equal(await rig.passing("a", 10, 20), 3);
  assert.equal((await rig.consumeOne("a", 10)).remaining[0]!.limit, 3);
});

test("a limit smaller than the number of nodes still lets one through, and a limit of none lets none", async (context) => {
  const rig = await makeRig(context);
  rig.state.away = true;
  assert.equal(await rig.passing("small", 2, 5), 1);
  assert.equal(await rig.passing("none", 0, 5), 0);
});

test("it returns by itself, with one line in the log each way", async (context) => {
  const rig = await makeRig(context);
  rig.state.away = true;
  await rig.passing("a", 10, 5);
  rig.state.away = false;
  await waitFor("the shared counters", async () => (await rig.consumeOne("b", 10)).remaining[0]!.limit === 10);
  assert.deepEqual(
    rig.lines.map(({ level, message }) => [level, message.split(":")[0]]),
    [
      ["warn", "shared counters are away"],
      ["info", "shared counters are back"],
    ],
  );
});

test("a start without them goes on with this node's share", async (context) => {
  const rig = await makeRig(context, { away: true, nodes: 2 });
  assert.equal(await rig.passing("a", 10, 20), 5);
  assert.equal(rig.lines.length, 1);
});

test("points are given back where they were counted", async (context) => {
  const rig = await makeRig(context);
  const there = await rig.consumeOne("a", 3);
  rig.state.away = true;
  const here = await rig.consumeOne("a", 3);
  assert.deepEqual([here.allowed, (await rig.consumeOne("a", 3)).allowed], [true, false]);
  await rig.counters.giveBack([here]);
  assert.equal((await rig.consumeOne("a", 3)).allowed, true);
  rig.state.away = false;
  await waitFor("the shared counters", async () => (await rig.consumeOne("b", 10)).remaining[0]!.limit === 10);
  await rig.counters.giveBack([there]);
  assert.equal((await rig.consumeOne("a", 3)).remaining[0]!.remaining, 2);
});

test("giving back to counters that are away fails nothing", async (context) => {
  const rig = await makeRig(context);
  const consumed = await rig.consumeOne("a", 3);
  rig.state.away = true;
  await rig.counters.giveBack([consumed]);
  assert.equal((await rig.consumeOne("a", 3)).remaining[0]!.limit, 1, "the node counts for itself from now on");
});

test("when the nodes can't be counted either, the last number goes on counting", async (context) => {
  const rig = await makeRig(context, { nodes: 2 });
  rig.state.nodes = () => Promise.reject(new Error("no database"));
  rig.state.away = true;
  await rig.consumeOne("a", 10);
  assert.equal((await rig.consumeOne("a", 10)).remaining[0]!.limit, 5);
});
