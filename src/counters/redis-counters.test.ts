import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { Redis } from "ioredis";
import { StandingClock } from "../testing/http-rig.ts";
import { needs } from "../testing/needs.ts";
import { type RedisServer, startRedis } from "../testing/redis-server.ts";
import { startStopwatch } from "../testing/stopwatch.ts";
import { waitFor } from "../testing/wait-for.ts";
import { type Consumed, type Consumption, type Limit, MemoryCounters } from "./memory-counters.ts";
import { RedisCounters } from "./redis-counters.ts";

const skip = needs("redis");
/** A window that no test sees the end of. */
const LONG_SECONDS = 1_000_000_000;

let server: RedisServer | undefined;
const opened: { close(): void }[] = [];
after(async () => {
  for (const one of opened) one.close();
  await server?.kill();
});

async function open(answerMs = 2_000): Promise<RedisCounters> {
  server ??= await startRedis();
  const counters = new RedisCounters(server.url, answerMs);
  opened.push(counters);
  await waitFor("the connection", () =>
    counters.consume([{ limits: [], points: 0 }]).then(
      () => true,
      () => false,
    ),
  );
  return counters;
}

const take = (name: string, limit: number, points = 1, windowSeconds = LONG_SECONDS): Consumption => ({
  limits: [{ name, limit, windowSeconds }],
  points,
});
const words = (all: readonly Consumed[]) =>
  all.map(({ allowed, remaining }) => ({
    allowed,
    remaining: remaining.map(({ remaining, hadRoom }) => [remaining, hadRoom]),
  }));

test("whatever is taken and given back, the server counts as memory does", { skip }, async () => {
  const counters = await open();
  let run = 0;
  const count = fc.record({ name: fc.constantFrom("a", "b", "c"), limit: fc.integer({ min: 0, max: 6 }) });
  const oneTake = fc.record({
    limits: fc.uniqueArray(count, { minLength: 1, maxLength: 2, selector: ({ name }) => name }),
    points: fc.integer({ min: 0, max: 3 }),
  });
  const step = fc.record({ consumptions: fc.array(oneTake, { maxLength: 4 }), giveBack: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      run += 1;
      const memory = new MemoryCounters(new StandingClock());
      for (const { consumptions, giveBack } of steps) {
        const named = consumptions.map(({ limits, points }) => ({
          points,
          limits: limits.map(({ name, limit }): Limit => {
            return { name: `run ${run} ${name}`, limit, windowSeconds: LONG_SECONDS };
          }),
        }));
        const [here, there] = [memory.consume(named), await counters.consume(named)];
        assert.deepEqual(words(there), words(here));
        if (giveBack) {
          memory.giveBack(here);
          await counters.giveBack(there);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("of a hundred that come at once over three connections exactly the limit passes", { skip }, async () => {
  const nodes = await Promise.all([open(), open(), open()]);
  const consumed = await Promise.all(
    Array.from({ length: 100 }, (_, index) => nodes[index % 3]!.consume([take("at once", 37)])),
  );
  const passed = consumed.flat().filter(({ allowed }) => allowed);
  assert.equal(passed.length, 37);
  const remaining = passed.map(({ remaining }) => remaining[0]!.remaining).sort((a, b) => a - b);
  assert.deepEqual(
    remaining,
    Array.from({ length: 37 }, (_, index) => index),
  );
});

test("who sleeps for the seconds told passes, and points of an ended window don't come back", { skip }, async () => {
  const counters = await open();
  const one = take("window", 1, 1, 2);
  const first = await waitFor("a fresh window", async () => {
    const [consumed] = await counters.consume([one]);
    return consumed?.allowed && consumed.remaining[0]!.resetSeconds === 2 ? consumed : undefined;
  });
  const [refused] = await counters.consume([one]);
  assert.equal(refused!.allowed, false);
  await new Promise((resolve) => setTimeout(resolve, refused!.remaining[0]!.resetSeconds * 1_000));
  assert.equal((await counters.consume([one]))[0]!.allowed, true);
  await counters.giveBack([first]);
  assert.equal((await counters.consume([one]))[0]!.allowed, false);
});

test("a bulk of ten thousand numbers is counted one by one", { skip }, async () => {
  const counters = await open();
  const consumptions = Array.from({ length: 10_000 }, (_, index) => take(`bulk ${index % 5_000}`, 1));
  const consumed = await counters.consume(consumptions);
  assert.deepEqual(
    consumed.map(({ allowed }) => allowed),
    consumptions.map((_, index) => index < 5_000),
  );
});

test("every key is ours by its prefix, and expires", { skip }, async () => {
  const counters = await open();
  await counters.consume([take("expires", 5, 1, 3_600)]);
  const redis = new Redis(server!.url);
  try {
    const keys = await redis.keys("*");
    assert.ok(keys.includes("{afara}:count:3600:expires"), keys.join(", "));
    for (const key of keys) {
      assert.match(key, /^\{afara\}:count:/);
      assert.notEqual(await redis.ttl(key), -1, `${key} never expires`); // -2: it has expired since
    }
  } finally {
    redis.disconnect();
  }
});

test("a server that keeps silent is a rejection after the time allowed", { skip }, async () => {
  const counters = await open(50);
  server!.signal("SIGSTOP");
  try {
    const elapsedMs = startStopwatch();
    await assert.rejects(counters.consume([take("silent", 1)]), /no answer within 50 ms/);
    assert.ok(elapsedMs() < 5_000, "it does not wait for the server");
  } finally {
    server!.signal("SIGCONT");
  }
});

test("while the server is away a take is refused at once, and is not counted when it is back", { skip }, async () => {
  const counters = await open(50);
  const whyRefused = (): Promise<string | undefined> =>
    counters.consume([take("away", 5)]).then(
      () => undefined,
      (error: Error) => error.message,
    );
  await server!.kill();
  await waitFor("the loss to be noticed", whyRefused);
  // Longer than the time between two tries to connect.
  for (let count = 0; count < 20; count += 1) {
    assert.doesNotMatch((await whyRefused()) ?? "", /no answer/, "it does not wait for the server");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await server!.start();
  const patient = await open();
  const [consumed] = await patient.consume([take("away", 5)]);
  assert.equal(consumed!.remaining[0]!.remaining, 4);
});
